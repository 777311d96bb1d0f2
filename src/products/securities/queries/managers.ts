/** Queries managers that hold a security, by their newest reports. */
import { unnamed } from '../../../serve/page.ts'
import type { Fragment, Sql } from '../../../store/db.ts'
import type { SecurityDetail } from '../answers.ts'
import type { Source } from '../sources.ts'

export interface Quarter {
  source: Source
  quarter: string
  /** The CUSIP of the security, in each spelling that occurs in lines of Form 13F. */
  filed_as: string[]
}

/**
 * Returns the largest holders. The statement has the quarters as literal values, so that no other partition is read.
 */
export async function managersOf(
  sql: Sql,
  quarters: readonly Quarter[],
  limit: number,
): Promise<SecurityDetail['f13']['holders']> {
  if (quarters.length === 0) return []
  const filedAs = [...new Set(quarters.flatMap(({ filed_as }) => filed_as))]
  return unnamed(sql<SecurityDetail['f13']['holders']>`
    select c.manager_name, h.cik, (
        select crd from pub.links_link where cik = h.cik order by confidence desc, crd limit 1
      ) as crd, h.value::text as value, h.shares::text as shares, h.principal::text as principal,
      h.option_value::text as option_value,
      round(100 * h.value / nullif((select m.value from pub.thirteenf_manager m where m.cik = h.cik), 0), 4)::text as percent,
      c.period, h.accession
    from (
      select cik, sum(value) filter (where put_call is null) as value,
        sum(amount) filter (where put_call is null and kind is distinct from 'PRN') as shares,
        sum(amount) filter (where put_call is null and kind = 'PRN') as principal,
        sum(value) filter (where put_call is not null) as option_value, ${newestFiling(sql)} as accession
      from pub.thirteenf_holding
      where cusip = any(${filedAs}) and quarter = any(${quarters.map(({ quarter }) => quarter)}::date[]) and is_newest
      group by cik having bool_or(put_call is null)
      order by value desc nulls last, cik limit ${limit}
    ) h
    join pub.thirteenf_counted c using (accession)
    order by h.value desc nulls last, h.cik`)
}

/**
 * Returns the combined filing that was filed last; if several were filed on one day, the one with the highest `seq`.
 */
export const newestFiling = (sql: Sql): Fragment => sql`(array_agg(accession order by filed_date desc, seq desc))[1]`
