/** Queries managers that hold a security, by their newest reports. */
import { unnamed } from '../../../serve/page.ts'
import type { Sql } from '../../../store/db.ts'
import type { SecurityDetail } from '../answers.ts'
import { newestHoldings } from './holding.ts'

/** Returns the largest holders among managers. */
export async function managersOf(sql: Sql, id: string, limit: number): Promise<SecurityDetail['f13']['holders']> {
  return unnamed(sql<SecurityDetail['f13']['holders']>`
    select c.manager_name, h.holder_id as cik, (
        select crd from pub.links_link where cik = h.holder_id order by confidence desc, crd limit 1
      ) as crd, h.value::text as value, h.shares::text as shares, h.principal::text as principal,
      h.option_value::text as option_value,
      round(100 * h.value / nullif((select m.value from pub.thirteenf_manager m where m.cik = h.holder_id), 0), 4)::text as percent,
      h.period, accession
    from ${newestHoldings(sql, id, 'f13', limit)} h join pub.thirteenf_composed c using (accession)
    order by h.value desc nulls last, h.holder_id`)
}
