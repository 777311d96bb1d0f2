/**
 * Describes a security that has no holder in any loaded report, but whose CUSIP is in other rows: owners, votes or
 * lists of numbers.
 */
import { cusipFlag } from '../../../read/securityid.ts'
import type { Sql } from '../../../store/db.ts'
import type { SecurityDetail } from '../answers.ts'

/** The description of a security, with sums by source. */
export type Head = Omit<SecurityDetail, 'f13' | 'nport' | 'nmfp' | 'issuer_securities' | 'not_loaded'> &
  Record<'f13_holders' | 'fund_count' | 'mmf_count', number> &
  Record<'f13_value' | 'nport_value' | 'nmfp_value', string>

/** A row that states the CUSIP, with the name that the row gives the issuer. */
export interface Naming {
  name: string | null
}

/** Returns the facts that rows state about a complete CUSIP; null if no row states the CUSIP. */
export async function unheld(
  sql: Sql,
  given: string,
  namings: (cusip: string) => Promise<Naming[]>,
): Promise<Head | null> {
  const cusip = given.toUpperCase()
  // A placeholder stands for many securities, so it identifies none of them.
  if (cusip.length !== 9 || cusip.includes('~') || cusipFlag(cusip) === 'placeholder') return null
  const [[best], rows] = await Promise.all([
    sql<Pick<Head, 'cik' | 'ticker' | 'isin' | 'lei' | 'company_name'>[]>`
      select cik, ticker, isin, lei, company_name from pub.identifiers_best where cusip = ${cusip}`,
    namings(cusip),
  ])
  if (!best && rows.length === 0) return null
  const { cik, ...known } = best ?? { cik: null, ticker: null, isin: null, lei: null, company_name: null }
  return {
    ...{
      sec_id: cusip,
      cusip,
      is_private: false,
      title_of_class: null,
      asset_cat: null,
      company_id: null,
      cik,
      ...known,
    },
    issuer_name: rows.find(({ name }) => name !== null)?.name ?? known.company_name ?? cusip,
    company_url: cik === null ? null : `/v1/companies/${cik}`,
    ...{ f13_holders: 0, f13_value: '0', fund_count: 0, nport_value: '0', mmf_count: 0, nmfp_value: '0' },
  }
}
