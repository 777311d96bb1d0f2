/** Queries the holdings of an adviser, as its matching manager reports them. */
import type { Sql } from '../../../store/db.ts'
import type { AdviserHeld } from '../answers.ts'
import { type HoldingsParams, holdings as holdingsOf } from './holdings.ts'

/** Tests whether an adviser with this CRD number exists. */
export async function isKnown(sql: Sql, crd: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from pub.adv_adviser where crd = ${crd}) as found`
  return row!.found
}

/**
 * Finds the manager that is this adviser. It is the manager that states the adviser's CRD number, else the manager that
 * states its 801 number, else the filer with the most certain link to the adviser. Among several, the manager with the
 * newest report of holdings wins. Skips managers that never reported holdings.
 */
async function managerOf(sql: Sql, crd: string): Promise<string | null> {
  const [row] = await sql<{ cik: string }[]>`
    with candidate as (
      select cik, 3::numeric as rank from thirteenf.report where crd = ${crd}
      union all
      select r.cik, 2 from pub.adv_adviser a join thirteenf.report r using (number_key) where a.crd = ${crd}
      union all
      select cik, confidence from pub.links_link where crd = ${crd}
    )
    select c.cik
    from (select cik, max(rank) as rank from candidate where cik is not null group by cik) c
    cross join lateral (
      select period, filed_date from thirteenf.report
      where cik = c.cik and period is not null and position_count > 0 order by period desc, filed_date desc limit 1
    ) newest
    order by c.rank desc, newest.period desc, newest.filed_date desc, c.cik limit 1`
  return row?.cik ?? null
}

/** Returns the holdings of the adviser's manager; null without a manager that ever reported holdings. */
export async function holdings(sql: Sql, crd: string, params: HoldingsParams): Promise<AdviserHeld | null> {
  const cik = await managerOf(sql, crd)
  const found = cik === null ? null : await holdingsOf(sql, cik, params)
  return found === null || (found.latest_period === null && params.as_of === undefined)
    ? null
    : { match: true, ...found }
}
