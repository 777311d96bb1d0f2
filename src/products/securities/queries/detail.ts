/** SQL of one security: its description, and its holders according to the newest reports. */
import type { Sql } from '../../../store/db.ts'
import type { SecurityDetail } from '../answers.ts'
import type { Source } from '../sources.ts'
import { fundsOf, moneyMarketFundsOf } from './funds.ts'
import { beginning, idOf } from './ids.ts'
import { managersOf } from './managers.ts'
import { companyOf } from './search.ts'
import { type Head, type Naming, unheld } from './unheld.ts'

/** Maximum number of the issuer's other securities in an answer. */
const OTHERS = 50

/** @param namings rows that name a CUSIP; used for a security without any holder */
export async function detail(
  sql: Sql,
  given: string,
  limit: number,
  namings: (cusip: string) => Promise<Naming[]>,
): Promise<SecurityDetail | null> {
  const held = await idOf(sql, given)
  const named = held === null ? await unheld(sql, given, namings) : null
  const id = held ?? named?.sec_id
  if (id === undefined) return null
  const [[row], spans] = await Promise.all([
    sql<Head[]>`
      select sec_id, cusip, is_private, issuer_name, title_of_class, asset_cat, isin, lei, ticker, cik,
        f13_holders, f13_value::text as f13_value, fund_count, nport_value::text as nport_value, mmf_count, nmfp_value,
        ${companyOf(sql)}
      from securities.security s where sec_id = ${id}`,
    sql<{ source: Source; newest: string; since: string }[]>`select source, newest, since from securities.span`,
  ])
  const { f13_holders, f13_value, fund_count, nport_value, mmf_count, nmfp_value, ...stated } = named ?? row!
  const spanOf = (source: Source) => {
    const span = spans.find((each) => each.source === source)
    return { newest_period: span?.newest ?? null, since: span?.since ?? null }
  }
  // If no report of the source is loaded, the figures are null and not zero.
  const of = <T>(source: Source, sum: T): T | null => (spanOf(source).newest_period === null ? null : sum)
  const [managers, funds, moneyMarketFunds, issuer_securities] = await Promise.all([
    managersOf(sql, id, limit),
    fundsOf(sql, id, limit),
    moneyMarketFundsOf(sql, id, limit),
    othersOf(sql, id, stated.cusip),
  ])
  return {
    ...stated,
    f13: {
      holder_count: of('f13', f13_holders),
      total_value: of('f13', f13_value),
      ...spanOf('f13'),
      holders: [...managers],
    },
    nport: {
      fund_count: of('nport', fund_count),
      total_value: of('nport', nport_value),
      ...spanOf('nport'),
      holders: [...funds],
    },
    nmfp: {
      fund_count: of('nmfp', mmf_count),
      total_value: of('nmfp', Number(nmfp_value)),
      ...spanOf('nmfp'),
      holders: [...moneyMarketFunds],
    },
    issuer_securities,
  }
}

/**
 * Selects other securities of the issuer: the securities that share the first six characters of the CUSIP, or for a
 * private security, the securities of its company.
 */
const othersOf = (sql: Sql, id: string, cusip: string | null) => sql<SecurityDetail['issuer_securities']>`
  select sec_id, cusip, title_of_class, combined_value::text as combined_value from securities.security
  where ${
    cusip === null
      ? sql`sec_id in (
          select o.sec_id from securities.alias a join securities.alias o using (issuer) where a.sec_id = ${id})`
      : beginning(sql, cusip.slice(0, 6))
  } and sec_id <> ${id}
  order by combined_value desc, sec_id limit ${OTHERS}`
