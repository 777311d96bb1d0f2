/** Reads the financials of a company and assembles the answer. */
import { apiError, type HttpError } from '../../declare/api-errors.ts'
import type { Sources } from '../../declare/view.ts'
import { missingOf } from '../../serve/loaded.ts'
import type { Sql } from '../../store/db.ts'
import type { OfCompany, OfSecurity } from './answers.ts'
import * as queries from './queries.ts'
import { filingUrl, shown } from './report.ts'
import { type Choice, statement } from './statement.ts'

export const READ = { series: { COMPANY_FACTS: 'figures of companies are not known' } }

/** Sources that tell which CIK the issuer of a security has. */
const NUMBERS: Sources = {
  families: {
    schedule13: 'owners of more than 5% (Schedules 13D, 13G)',
    nport: 'reports of funds (N-PORT)',
  },
}

export interface FinancialsParams {
  period?: Choice | undefined
  as_of?: string | undefined
}

/**
 * Returns the financials of a company; null if no file of the company is loaded.
 *
 * @param security the security that was requested; its CUSIP and ticker are shown. Null if a company was requested
 * @throws HttpError 404 with a reason, if the company's file has no figures of the requested kind of period
 */
export async function financials(
  sql: Sql,
  cik: string,
  { period, as_of }: FinancialsParams,
  security: Pick<queries.Issuer, 'cusip' | 'ticker'> | null = null,
): Promise<OfCompany | null> {
  const company = await queries.companyOf(sql, cik)
  if (!company) return null
  const facts = await queries.factsOf(sql, cik)
  const found = statement(facts, { ...(period && { choice: period }), ...(as_of && { asOf: as_of }) })
  const history = found.history.map((line) => shown(cik, line))
  const latest = history[0]
  if (!latest) {
    const what = period ? `for period=${period}` : 'for any period'
    throw nothing(`${company.entity_name ?? cik} reported no figures ${what}${as_of ? ` until ${as_of}` : ''}`)
  }
  const ticker = security ? security.ticker : await queries.tickerOf(sql, cik)
  return {
    ...{ cusip: security?.cusip ?? null, cik: Number(cik), ticker, company_name: company.entity_name ?? `CIK ${cik}` },
    ...{ period: found.period, as_of: as_of ?? null, latest, history },
    other_currencies: [...found.otherCurrencies],
    share_changes: found.shareChanges.map(({ factor, filed, accession, periods }) => ({
      ...{ factor, filed_date: filed, accession, filing_url: filingUrl(cik, accession), period_count: periods },
    })),
  }
}

/**
 * Returns the financials of the company that issued a security.
 *
 * @throws HttpError 404 that names the missing part: a CUSIP, a company with a CIK for the CUSIP, or the company's
 *   figures
 */
export async function financialsOf(sql: Sql, id: string, params: FinancialsParams): Promise<OfSecurity> {
  if (id.includes('~')) {
    throw nothing('figures are found by CUSIP, and this security has no CUSIP. Private companies report no figures')
  }
  const cusip = id.toUpperCase()
  const issuer = await queries.issuerOf(sql, cusip)
  if (!issuer) {
    throw await nothingOf(sql, NUMBERS, `no company with a CIK is known for the CUSIP ${cusip}`)
  }
  const found = await financials(sql, issuer.cik, params, issuer)
  if (!found) {
    const name = issuer.company_name ?? 'the company'
    throw await nothingOf(sql, READ, `there are no figures of ${name} (CIK ${issuer.cik})`)
  }
  return { ...found, cusip: issuer.cusip }
}

const nothing = (why: string) => apiError('not_found', { detail: `: ${why}` })

/**
 * Returns the error `not_loaded`, which names the source, if a source was never loaded or was loaded only in part.
 * Otherwise returns the error of `nothing`.
 */
async function nothingOf(sql: Sql, sources: Sources, why: string): Promise<HttpError> {
  const missing = await missingOf(sql, { ...sources, whole: true })
  if (missing.length === 0) return nothing(why)
  return apiError('not_loaded', { notes: [why, ...missing.map(({ note }) => note)].join('; ') })
}
