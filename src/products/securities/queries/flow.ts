/** Computes managers' purchases and sales of a security in a quarter. */
import { quarterAfter } from '../../../declare/quarter.ts'
import type { Fragment, Transaction } from '../../../store/db.ts'
import { requestIds } from '../quarters.ts'
import type { Report } from '../sources.ts'
import { after, before, changeFlows, forgetChanged } from './difference.ts'
import { spell } from './held-thirteenf.ts'
import { impliedPrice } from './implied-price.ts'

/** Reports of managers whose former lines are unknown, and securities of reports that are about to be replaced. */
interface Changed {
  reports: readonly Report[]
  securities: readonly Report[]
}

/**
 * Rewrites the affected rows; managers-all.ts makes all rows. A report affects two quarters: its own quarter, which is
 * compared with the quarter before, and the next quarter, which is compared with the report's quarter. A report also
 * affects securities that the report does not name, since these may have been sold. For reports whose former lines are
 * known, the new lines are added and the former lines are subtracted (difference.ts).
 */
export async function makeFlows(tx: Transaction, changed: Changed | null): Promise<void> {
  if (changed === null) return forgetChanged(tx, null)
  const [touched] = await tx`select from touched_security where source = 'f13' limit 1`
  if (!touched && changed.reports.length === 0) return
  await tx`
    create temporary table if not exists touched_flow (sec_id text collate "C", quarter date) on commit drop`
  await tx`truncate touched_flow`
  await touch(tx, changed)
  await changeFlows(tx)
  await tx`analyze touched_flow`
  await tx`delete from flow f using touched_flow t where f.sec_id = t.sec_id and f.quarter = t.quarter`
  const quarters = await tx<{ quarter: string }[]>`select distinct quarter from touched_flow order by quarter`
  for (const { quarter } of quarters) {
    await requestIds(tx, tx`select sec_id from touched_flow where quarter = ${quarter}`)
    await spell(tx)
    await insert(tx, quarter)
  }
  await value(tx)
  const read = await tx<{ quarter: string }[]>`
    select quarter from changed_report
    union select quarter from touched_security where source = 'f13' and quarter is not null
    union select quarter from touched_flow union select ${before(tx, tx`quarter`)} from touched_flow`
  await forgetChanged(
    tx,
    read.map(({ quarter }) => quarter),
  )
}

/** Fills `touched_flow` with the rows that are computed from all lines. */
async function touch(tx: Transaction, { reports, securities }: Changed): Promise<void> {
  const affected = new Set([...reports, ...securities].flatMap(({ quarter }) => [quarter, quarterAfter(quarter)]))
  if (affected.size === 0) return
  const compared = await comparedOf(tx, [...affected])
  await tx`delete from flow where quarter = any(${[...affected].filter((quarter) => !compared.includes(quarter))}::date[])`
  if (compared.length === 0) return
  const isCompared = (quarter: Fragment) => tx`${quarter} = any(${compared}::date[])`
  const columns = (rows: readonly Report[]) => tx`
    unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ quarter }) => quarter)}::date[])`
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
}

/**
 * Returns those of the quarters that have reports, and whose preceding quarter has reports too. In the quarter after
 * the newest reports and in the first loaded quarter, purchases and sales cannot be computed.
 */
async function comparedOf(tx: Transaction, quarters: readonly string[]): Promise<string[]> {
  const reported = (of: Fragment) => tx`exists (select from pub.thirteenf_counted c where c.quarter = ${of})`
  const rows = await tx<{ quarter: string }[]>`
    select q.quarter from unnest(${quarters as string[]}::date[]) q (quarter)
    where ${reported(tx`q.quarter`)} and ${reported(before(tx, tx`q.quarter`))} order by q.quarter`
  return rows.map(({ quarter }) => quarter)
}

/**
 * Compares only shares, without principal and options. The values are computed later. The statement names both
 * quarters, see quarters.ts.
 */
const insert = (tx: Transaction, quarter: string) => tx`
  insert into flow (sec_id, quarter, buyer_count, seller_count, opened_count, closed_count, bought, sold, bought_value,
    sold_value, net_value)
  select sec_id, ${quarter}, buyer_count, seller_count, opened_count, closed_count, bought, sold, 0, 0, 0
  from (
    select sec_id, count(*) filter (where shares > shares_before)::int as buyer_count,
      count(*) filter (where shares < shares_before)::int as seller_count,
      count(*) filter (where shares > 0 and shares_before = 0)::int as opened_count,
      count(*) filter (where shares = 0 and shares_before > 0)::int as closed_count,
      coalesce(sum(shares - shares_before) filter (where shares > shares_before), 0)::bigint as bought,
      coalesce(sum(shares_before - shares) filter (where shares < shares_before), 0)::bigint as sold
    from (
      select t.sec_id, h.cik, coalesce(sum(h.amount) filter (where h.quarter = ${quarter}), 0) as shares,
        coalesce(sum(h.amount) filter (where h.quarter < ${quarter}), 0) as shares_before
      from spelled t join pub.thirteenf_holding h on h.cusip = t.filed
      where h.put_call is null and h.kind is distinct from 'PRN' and h.amount is not null
        and h.quarter in (${quarter}, ${before(tx, tx`${quarter}::date`)})
        and h.cik in (
          select cik from pub.thirteenf_counted
          where part = 'whole' and quarter in (${quarter}, ${before(tx, tx`${quarter}::date`)})
          group by cik having count(distinct quarter) = 2)
      group by t.sec_id, h.cik
    ) held
    group by sec_id
  ) f
  where buyer_count + seller_count > 0`

/** Computes the values of purchases and sales whose amounts or prices may have changed. */
async function value(tx: Transaction): Promise<void> {
  const valued = tx`(
    select sec_id, quarter from touched_flow
    union select sec_id, quarter from changed_flow
    union
    select s.sec_id, q.quarter
    from (
      select sec_id, quarter from changed_sum
      union select sec_id, quarter from touched_security where source = 'f13' and quarter is not null
    ) s cross join lateral (values (s.quarter), (${after(tx, tx`s.quarter`)})) q (quarter))`
  await tx`
    update flow f set bought_value = v.bought, sold_value = v.sold, net_value = v.bought - v.sold
    from (
      select f.sec_id, f.quarter, round(f.bought * p.price) as bought, round(f.sold * p.price) as sold
      from ${valued} a
      join flow f using (sec_id, quarter)
      ${impliedPrice(tx, tx`f.quarter`)}
    ) v
    where f.sec_id = v.sec_id and f.quarter = v.quarter and (f.bought_value, f.sold_value) is distinct from (v.bought, v.sold)`
}
