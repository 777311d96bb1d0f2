/** What an adviser holds, as the manager that it is reports it. */
import type { Sql } from '../../store/db.ts'
import { compose } from './compose.ts'
import { counted, linesOf, type ReportedOf, reportsOf, worthOf } from './queries-composed.ts'
import type { AdviserHoldings } from './routes.ts'

/** Is there such an adviser? */
export async function isKnown(sql: Sql, crd: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from pub.adv_adviser where crd = ${crd}) as found`
  return row!.found
}

/**
 * The manager that an adviser is: the one that states its CRD number, else its 801 number, else the filer that is linked to
 * it most surely; of several the one with the newest report of holdings. Those that never reported any are none.
 */
async function managerOf(sql: Sql, crd: string): Promise<string | null> {
  const [row] = await sql<{ cik: string }[]>`
    with candidate as (
      select cik, 3::numeric as rank from thirteenf.report where crd = ${crd}
      union all
      select r.cik, 2 from pub.adv_adviser a join thirteenf.report r using (sec_file_number) where a.crd = ${crd}
      union all
      select cik, confidence from pub.links_link where crd = ${crd}
    )
    select c.cik
    from (select cik, max(rank) as rank from candidate where cik is not null group by cik) c
    cross join lateral (
      select period, filed_date from thirteenf.report
      where cik = c.cik and period is not null and positions > 0 order by period desc, filed_date desc limit 1
    ) newest
    order by c.rank desc, newest.period desc, newest.filed_date desc, c.cik limit 1`
  return row?.cik ?? null
}

/** The holdings of the newest quarter, by security, and what they were worth in each; null without a manager. */
export async function holdings(sql: Sql, crd: string): Promise<AdviserHoldings | null> {
  const cik = await managerOf(sql, crd)
  if (cik === null) return null
  const reports = await reportsOf(sql, cik)
  const quarters: { period: string; own: ReportedOf[]; steps: ReturnType<typeof compose> }[] = []
  for (const [period, own] of Map.groupBy(reports, (report) => report.period)) {
    const steps = counted(compose(own))
    if (steps.length > 0) quarters.push({ period, own, steps })
  }
  const [newest] = quarters
  if (newest === undefined) return null
  const [trend, positions, [manager]] = await Promise.all([
    Promise.all(
      quarters.map(async ({ period, own, steps }) => ({
        period_of_report: period,
        total_value: await worthOf(sql, own, steps),
      })),
    ),
    positionsOf(sql, newest),
    sql<{ name: string | null; city: string | null; state: string | null }[]>`
      select manager_name as name, city, state from thirteenf.report
      where cik = ${cik} order by filed_date desc, accession desc limit 1`,
  ])
  return {
    match: true,
    manager: { cik, name: manager!.name ?? '', city: manager!.city, state: manager!.state },
    latest_period: newest.period,
    position_count: positions.length,
    total_value: trend[0]!.total_value,
    positions,
    trend,
  }
}

/** Lines of one CUSIP add up, as `bySecurity` of holdings.ts; those without any are told apart by what they say. */
async function positionsOf(
  sql: Sql,
  { period, steps }: { period: string; steps: Parameters<typeof linesOf>[2] },
): Promise<AdviserHoldings['positions']> {
  return sql<AdviserHoldings['positions']>`
    select h.cusip, s.issuer_name, s.title_of_class, h.value::text as value, h.shares::text as shares,
      h.option_value::text as option_value, h.principal::text as principal, ${period} as period_of_report
    from (
      select upper(l.cusip) as cusip,
        coalesce(sum(l.value) filter (where l.put_call is null), 0) as value,
        coalesce(sum(l.amount) filter (where l.put_call is null and l.kind is distinct from 'PRN'), 0) as shares,
        coalesce(sum(l.amount) filter (where l.put_call is null and l.kind = 'PRN'), 0) as principal,
        coalesce(sum(l.value) filter (where l.put_call is not null), 0) as option_value,
        (array_agg(l.security order by l.put_call is not null, l.value desc nulls last, l.accession, l.n))[1] as security
      from ${linesOf(sql, period, steps)} l
      group by upper(l.cusip), case when l.cusip is null then l.security end
    ) h
    join thirteenf.security s using (security)
    order by h.value desc, h.option_value desc, h.cusip, h.security`
}
