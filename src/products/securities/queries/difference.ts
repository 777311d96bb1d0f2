/**
 * Adds changed reports of managers to the sums, and subtracts the former lines of these reports. So a refresh reads the
 * lines of the changed reports, and not the lines of all other managers that hold the same securities.
 *
 * `summed` records which filings of a manager and quarter are in the sums. The former lines are known in three cases:
 * nothing was in the sums, the same filings are still used, or one whole report is still stored although another filing
 * replaced it. Otherwise the former lines are unknown, and the sums of their securities are computed from all lines
 * again. The same happens if a difference leaves a sum in doubt.
 */
import type { Fragment, Transaction } from '../../../store/db.ts'
import type { ChangedReports, Report, Unknown } from '../sources.ts'

/** If at most this number of a quarter's reports changed, the sums are changed by the difference. */
const FEW = 50
/**
 * If more than `FEW` reports of a quarter changed, and `TIMES` times their number is above the number of all reports of
 * the quarter and of the quarter before, the sums of the changed reports are computed from all lines.
 */
const TIMES = 4

export const before = (tx: Transaction, quarter: Fragment) =>
  tx`(date_trunc('quarter', ${quarter}) - interval '1 day')::date`
export const after = (tx: Transaction, quarter: Fragment) =>
  tx`(date_trunc('quarter', ${quarter}) + interval '6 months - 1 day')::date`

const columns = (tx: Transaction, rows: readonly Report[]) => tx`
  unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ quarter }) => quarter)}::date[])`

/** A filing as `summed` records it. If its part or its scale changes, the text changes. */
const FILING = `c.accession || ' ' || c.part || ' ' || c.scale || '/' || c.stored`

/**
 * Relation (cik, quarter, filings, is_newest): the filings that are used now, by manager and quarter. @param only
 * condition on the filings `c`
 */
const used = (tx: Transaction, only: Fragment) => tx`(
  select c.cik, c.quarter, array_agg(${tx.unsafe(FILING)} order by c.seq) as filings, bool_or(c.is_newest) as is_newest
  from pub.thirteenf_composed c where c.until is null and ${only}
  group by c.cik, c.quarter)`

/** Records the filings of all managers. Must be called before the sums of all securities are computed. */
export async function recordAll(tx: Transaction): Promise<void> {
  await tx`delete from summed`
  await tx`insert into summed (cik, quarter, filings) select cik, quarter, filings from ${used(tx, tx`true`)} u`
}

/**
 * Changes the sums in `held` and `tally` by these reports. Adds to `touched_security` the securities whose sums
 * changed. A security whose sums must be computed from all lines is added with the quarter. The rows of `holder` must
 * be up to date.
 *
 * makes `changed_report`, `changed_line` and `changed_sum`, which `changeFlows` reads
 */
export async function changeSums(tx: Transaction, changed: ChangedReports): Promise<Unknown> {
  await findReports(tx, changed)
  await findLines(tx)
  await tx`
    create temporary table if not exists changed_sum (sec_id text collate "C", quarter date, is_sound boolean,
      holders integer, value numeric, shares bigint, newest_holders integer, newest_value numeric, option_value numeric,
      filed_as text[] collate "C", lines integer, share_lines integer, option_lines integer, share_value numeric,
      lead integer, primary key (sec_id, quarter)) on commit drop`
  await tx`truncate changed_sum`
  await tx`insert into changed_sum ${newSums(tx)}`
  await tx`analyze changed_sum`
  await tx`
    update held h
    set (holders, value, shares, newest_holders, newest_value, option_value, filed_as)
      = (c.holders, c.value, c.shares, c.newest_holders, c.newest_value, c.option_value, c.filed_as)
    from changed_sum c
    where c.is_sound and h.source = 'f13' and h.sec_id = c.sec_id and h.quarter = c.quarter`
  await tx`
    update tally t
    set (lines, share_lines, option_lines, share_value, lead)
      = (c.lines, c.share_lines, c.option_lines, c.share_value, c.lead)
    from changed_sum c where c.is_sound and t.sec_id = c.sec_id and t.quarter = c.quarter`
  await tx`
    insert into touched_security (source, sec_id, quarter)
    select distinct 'f13', sec_id, case when not is_sound then quarter end from changed_sum`
  await tx`delete from summed s using changed_report r where s.cik = r.cik and s.quarter = r.quarter`
  await tx`
    insert into summed (cik, quarter, filings) select cik, quarter, filings from changed_report where filings is not null`
  const unknown = await tx<(Report & { is_changed: boolean })[]>`
    select cik as id, quarter, how = 'unknown' as is_changed from changed_report where is_recomputed`
  const lost = await tx<{ quarter: string }[]>`select distinct quarter from changed_report where is_lost`
  return {
    sums: unknown,
    flows: unknown.filter((report) => report.is_changed),
    quarters: lost.map(({ quarter }) => quarter),
  }
}

