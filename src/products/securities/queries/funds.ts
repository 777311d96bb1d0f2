/** Queries funds and money market funds that hold a security, by their newest reports. */
import { unnamed } from '../../../serve/page.ts'
import type { Sql } from '../../../store/db.ts'
import type { SecurityDetail } from '../answers.ts'
import { newestHoldings } from './holding.ts'

/** Returns the largest holders among funds that file Form N-PORT. */
export async function fundsOf(sql: Sql, id: string, limit: number): Promise<SecurityDetail['nport']['holders']> {
  return unnamed(sql<SecurityDetail['nport']['holders']>`
    select s.fund_name as fund, s.fund as fund_id, s.cik, s.series_id, s.registrant_name, h.value::text as value,
      h.shares::text as shares, h.principal::text as principal, h.percent::text as percent, h.period, accession
    from ${newestHoldings(sql, id, 'nport', limit)} h join pub.nport_report s using (accession)
    order by h.value desc nulls last, s.fund`)
}

/** Returns the largest holders among money market funds. */
export async function moneyMarketFundsOf(
  sql: Sql,
  id: string,
  limit: number,
): Promise<SecurityDetail['nmfp']['holders']> {
  return unnamed(sql<SecurityDetail['nmfp']['holders']>`
    select coalesce(s.fund_name, s.registrant_name) as fund, s.fund as fund_id, s.cik, s.series_id, s.registrant_name,
      h.value::text as value, h.principal::text as principal,
      round(100 * h.value / nullif(n.net_assets, 0), 4)::text as percent, h.period, accession
    from ${newestHoldings(sql, id, 'nmfp', limit)} h join pub.nmfp_report s using (accession)
    left join pub.nmfp_standing n using (accession)
    order by h.value desc nulls last, s.fund`)
}
