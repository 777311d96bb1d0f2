/** Computes managers' purchases and sales of a security in a quarter. */
import { quarterAfter } from '../../../declare/quarter.ts'
import type { Fragment, Transaction } from '../../../store/db.ts'
import { quartersOf, requestIds } from '../quarters.ts'
import type { Report } from '../sources.ts'
import { spell } from './held-thirteenf.ts'

/** Reports of managers that changed, and securities of reports that are about to be replaced. */
interface Changed {
  reports: readonly Report[]
  securities: readonly Report[]
}

/**
 * Rewrites the affected rows, or all. A report affects two quarters: its own quarter, which is compared with the
 * quarter before, and the next quarter, which is compared with the report's quarter. A report also affects securities
 * that the report does not name, since these may have been sold.
 */
export async function makeFlows(tx: Transaction, changed: Changed | null): Promise<void> {
  if (changed === null) {
    await tx`delete from flow`
    await spell(tx, true)
    for (const quarter of await comparedOf(tx, await quartersOf(tx, 'f13'))) await insert(tx, quarter)
    return
  }
  const { reports, securities } = changed
  if (reports.length + securities.length === 0) return
  const affected = new Set([...reports, ...securities].flatMap(({ quarter }) => [quarter, quarterAfter(quarter)]))
  const compared = await comparedOf(tx, [...affected])
  await tx`delete from flow where quarter = any(${[...affected].filter((quarter) => !compared.includes(quarter))}::date[])`
  if (compared.length === 0) return
  const isCompared = (quarter: Fragment) => tx`${quarter} = any(${compared}::date[])`
  const columns = (rows: readonly Report[]) => tx`
    unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ quarter }) => quarter)}::date[])`
  await tx`
    create temporary table if not exists touched_flow (sec_id text collate "C", quarter date) on commit drop`
  await tx`truncate touched_flow`
  await tx`
    insert into touched_flow
    with own as (select * from ${columns(reports)} r (cik, quarter)),
    near as (
      select distinct o.cik, o.quarter as changed, q.quarter
      from own o cross join lateral (values (${before(tx, tx`o.quarter`)}), (o.quarter), (${after(tx, tx`o.quarter`)})) q (quarter)
      where q.quarter <= o.quarter and ${isCompared(tx`o.quarter`)}
        or q.quarter >= o.quarter and ${isCompared(after(tx, tx`o.quarter`))}
    ), named as (
      select distinct n.changed, l.quarter, l.sec_id
      from near n join pub.thirteenf_line l on l.cik = n.cik and l.quarter = n.quarter where l.sec_id is not null
    )
    select sec_id, changed from named where quarter <= changed and ${isCompared(tx`changed`)}
    union
    select sec_id, ${after(tx, tx`changed`)} from named
    where quarter >= changed and ${isCompared(after(tx, tx`changed`))}
    union
    select sec_id, at from ${columns(securities)} s (sec_id, quarter)
    cross join lateral (values (s.quarter), (${after(tx, tx`s.quarter`)})) a (at)
    where ${isCompared(tx`at`)}`
  await tx`analyze touched_flow`
  await tx`delete from flow f using touched_flow t where f.sec_id = t.sec_id and f.quarter = t.quarter`
  for (const quarter of compared) {
    await requestIds(tx, tx`select sec_id from touched_flow where quarter = ${quarter}`)
    await spell(tx, false)
    await insert(tx, quarter)
  }
}

const before = (tx: Transaction, quarter: Fragment) => tx`(date_trunc('quarter', ${quarter}) - interval '1 day')::date`
const after = (tx: Transaction, quarter: Fragment) =>
  tx`(date_trunc('quarter', ${quarter}) + interval '6 months - 1 day')::date`

/**
 * Returns those of the quarters for which there are reports, if there are also reports for the quarter before. In the
 * quarter after the newest reports and in the first loaded quarter, purchases and sales cannot be computed.
 */
async function comparedOf(tx: Transaction, quarters: readonly string[]): Promise<string[]> {
  const reported = (of: Fragment) => tx`exists (select from pub.thirteenf_counted c where c.quarter = ${of})`
  const rows = await tx<{ quarter: string }[]>`
    select q.quarter from unnest(${quarters as string[]}::date[]) q (quarter)
    where ${reported(tx`q.quarter`)} and ${reported(before(tx, tx`q.quarter`))} order by q.quarter`
  return rows.map(({ quarter }) => quarter)
}

/**
 * Compares only shares, without principal and options. The price is computed from the values of all managers together,
 * at the end of the quarter or else at the end of the quarter before. The statement names both quarters, see
 * quarters.ts.
 */
const insert = (tx: Transaction, quarter: string) => tx`
  insert into flow (sec_id, quarter, buyer_count, seller_count, opened_count, closed_count, bought, sold, bought_value,
    sold_value, net_value)
  select sec_id, ${quarter}, buyer_count, seller_count, opened_count, closed_count, bought, sold,
    round(bought * price), round(sold * price), round(bought * price) - round(sold * price)
  from (
    select sec_id, count(*) filter (where is_compared and shares > shares_before)::int as buyer_count,
      count(*) filter (where is_compared and shares < shares_before)::int as seller_count,
      count(*) filter (where is_compared and shares > 0 and shares_before = 0)::int as opened_count,
      count(*) filter (where is_compared and shares = 0 and shares_before > 0)::int as closed_count,
      coalesce(sum(shares - shares_before) filter (where is_compared and shares > shares_before), 0)::bigint as bought,
      coalesce(sum(shares_before - shares) filter (where is_compared and shares < shares_before), 0)::bigint as sold,
      coalesce(sum(value) / nullif(sum(shares), 0), sum(value_before) / nullif(sum(shares_before), 0), 0) as price
    from (
      select t.sec_id, h.cik, coalesce(sum(h.amount) filter (where h.quarter = ${quarter}), 0) as shares,
        coalesce(sum(h.value) filter (where h.quarter = ${quarter}), 0) as value,
        coalesce(sum(h.amount) filter (where h.quarter < ${quarter}), 0) as shares_before,
        coalesce(sum(h.value) filter (where h.quarter < ${quarter}), 0) as value_before,
        h.cik in (
          select cik from pub.thirteenf_counted
          where part = 'whole' and quarter in (${quarter}, ${before(tx, tx`${quarter}::date`)})
          group by cik having count(distinct quarter) = 2) as is_compared
      from spelled t join pub.thirteenf_holding h on h.cusip = t.filed
      where h.put_call is null and h.kind is distinct from 'PRN' and h.amount is not null
        and h.quarter in (${quarter}, ${before(tx, tx`${quarter}::date`)})
      group by t.sec_id, h.cik
    ) held
    group by sec_id
  ) f
  where buyer_count + seller_count > 0`