/** Records that it is unknown which filings of these reports are in the sums. */
export const forget = (tx: Transaction, reports: readonly Report[]) => tx`
  insert into summed (cik, quarter, filings)
  select distinct cik, quarter, '{}'::text[] from ${columns(tx, reports)} r (cik, quarter)
  on conflict (cik, quarter) do update set filings = excluded.filings`

/**
 * Fills `changed_report` with the reports, and with the reports of the quarters before and after, which purchases and
 * sales need too. `how` says which lines of the report the sums include: `first` (none), `same` (the present lines),
 * `replaced` (the lines of the filing `accession`) or `unknown`. `is_lost`: the sums include a filing whose lines are
 * in no view. A quarter without sums gets them from all lines: a difference would leave each security in doubt. In a
 * first load of 30,000 lines, the differences took 340 ms of processor time, and all lines were read afterwards.
 */
async function findReports(tx: Transaction, { reports, replaced, moved }: ChangedReports): Promise<void> {
  await tx`
    create temporary table if not exists changed_report (cik text collate "C", quarter date, how text,
      accession text collate "C", filings text[] collate "C", is_whole boolean, was_whole boolean, is_newest boolean,
      was_newest boolean, is_recomputed boolean, is_lost boolean, primary key (cik, quarter)) on commit drop`
  await tx`truncate changed_report`
  await tx`
    insert into changed_report
    with asked as materialized (
      select cik, quarter, bool_or(is_replaced) as is_replaced, bool_or(is_moved) as is_moved
      from (
        select r.cik, q.quarter, false as is_replaced, false as is_moved from ${columns(tx, reports)} r (cik, quarter)
        cross join lateral (values (${before(tx, tx`r.quarter`)}), (r.quarter), (${after(tx, tx`r.quarter`)})) q (quarter)
        union all select cik, quarter, true, false from ${columns(tx, replaced)} r (cik, quarter)
        union all select cik, quarter, false, true from ${columns(tx, moved)} r (cik, quarter)
      ) a
      group by cik, quarter
    ), now as materialized (
      select * from ${used(tx, tx`(c.cik, c.quarter) in (select cik, quarter from asked)`)} u
    )
    select a.cik, a.quarter, k.how, case when k.how = 'replaced' then split_part(s.filings[1], ' ', 1) end, n.filings,
      coalesce(array_to_string(n.filings, ',') like '% whole %', false),
      coalesce(array_to_string(s.filings, ',') like '% whole %', false),
      f.is_newest, f.is_newest <> a.is_moved, k.how = 'unknown', k.is_lost
    from asked a
    left join now n using (cik, quarter)
    left join summed s using (cik, quarter)
    cross join lateral (
      select exists (
        select from holder h where h.source = 'f13' and h.holder = a.cik and h.quarter = a.quarter) as is_newest
    ) f
    cross join lateral (
      select case
        when a.is_replaced or s.filings = '{}' then 'unknown'
        when s.filings is not distinct from n.filings then 'same'
        when s.filings is null then 'first'
        when cardinality(s.filings) = 1 and s.filings[1] like '% whole %' and exists (
          select from pub.thirteenf_composed c
          where c.cik = a.cik and c.quarter = a.quarter and ${tx.unsafe(FILING)} = s.filings[1]) then 'replaced'
        else 'unknown' end as how,
        exists (
          select from unnest(s.filings) filing where split_part(filing, ' ', 1) not in (
            select c.accession from pub.thirteenf_composed c where c.cik = a.cik and c.quarter = a.quarter)) as is_lost
    ) k
    where n.filings is not null or s.filings is not null or a.is_replaced`
  await tx`analyze changed_report`
  await tx`
    update changed_report r
    set how = case when how = 'same' then how else 'unknown' end, is_recomputed = true
    from (
      select quarter, ${before(tx, tx`quarter`)} as quarter_before, count(*) as reports from changed_report
      where how <> 'same' or is_newest <> was_newest group by quarter having count(*) > ${FEW}
    ) q
    where r.quarter = q.quarter and (how <> 'same' or is_newest <> was_newest)
      and ${TIMES} * q.reports > (select count(*) from summed s where s.quarter in (q.quarter, q.quarter_before))`
  await tx`
    update changed_report r set is_recomputed = true
    where how = 'first' and not exists (select from summed s where s.quarter = r.quarter)`
}

