/**
 * Computes the sums, and the purchases and sales, of all managers in one pass. The lines of each quarter are read once,
 * and grouped once by manager. Purchases and sales come from comparing these groups with those of the quarter before. A
 * refresh after reports computes the same rows from the lines of its securities (held-thirteenf.ts, flow.ts) or by
 * differences (difference.ts).
 */
import { quarterBefore } from '../../../declare/quarter.ts'
import type { Transaction } from '../../../store/db.ts'
import { quartersOf } from '../quarters.ts'
import { impliedPrice } from './implied-price.ts'

/** Inserts all rows of `held` for managers, and all rows of `tally` and `flow`. */
export async function sumManagers(tx: Transaction): Promise<void> {
  await tx`delete from tally`
  await tx`delete from flow`
  await makeTables(tx)
  const quarters = await quartersOf(tx, 'f13')
  for (const quarter of quarters) {
    await tx`truncate manager_line, manager_before`
    await tx`alter table manager_position rename to manager_swapped`
    await tx`alter table manager_before rename to manager_position`
    await tx`alter table manager_swapped rename to manager_before`
    await readLines(tx, quarter)
    await sum(tx, quarter)
    if (quarters.includes(quarterBefore(quarter))) await compare(tx, quarter)
  }
  await tx`
    drop table spelled_security, manager_number, manager_line, manager_position, manager_before, manager_compared`
}

/**
 * Makes the temporary tables. In these tables, numbers stand for securities (`sec`) and managers, since numbers are
 * grouped and compared faster than texts, and take less space. `spelled_security` has every filed spelling of CUSIPs,
 * and `manager_line` the lines of a quarter. `manager_position` has the same lines without options, by manager and
 * security. `manager_before` has those of the quarter before.
 */
async function makeTables(tx: Transaction): Promise<void> {
  await tx`
    create temporary table spelled_security (filed text collate "C" primary key, spelling integer, sec integer,
      sec_id text collate "C") on commit drop`
  await tx`
    insert into spelled_security
    select filed, row_number() over (), dense_rank() over (order by sec_id), sec_id
    from (select distinct filed, sec_id from pub.thirteenf_security where sec_id is not null) s`
  await tx`analyze spelled_security`
  await tx`
    create temporary table manager_number (cik text collate "C" primary key, manager integer) on commit drop`
  await tx`
    insert into manager_number
    select cik, row_number() over () from (select distinct cik from pub.thirteenf_counted) c`
  await tx`analyze manager_number`
  await tx`
    create temporary table manager_line (sec integer, manager integer, spelling integer, security bigint, value numeric,
      shares bigint, is_option boolean, is_newest boolean) on commit drop`
  const position = tx`(sec integer, manager integer, shares bigint, is_newest boolean) on commit drop`
  await tx`create temporary table manager_position ${position}`
  await tx`create temporary table manager_before ${position}`
  await tx`create temporary table manager_compared (manager integer primary key) on commit drop`
}

/** Fills `manager_line` and `manager_position`. A line has shares if it states some, and is neither option nor principal. */
async function readLines(tx: Transaction, quarter: string): Promise<void> {
  await tx`
    insert into manager_line
    select s.sec, m.manager, s.spelling, h.security, h.value,
      case when h.put_call is null and h.kind is distinct from 'PRN' then h.amount end, h.put_call is not null, h.is_newest
    from spelled_security s join pub.thirteenf_holding h on h.cusip = s.filed join manager_number m using (cik)
    where h.quarter = ${quarter}`
  await tx`
    insert into manager_position
    select sec, manager, sum(shares)::bigint, bool_or(is_newest) from manager_line where not is_option
    group by sec, manager`
}

/**
 * Sums up the lines of a quarter, and sums options separately. Chooses the name that most lines have; if there is a tie,
 * the name with the smaller key, so that the result is stable. A union combines sums, names and holders. A join is not
 * used, since the planner would not know the number of groups.
 */
