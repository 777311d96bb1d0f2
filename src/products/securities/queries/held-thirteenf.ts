/** Reads managers' holdings from their reports on Form 13F. */
import { NO_QUARTER, storedQuarter } from '../../../declare/quarter.ts'
import type { When } from '../../../declare/refresh.ts'
import type { Transaction } from '../../../store/db.ts'
import { quartersToMake, requestTouched } from '../quarters.ts'
import type { Report } from '../sources.ts'
import { amountsOfLines } from './compared.ts'
import { changeSums, forget, recordAll } from './difference.ts'
import { sumManagers } from './managers-all.ts'

export { changeSums as change, forget }

/**
 * Handles keys of thirteenf: `0001067983 2024-12-31` is a manager and a period; `2024-12-31` is a quarter in which the
 * scales of filings may have changed.
 */
export async function follow(tx: Transaction, keys: readonly string[], when: When): Promise<string[]> {
  const reports = keys.flatMap((key): Report[] => {
    const [cik, period] = key.split(' ')
    const quarter = storedQuarter(period || null)
    return period === undefined || quarter === NO_QUARTER ? [] : [{ id: cik!, quarter }]
  })
  const quarters = keys.filter((key) => !key.includes(' '))
  const rescaled = await tx<Report[]>`
    select distinct cik as id, quarter from pub.thirteenf_composed
    where quarter = any(${quarters}::date[]) and scale <> stored`
  const going =
    when === 'before_load'
      ? await tx<Report[]>`select sec_id as id, quarter from ${securitiesOf(tx, reports)} l where sec_id is not null`
      : []
  const kind = when === 'before_load' ? 'replaced' : 'of'
  return [
    ...reports.map(({ id, quarter }) => `f13 ${kind} ${id} ${quarter}`),
    ...rescaled.map(({ id, quarter }) => `f13 of ${id} ${quarter}`),
    ...going.map(({ id, quarter }) => `f13 security ${id} ${quarter}`),
  ]
}

export const newest = (tx: Transaction, ids: readonly string[] | null) => tx`(
  select distinct cik as holder, quarter from pub.thirteenf_counted
  where is_newest and ${ids ? tx`cik = any(${ids as string[]})` : tx`true`})`

/** Includes the securities of replaced filings, since the sums of these securities may be outdated. */
export const securitiesOf = (tx: Transaction, reports: readonly Report[]) => tx`(
  select distinct l.sec_id, l.quarter
  from unnest(${reports.map(({ id }) => id)}::text[], ${reports.map(({ quarter }) => quarter)}::date[]) r (cik, quarter)
  join pub.thirteenf_line l on l.cik = r.cik and l.quarter = r.quarter)`

/**
 * Implements `linesOf` of `Held`: sums for each manager in `asked_holder` and each security. Leaves out a security of
 * which the manager has only options.
 */
export const linesOf = (tx: Transaction, quarter: string) => tx`(
  select h.cik as holder_id, h.sec_id, ${amountsOfLines(tx)}, null::numeric as percent
  from asked_holder o join pub.thirteenf_holding h on h.cik = o.holder_id
  where h.quarter = ${quarter} and h.sec_id is not null
  group by h.cik, h.sec_id having bool_or(h.put_call is null))`

/** Implements `reportersOf` of `Held`: the managers in `asked_holder` whose report of the quarter is whole. */
export const reportersOf = (tx: Transaction, quarter: string) => tx`(
  select distinct c.cik as holder_id
  from asked_holder o join pub.thirteenf_counted c on c.cik = o.holder_id
  where c.quarter = ${quarter} and c.part = 'whole')`

/**
 * Fills the temporary table `spelled` with every filed spelling of the CUSIPs in `asked`. The index has the spellings as
 * filed, so lines are looked up by these spellings. A CUSIP is normalized once, and not again for each of its lines.
 */