/**
 * Fills `changed_line` with the lines of the changed reports, and with those of the quarters before and after.
 * `is_used` states whether the line belongs in the new sums, and `was_used` whether it is in the stored ones. A report
 * whose sums come from all lines is included only if it must be compared with another quarter of its manager. A
 * statement names its quarter, see quarters.ts.
 */
async function findLines(tx: Transaction): Promise<void> {
  await tx`
    create temporary table if not exists changed_line (cik text collate "C", quarter date, sec_id text collate "C",
      security bigint, filed text collate "C", is_option boolean, is_share boolean, amount bigint, value numeric,
      is_used boolean, was_used boolean) on commit drop`
  await tx`truncate changed_line`
  await tx`create temporary table if not exists asked_report (like changed_report) on commit drop`
  const quarters = await tx<{ quarter: string }[]>`select distinct quarter from changed_report order by quarter`
  const line = tx`
    r.cik, r.quarter, l.sec_id, l.security, l.cusip, l.put_call is not null,
    l.put_call is null and l.kind is distinct from 'PRN' and l.amount is not null, l.amount, l.value`
  for (const { quarter } of quarters) {
    await tx`truncate asked_report`
    await tx`
      insert into asked_report
      select r.* from changed_report r
      where r.quarter = ${quarter} and how <> 'unknown' and (is_newest <> was_newest or exists (
        select from changed_report c where c.cik = r.cik and c.how in ('first', 'replaced')
          and c.quarter between ${before(tx, tx`r.quarter`)} and ${after(tx, tx`r.quarter`)}))
        and (not is_recomputed or exists (select from changed_report o where o.cik = r.cik and o.quarter <> r.quarter))`
    await tx`analyze asked_report`
    await tx`
      insert into changed_line
      select ${line}, true, r.how = 'same'
      from asked_report r join pub.thirteenf_holding l on l.cik = r.cik
      where l.quarter = ${quarter} and l.sec_id is not null
      union all
      select ${line}, false, true
      from asked_report r join pub.thirteenf_line l on l.accession = r.accession and l.cik = r.cik
      where r.how = 'replaced' and l.quarter = ${quarter} and l.sec_id is not null`
  }
  await tx`analyze changed_line`
}

/**
 * Selects the new sums of each security. A sum is in doubt (`is_sound` is false) in five cases: the security had no
 * sum; a count would be negative; no line remains; most lines may now have another name; a spelling of the CUSIP may be
 * gone.
 */
