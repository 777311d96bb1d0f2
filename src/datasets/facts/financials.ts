/** The financials of a company, read and put together. */
import { notFound } from '../../declare/errors.ts'
import type { Sql } from '../../store/db.ts'
import type { OfCompany } from './answers.ts'
import * as queries from './queries.ts'
import { filingUrl, shown } from './report.ts'
import { type Choice, statement } from './statement.ts'

export interface Asked {
  period?: Choice | undefined
  as_of?: string | undefined
}

/**
 * Null where no file of the company is loaded.
 *
 * @throws HttpError 404 where its file has no figures of such a period, which is said
 */
export async function financials(sql: Sql, cik: string, { period, as_of }: Asked): Promise<OfCompany | null> {
  const company = await queries.companyOf(sql, cik)
  if (!company) return null
  const facts = await queries.factsOf(sql, cik)
  const found = statement(facts, { ...(period && { choice: period }), ...(as_of && { asOf: as_of }) })
  const history = found.history.map((line) => shown(cik, line))
  const latest = history[0]
  if (!latest) {
    const what = period ? `of a period that is ${period}` : 'of a period'
    throw notFound(
      `not found: ${company.entity_name ?? cik} reported no figures ${what}${as_of ? ` until ${as_of}` : ''}`,
    )
  }
  return {
    ...{ cusip: null, cik: Number(cik), ticker: null, company_name: company.entity_name ?? '' },
    ...{ period: found.period, as_of: as_of ?? null, latest, history },
    other_currencies: [...found.otherCurrencies],
    share_changes: found.shareChanges.map(({ factor, filed, accession, periods }) => ({
      ...{ factor, filed_date: filed, accession, filing_url: filingUrl(cik, accession), periods },
    })),
  }
}