async function sum(tx: Transaction, quarter: string): Promise<void> {
  await tx`
    with part as materialized (
      select sec, spelling, security, is_option, is_newest, shares is not null as has_shares, count(*) as lines,
        sum(value) as value, count(value) as value_lines, sum(shares) as shares
      from manager_line group by sec, spelling, security, is_option, is_newest, shares is not null
    ), made as materialized (
      select max(sec_id) as sec_id, max(holders) as holders, max(value) as value, max(shares) as shares,
        max(newest_holders) as newest_holders, max(newest_value) as newest_value, max(option_value) as option_value,
        max(all_lines) as all_lines, max(share_lines) as share_lines, max(option_lines) as option_lines,
        max(share_value) as share_value, (array_agg(security order by lines desc, security))[1] as security,
        max(lines) - (array_agg(lines order by lines desc))[2] as lead,
        array_agg(distinct filed) filter (where filed is not null) as filed_as
      from (
        select sec, null as sec_id, null::bigint as holders, coalesce(sum(value) filter (where not is_option), 0) as value,
          sum(shares)::bigint as shares, null::bigint as newest_holders,
          coalesce(sum(value) filter (where not is_option and is_newest), 0) as newest_value,
          sum(value) filter (where is_option) as option_value, sum(lines) as all_lines,
          coalesce(sum(lines) filter (where has_shares), 0) as share_lines,
          coalesce(sum(value_lines) filter (where is_option), 0) as option_lines,
          coalesce(sum(value) filter (where has_shares), 0) as share_value, 0 as lines, null::bigint as security, null as filed
        from part group by sec
        union all
        select sec, null, null, null, null, null, null, null, null, null, null, null, sum(lines), security, null
        from part group by sec, security
        union all
        select p.sec, s.sec_id, null, null, null, null, null, null, null, null, null, null, 0, null, s.filed
        from part p join spelled_security s using (spelling)
        union all
        select sec, null, count(*), null, null, count(*) filter (where is_newest), null, null, null, null, null, null, 0, null, null
        from manager_position group by sec
      ) all_of
      group by sec
    ), tallied as (
      insert into tally (sec_id, quarter, lines, share_lines, option_lines, share_value, security, lead)
      select sec_id, ${quarter}, all_lines, share_lines, option_lines, share_value, security, lead from made
    )
    insert into held (sec_id, source, quarter, holders, value, shares, newest_holders, newest_value, option_value,
      issuer_name, title_of_class, asset_cat, is_private, isin, lei, ticker, filed_as)
    select f.sec_id, 'f13', ${quarter}, coalesce(f.holders, 0), f.value, f.shares, coalesce(f.newest_holders, 0),
      f.newest_value, f.option_value, s.issuer_name, s.title_of_class, null, false, null, null, null, f.filed_as
    from made f
    join pub.thirteenf_security s using (security)`
}

/**
 * Compares only shares, without principal and options, of managers that have reported both quarters completely. The
 * positions of both quarters are grouped by manager and security. A full join takes twice as long, since the planner
 * sorts both sides for it. Each side has at most one position in a group, so `max` returns this position.
 */
async function compare(tx: Transaction, quarter: string): Promise<void> {
  await tx`truncate manager_compared`
  await tx`
    insert into manager_compared
    select m.manager from pub.thirteenf_counted c join manager_number m using (cik)
    where c.part = 'whole' and c.quarter in (${quarter}, ${quarterBefore(quarter)})
    group by m.manager having count(distinct c.quarter) = 2`
  await tx`analyze manager_compared`
  await tx`
    insert into flow (sec_id, quarter, buyer_count, seller_count, opened_count, closed_count, bought, sold, bought_value,
      sold_value, net_value)
    select f.sec_id, ${quarter}, buyer_count, seller_count, opened_count, closed_count, bought, sold,
      round(bought * p.price), round(sold * p.price), round(bought * p.price) - round(sold * p.price)
    from (
      select sec, count(*) filter (where change > 0)::int as buyer_count, count(*) filter (where change < 0)::int as seller_count,
        count(*) filter (where change > 0 and shares_before = 0)::int as opened_count,
        count(*) filter (where change < 0 and shares = 0)::int as closed_count,
        coalesce(sum(change) filter (where change > 0), 0)::bigint as bought,
        coalesce(sum(-change) filter (where change < 0), 0)::bigint as sold
      from (
        select sec, coalesce(max(shares), 0) as shares, coalesce(max(shares_before), 0) as shares_before,
          coalesce(max(shares), 0) - coalesce(max(shares_before), 0) as change
        from (
          select sec, manager, shares, null::bigint as shares_before from manager_position
          union all select sec, manager, null, shares from manager_before
        ) both_quarters
        join manager_compared using (manager)
        group by sec, manager
      ) held
      where change <> 0
      group by sec
    ) c
    join (select distinct sec, sec_id from spelled_security) f using (sec)
    ${impliedPrice(tx, tx`${quarter}::date`)}`
}