const newSums = (tx: Transaction): Fragment => tx`
  with line as materialized (
    select l.*, r.is_newest, r.was_newest, l.is_used::int - l.was_used::int as d,
      (l.is_used and r.is_newest)::int - (l.was_used and r.was_newest)::int as newest_d
    from changed_line l join changed_report r using (cik, quarter)
    where not r.is_recomputed and (l.is_used <> l.was_used or r.is_newest <> r.was_newest)
  ), amount as (
    select sec_id, quarter, sum(d) as lines, coalesce(sum(value * d) filter (where not is_option), 0) as value,
      coalesce(sum(value * newest_d) filter (where not is_option), 0) as newest_value,
      coalesce(sum(amount * d) filter (where is_share), 0) as shares, coalesce(sum(d) filter (where is_share), 0) as share_lines,
      coalesce(sum(value * d) filter (where is_share), 0) as share_value,
      coalesce(sum(value * d) filter (where is_option), 0) as option_value,
      coalesce(sum(d) filter (where is_option and value is not null), 0) as option_lines
    from line group by sec_id, quarter
  ), holders as (
    select sec_id, quarter, sum(is_used::int - was_used::int) as holders,
      sum((is_used and is_newest)::int - (was_used and was_newest)::int) as newest_holders
    from (
      select sec_id, quarter, is_newest, was_newest, bool_or(is_used) as is_used, bool_or(was_used) as was_used
      from line where not is_option group by sec_id, quarter, cik, is_newest, was_newest
    ) h
    group by sec_id, quarter
  ), name as (
    select n.sec_id, n.quarter, coalesce(sum(d) filter (where n.security = t.security), 0) as own,
      greatest(max(d) filter (where n.security <> t.security), 0) as other
    from (select sec_id, quarter, security, sum(d) as d from line group by sec_id, quarter, security) n
    join tally t using (sec_id, quarter)
    group by n.sec_id, n.quarter
  ), spelling as (
    select sec_id, quarter, min(d) as fewest, array_agg(filed) filter (where d > 0) as added
    from (select sec_id, quarter, filed, sum(d) as d from line group by sec_id, quarter, filed) s
    group by sec_id, quarter
  ), made as (
    select a.sec_id, a.quarter, h.sec_id is not null and t.sec_id is not null as is_known,
      h.holders + coalesce(o.holders, 0) as holders, h.value + a.value as value,
      coalesce(h.shares, 0) + a.shares as shares, h.newest_holders + coalesce(o.newest_holders, 0) as newest_holders,
      h.newest_value + a.newest_value as newest_value, coalesce(h.option_value, 0) + a.option_value as option_value,
      cardinality(h.filed_as) > 1 and s.fewest < 0 as may_lack_spelling,
      array(select distinct f collate "C" from unnest(h.filed_as || s.added) f order by 1) as filed_as,
      t.lines + a.lines as lines, t.share_lines + a.share_lines as share_lines,
      t.option_lines + a.option_lines as option_lines, t.share_value + a.share_value as share_value,
      -- A lower bound: the other name that gains the most lines may have been the second before.
      t.lead + n.own - n.other as lead, n.own = 0 and n.other = 0 as has_same_name
    from amount a
    left join held h on h.source = 'f13' and h.sec_id = a.sec_id and h.quarter = a.quarter
    left join tally t on t.sec_id = a.sec_id and t.quarter = a.quarter
    left join holders o on o.sec_id = a.sec_id and o.quarter = a.quarter
    left join name n on n.sec_id = a.sec_id and n.quarter = a.quarter
    left join spelling s on s.sec_id = a.sec_id and s.quarter = a.quarter
  )
  select sec_id, quarter, coalesce(is_known and not may_lack_spelling and lines > 0 and (lead > 0 or has_same_name)
      and least(holders, newest_holders, share_lines, option_lines) >= 0, false),
    holders, value, case when share_lines > 0 then shares end, newest_holders, newest_value,
    case when option_lines > 0 then option_value end, filed_as, lines, share_lines, option_lines, share_value, lead
  from made`

/** Selects what each position in `amounts` adds to the counts and sums of `flow`; with `sign` -1, what it subtracts. */
const counts = (tx: Transaction, holds: Fragment, shares: Fragment, former: Fragment, sign: Fragment) => tx`
  select sec_id, quarter, ${sign} * (${shares} > ${former})::int as buyer_count,
    ${sign} * (${shares} < ${former})::int as seller_count,
    ${sign} * (${shares} > 0 and ${former} = 0)::int as opened_count,
    ${sign} * (${shares} = 0 and ${former} > 0)::int as closed_count,
    ${sign} * greatest(${shares} - ${former}, 0) as bought, ${sign} * greatest(${former} - ${shares}, 0) as sold
  from amounts where ${holds}`

