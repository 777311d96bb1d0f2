/** What managers bought and sold of a security in a quarter. */
import type { Fragment, Transaction } from '../../store/db.ts'
import { quartersOf } from './quarters.ts'
import type { Report } from './queries-held.ts'
import { choose, chosenLines } from './queries-held-thirteenf.ts'

/** Reports of managers that changed, and securities of reports that are about to go. */
interface Changed {
  reports: readonly Report[]
  securities: readonly Report[]
}

/**
 * Rewrites the rows that these concern, or all. A report says what was bought in its own quarter, compared with the one before,
 * and what the one after is compared with: also of securities that it does not name, since they were sold.
 */
export async function makeFlows(tx: Transaction, changed: Changed | null): Promise<void> {
  if (changed === null) {
    await tx`delete from flow`
    for (const quarter of await quartersOf(tx, 'f13')) await insert(tx, quarter, tx`pub.thirteenf_holding h`, tx`true`)
    return
  }
  const { reports, securities } = changed
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
    ), named as (
      select distinct n.changed, l.quarter, l.sec_id
      from near n join pub.thirteenf_line l on l.cik = n.cik and l.quarter = n.quarter where l.sec_id is not null
    )
    select sec_id, changed from named where quarter <= changed
    union
    select sec_id, ${after(tx, tx`changed`)} from named where quarter >= changed
    union
    select sec_id, at from ${columns(securities)} s (sec_id, quarter)
    cross join lateral (values (s.quarter), (${after(tx, tx`s.quarter`)})) a (at)`
  await tx`analyze touched_flow`
  await tx`delete from flow f using touched_flow t where f.sec_id = t.sec_id and f.quarter = t.quarter`
  const quarters = await tx<{ quarter: string }[]>`select distinct quarter from touched_flow order by quarter`
  for (const { quarter } of quarters) {
    await choose(tx, tx`select sec_id from touched_flow where quarter = ${quarter}`)
    const wanted = tx`f.sec_id in (select t.sec_id from touched_flow t where t.quarter = ${quarter})`
    await insert(tx, quarter, chosenLines(tx), wanted)
  }
}

const before = (tx: Transaction, quarter: Fragment) => tx`(date_trunc('quarter', ${quarter}) - interval '1 day')::date`
const after = (tx: Transaction, quarter: Fragment) =>
  tx`(date_trunc('quarter', ${quarter}) + interval '6 months - 1 day')::date`

/**
 * Shares alone are compared: no principal, no options. The price is what all managers imply together, at the end of the quarter,
 * else of the one before. The statement names both quarters, see quarters.ts.
 */
const insert = (tx: Transaction, quarter: string, lines: Fragment, wanted: Fragment) => tx`
  insert into flow (sec_id, quarter, buyers, sellers, opened, closed, bought, sold, bought_value, sold_value, net_value)
  with whole as materialized (
    select distinct cik, quarter from pub.thirteenf_counted
    where part = 'whole' and quarter in (${quarter}, ${before(tx, tx`${quarter}::date`)})
  ), line as (
    select h.sec_id, h.cik, h.quarter, sum(h.amount) as shares, sum(h.value) as value
    from ${lines}
    where h.sec_id is not null and h.put_call is null and h.kind is distinct from 'PRN' and h.amount is not null
      and h.quarter in (${quarter}, ${before(tx, tx`${quarter}::date`)})
    group by h.sec_id, h.cik, h.quarter
  ), side as (
    select sec_id, cik, quarter, shares, value, 0 as shares_before, 0 as value_before from line where quarter = ${quarter}
    union all
    select sec_id, cik, ${quarter}::date, 0, 0, shares, value from line where quarter < ${quarter}
  ), held as (
    select sec_id, quarter, cik, sum(shares) as shares, sum(value) as value, sum(shares_before) as shares_before,
      sum(value_before) as value_before
    from side f where ${wanted} group by sec_id, quarter, cik
  ), priced as (
    select h.*, n.cik is not null and b.cik is not null as is_compared,
      coalesce(sum(h.value) over sec / nullif(sum(h.shares) over sec, 0),
        sum(h.value_before) over sec / nullif(sum(h.shares_before) over sec, 0), 0) as price
    from held h
    left join whole n on n.cik = h.cik and n.quarter = h.quarter
    left join whole b on b.cik = h.cik and b.quarter = ${before(tx, tx`h.quarter`)}
    window sec as (partition by h.sec_id, h.quarter)
  )
  select sec_id, quarter, buyers, sellers, opened, closed, bought, sold, round(bought * price) as bought_value,
    round(sold * price), round(bought * price) - round(sold * price)
  from (
    select sec_id, quarter, count(*) filter (where shares > shares_before)::int as buyers,
      count(*) filter (where shares < shares_before)::int as sellers,
      count(*) filter (where shares > 0 and shares_before = 0)::int as opened,
      count(*) filter (where shares = 0 and shares_before > 0)::int as closed,
      coalesce(sum(shares - shares_before) filter (where shares > shares_before), 0)::bigint as bought,
      coalesce(sum(shares_before - shares) filter (where shares < shares_before), 0)::bigint as sold, min(price) as price
    from priced where is_compared group by sec_id, quarter
  ) f
  where buyers + sellers > 0`