export async function spell(tx: Transaction): Promise<void> {
  await tx`
    create temporary table if not exists spelled (filed text collate "C" primary key, sec_id text collate "C") on commit drop`
  await tx`truncate spelled`
  await tx`
    insert into spelled
    select distinct s.filed, s.sec_id
    from asked o join pub.thirteenf_security s on s.cusip = o.sec_id
    where s.sec_id is not null`
  await tx`analyze spelled`
}

/**
 * Sums up the lines of the filings that are used, and sums options separately. Chooses the name that most lines have;
 * if there is a tie, the name with the smaller key, so that the result is stable. A union combines sums and keys. A
 * join is not used, since the planner would not know the number of groups.
 */
export async function sums(tx: Transaction, of: 'touched' | null): Promise<void> {
  if (of === null) {
    await recordAll(tx)
    return sumManagers(tx)
  }
  for (const quarter of await quartersToMake(tx, 'f13', of)) {
    await requestTouched(tx, 'f13', quarter)
    await spell(tx)
    await tx`delete from tally where quarter = ${quarter} and sec_id in (select sec_id from asked)`
    await tx`
      with counted as materialized (
        select t.sec_id, h.security, t.filed, grouping(h.security) = 0 as is_part, count(*) as lines,
          count(distinct h.cik) filter (where h.put_call is null)::int as holders,
          coalesce(sum(h.value) filter (where h.put_call is null), 0) as value,
          sum(h.amount) filter (where h.put_call is null and h.kind is distinct from 'PRN')::bigint as shares,
          count(distinct h.cik) filter (where h.put_call is null and h.is_newest)::int as newest_holders,
          coalesce(sum(h.value) filter (where h.put_call is null and h.is_newest), 0) as newest_value,
          sum(h.value) filter (where h.put_call is not null) as option_value,
          count(*) filter (where h.put_call is null and h.kind is distinct from 'PRN' and h.amount is not null) as share_lines,
          count(*) filter (where h.put_call is not null and h.value is not null) as option_lines,
          coalesce(sum(h.value) filter (where h.put_call is null and h.kind is distinct from 'PRN' and h.amount is not null), 0)
            as share_value
        from spelled t join pub.thirteenf_holding h on h.cusip = t.filed
        where h.quarter = ${quarter}
        group by t.sec_id, rollup ((h.security, t.filed))
      ), made as materialized (
        ${made(tx)}
      ), tallied as (
        insert into tally (sec_id, quarter, lines, share_lines, option_lines, share_value, security, lead)
        select sec_id, ${quarter}, all_lines, share_lines, option_lines, share_value, security, lead from made
      )
      insert into held (sec_id, source, quarter, holders, value, shares, newest_holders, newest_value, option_value,
        issuer_name, title_of_class, asset_cat, is_private, isin, lei, ticker, filed_as)
      select f.sec_id, 'f13', ${quarter}, f.holders, f.value, f.shares, f.newest_holders, f.newest_value, f.option_value,
        s.issuer_name, s.title_of_class, null, false, null, null, null, f.filed_as
      from made f
      join pub.thirteenf_security s using (security)`
  }
}

/** Combines the groups of lines `counted` of each security. */
const made = (tx: Transaction) => tx`
  select sec_id, max(holders) as holders, max(value) as value, max(shares) as shares, max(newest_holders) as newest_holders,
    max(newest_value) as newest_value, max(option_value) as option_value, max(all_lines) as all_lines,
    max(share_lines) as share_lines, max(option_lines) as option_lines, max(share_value) as share_value,
    (array_agg(security order by lines desc, security))[1] as security,
    max(lines) - (array_agg(lines order by lines desc))[2] as lead,
    array_agg(distinct filed) filter (where filed is not null) as filed_as
  from (
    select sec_id, holders, value, shares, newest_holders, newest_value, option_value, lines as all_lines, share_lines,
      option_lines, share_value, 0 as lines, null::bigint as security, null as filed
    from counted where not is_part
    union all
    select sec_id, null, null, null, null, null, null, null, null, null, null, sum(lines), security, null
    from counted where is_part
    group by sec_id, security
    union all
    select sec_id, null, null, null, null, null, null, null, null, null, null, 0, null, filed from counted where is_part
  ) all_of
  group by sec_id`