/** Selects the new rows of `flow` that these reports change. */
const newFlows = (tx: Transaction): Fragment => tx`
  with pair as (
    select distinct c.cik, q.quarter, ${before(tx, tx`q.quarter`)} as quarter_before
    from changed_report c cross join lateral (values (c.quarter), (${after(tx, tx`c.quarter`)})) q (quarter)
    where c.how in ('first', 'replaced')
  ), compared as (
    select p.*, coalesce(n.is_whole and b.is_whole, false) as is_compared,
      coalesce(n.was_whole and b.was_whole, false) as was_compared
    from pair p
    left join changed_report n on n.cik = p.cik and n.quarter = p.quarter
    left join changed_report b on b.cik = p.cik and b.quarter = p.quarter_before
    where n.how is distinct from 'unknown' and b.how is distinct from 'unknown'
  ), amounts as materialized (
    select p.cik, p.quarter, l.sec_id, p.is_compared, p.was_compared,
      coalesce(sum(l.amount) filter (where l.is_used and l.quarter = p.quarter), 0) as shares,
      coalesce(sum(l.amount) filter (where l.is_used and l.quarter < p.quarter), 0) as former,
      coalesce(sum(l.amount) filter (where l.was_used and l.quarter = p.quarter), 0) as old_shares,
      coalesce(sum(l.amount) filter (where l.was_used and l.quarter < p.quarter), 0) as old_former
    from compared p join changed_line l on l.cik = p.cik and l.quarter in (p.quarter, p.quarter_before)
    where l.is_share and (p.is_compared or p.was_compared)
    group by p.cik, p.quarter, l.sec_id, p.is_compared, p.was_compared
  )
  select sec_id, m.quarter, coalesce(f.buyer_count, 0) + m.buyer_count, coalesce(f.seller_count, 0) + m.seller_count,
    coalesce(f.opened_count, 0) + m.opened_count, coalesce(f.closed_count, 0) + m.closed_count,
    coalesce(f.bought, 0) + m.bought, coalesce(f.sold, 0) + m.sold
  from (
    select sec_id, quarter, sum(buyer_count) as buyer_count, sum(seller_count) as seller_count,
      sum(opened_count) as opened_count, sum(closed_count) as closed_count, sum(bought) as bought, sum(sold) as sold
    from (
      ${counts(tx, tx`is_compared`, tx`shares`, tx`former`, tx`1`)}
      union all
      ${counts(tx, tx`was_compared`, tx`old_shares`, tx`old_former`, tx`-1`)}
    ) c
    group by sec_id, quarter
  ) m
  left join flow f using (sec_id, quarter)
  where (m.buyer_count, m.seller_count, m.opened_count, m.closed_count, m.bought, m.sold) <> (0, 0, 0, 0, 0, 0)`

/**
 * Changes `flow` by the reports in `changed_report`. Adds rows in doubt to `touched_flow`: rows in which a count or a
 * sum would be negative, or a count would contradict its sum.
 */
export async function changeFlows(tx: Transaction): Promise<void> {
  await tx`
    create temporary table if not exists changed_flow (sec_id text collate "C", quarter date, buyer_count integer,
      seller_count integer, opened_count integer, closed_count integer, bought bigint, sold bigint, is_sound boolean,
      primary key (sec_id, quarter)) on commit drop`
  await tx`truncate changed_flow`
  await tx`insert into changed_flow ${newFlows(tx)}`
  await tx`
    update changed_flow set is_sound = least(buyer_count, seller_count, opened_count, closed_count, bought, sold) >= 0
      and (buyer_count > 0) = (bought > 0) and (seller_count > 0) = (sold > 0)`
  await tx`
    insert into flow (sec_id, quarter, buyer_count, seller_count, opened_count, closed_count, bought, sold, bought_value,
      sold_value, net_value)
    select sec_id, quarter, buyer_count, seller_count, opened_count, closed_count, bought, sold, 0, 0, 0
    from changed_flow where is_sound
    on conflict (sec_id, quarter) do update
    set (buyer_count, seller_count, opened_count, closed_count, bought, sold) = (excluded.buyer_count,
      excluded.seller_count, excluded.opened_count, excluded.closed_count, excluded.bought, excluded.sold)`
  await tx`
    delete from flow f using changed_flow c
    where c.sec_id = f.sec_id and c.quarter = f.quarter and f.buyer_count + f.seller_count = 0`
  await tx`insert into touched_flow select sec_id, quarter from changed_flow where not is_sound`
}

/**
 * Marks reports whose used filings have changed since the refresh read them, so that the next refresh computes their
 * securities from all lines. Another process may make the rollups of Form 13F while this refresh runs. Sums that this
 * refresh computes from all lines then include reports that it does not know. The next refresh would add these reports
 * a second time. This function must be called after all sums are computed: reports that arrive after the call are then
 * in none of the sums.
 *
 * @param quarters null means all
 */
export async function forgetChanged(tx: Transaction, quarters: readonly string[] | null): Promise<void> {
  const isAsked = (quarter: Fragment) => (quarters ? tx`${quarter} = any(${quarters as string[]}::date[])` : tx`true`)
  await tx`
    insert into summed as s (cik, quarter, filings)
    select b.cik, b.quarter, '{}'
    from (
      select cik, quarter, o.filings, u.filings as used, u.is_newest
      from (select * from summed o where ${isAsked(tx`o.quarter`)}) o
      full join ${used(tx, isAsked(tx`c.quarter`))} u using (cik, quarter)
    ) b
    left join holder h on h.source = 'f13' and h.holder = b.cik
    where b.filings is distinct from b.used or b.is_newest is distinct from (h.quarter is not distinct from b.quarter)
    on conflict (cik, quarter) do update set filings = '{}' where s.filings <> '{}'`
}
