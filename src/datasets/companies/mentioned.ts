/**
 * Makes the profile of a CIK that only rows of other filings name, such as an exchange, an insider or an intermediary.
 */
import type { Context } from '../../declare/route.ts'
import { namedIn } from '../../serve/named-in.ts'
import type { Profile } from './answers.ts'

const UNKNOWN = {
  ...{ entity_type: null, sic: null, sic_description: null, ein: null, lei: null, state_of_incorporation: null },
  ...{ fiscal_year_end: null, categories: [], owner_org: null, edgar_flags: null, description: null, website: null },
  ...{ investor_website: null, phone: null, is_insider: null, has_insiders: null, tickers: [], exchanges: [] },
  ...{ listed_tickers: [], business_address: null, mailing_address: null, former_names: [], filing_count: 0 },
  ...{ filings_listed: null, first_filed: null, last_filed: null },
}

/**
 * Returns a profile with the facts that rows state about the CIK, and null for other facts. Returns null if no row
 * names the CIK.
 */
export async function mentioned({ sql, catalog }: Context, cik: string): Promise<Profile | null> {
  const rows = await namedIn(sql, catalog, 'cik', cik)
  if (rows.length === 0) return null
  const { name = null, filed_date = null } = rows.find((row) => row.name !== null) ?? rows[0]!
  return {
    ...{ cik, name, source: 'rows', as_of: filed_date, ...UNKNOWN },
    ...{ filings_url: `/v1/filings?cik=${cik}`, named_in: rows, securities_url: null },
  }
}
