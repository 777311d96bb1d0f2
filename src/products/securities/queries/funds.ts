/** Queries funds and money market funds that hold a security, by their newest reports. */
import { unnamed } from '../../../serve/page.ts'
import type { Sql } from '../../../store/db.ts'
import type { SecurityDetail } from '../answers.ts'
import { DERIVATIVES, IS_HELD } from '../sources.ts'

/**
 * Returns the largest holders in the given quarters. The statement has the quarters as literal values, so that no other
 * partition is read.
 */
export async function fundsOf(
  sql: Sql,
  id: string,
  quarters: readonly string[],
  limit: number,
): Promise<SecurityDetail['nport']['holders']> {
  if (quarters.length === 0) return []
  return unnamed(sql<SecurityDetail['nport']['holders']>`
    select s.fund_name as fund, s.fund as fund_id, s.cik, s.series_id, s.registrant_name, h.value::text as value,
      h.shares::text as shares, h.principal::text as principal, h.percent::text as percent, s.period, s.accession
    from (
      select s.accession, sum(h.value) as value, sum(h.balance) filter (where h.units = 'NS') as shares,
        sum(h.balance) filter (where h.units = 'PA') as principal, sum(h.percent) as percent
      from pub.nport_holding h join pub.nport_standing s on s.accession = h.accession and s.quarter = h.quarter
      where h.sec_id = ${id} and h.quarter = any(${quarters as string[]}::date[]) and s.is_newest and ${sql.unsafe(IS_HELD)}
        and (h.asset_cat is null or h.asset_cat <> all(${DERIVATIVES as string[]}))
      group by s.accession
    ) h
    join pub.nport_standing s using (accession)
    order by h.value desc nulls last, s.fund limit ${limit}`)
}

export async function moneyMarketFundsOf(
  sql: Sql,
  id: string,
  quarters: readonly string[],
  limit: number,
): Promise<SecurityDetail['nmfp']['holders']> {
  if (quarters.length === 0) return []
  return unnamed(sql<SecurityDetail['nmfp']['holders']>`
    select coalesce(s.fund_name, s.registrant_name) as fund, s.fund as fund_id, s.cik, s.series_id, s.registrant_name,
      h.value::text as value, h.principal::text as principal, h.percent::text as percent, s.period, s.accession
    from (
      select s.accession, sum(h.value) as value, sum(h.principal) as principal,
        round(100 * sum(h.value) / nullif(min(s.net_assets), 0), 4) as percent
      from pub.nmfp_holding h join pub.nmfp_standing s using (accession)
      where h.sec_id = ${id} and s.quarter = any(${quarters as string[]}::date[]) and s.is_newest
      group by s.accession
    ) h
    join pub.nmfp_standing s using (accession)
    order by h.value desc nulls last, s.fund limit ${limit}`)
}
