/** What managers hold, by their reports on Form 13F. */
import { NO_QUARTER, storedQuarter } from '../../declare/quarter.ts'
import type { When } from '../../declare/refresh.ts'
import type { Fragment, Transaction } from '../../store/db.ts'
import { quartersToMake } from './quarters.ts'
import type { Report } from './queries-held.ts'

/** Keys of thirteenf: `0001067983 2024-12-31` a manager and a period, `2024-12-31` a quarter whose scales may have changed. */
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
  const going = when === 'before_load' ? await tx<Report[]>`select sec_id as id, quarter from ${securitiesOf(tx, reports)} l where sec_id is not null` : [] // biome-ignore format: one line
  return [
    ...[...reports, ...rescaled].map(({ id, quarter }) => `f13 of ${id} ${quarter}`),
    ...going.map(({ id, quarter }) => `f13 security ${id} ${quarter}`),
  ]
}

export const newest = (tx: Transaction, ids: readonly string[] | null) => tx`(
  select distinct cik as holder, quarter from pub.thirteenf_counted
  where is_newest and ${ids ? tx`cik = any(${ids as string[]})` : tx`true`})`

/** Those of filings that were replaced too: their sums may be of before. */
export const securitiesOf = (tx: Transaction, reports: readonly Report[]) => tx`(
  select distinct l.sec_id, l.quarter
  from unnest(${reports.map(({ id }) => id)}::text[], ${reports.map(({ quarter }) => quarter)}::date[]) r (cik, quarter)
  join pub.thirteenf_line l on l.cik = r.cik and l.quarter = r.quarter)`

/**
 * Chooses the securities whose lines `chosenLines` are. The index of positions has CUSIPs as filed; the dictionary knows in what
 * cases of letters each was. They are a table with a key: a planner that knows nothing yet of a quarter that was just loaded
 * went through 2,000 CUSIPs for each of its lines, 22 s.
 *
 * @param securities statement with a column sec_id
 */
export async function choose(tx: Transaction, securities: Fragment): Promise<void> {
  await tx`create temporary table if not exists chosen (filed text collate "C" primary key) on commit drop`
  await tx`truncate chosen`
  await tx`
    insert into chosen
    select distinct s.filed from (${securities}) t join pub.thirteenf_security s on s.cusip = t.sec_id`
  await tx`analyze chosen`
}

/** Lines `h` of the chosen securities. */
export const chosenLines = (tx: Transaction) => tx`chosen join pub.thirteenf_holding h on h.cusip = chosen.filed`

/**
 * Sums of lines that count, options apart. The name is that of most lines; of equally many the one with the smaller key, so that
 * it does not change by itself.
 */
export async function sums(tx: Transaction, of: 'touched' | null): Promise<void> {
  for (const quarter of await quartersToMake(tx, 'f13', of)) {
    if (of) await choose(tx, tx`select sec_id from touched_security where source = 'f13' and quarter = ${quarter}`)
    await tx`
      insert into held (sec_id, source, quarter, holders, value, shares, newest_holders, newest_value, option_value,
        issuer_name, title_of_class, asset_cat, is_private, isin, lei, ticker, filed_as)
      select f.sec_id, 'f13', ${quarter}, f.holders, f.value, f.shares, f.newest_holders, f.newest_value, f.option_value,
        s.issuer_name, s.title_of_class, null, false, null, null, null, f.filed_as
      from (
        select h.sec_id, count(distinct h.cik) filter (where h.put_call is null)::int as holders,
          coalesce(sum(h.value) filter (where h.put_call is null), 0) as value,
          sum(h.amount) filter (where h.put_call is null and h.kind is distinct from 'PRN')::bigint as shares,
          count(distinct h.cik) filter (where h.put_call is null and h.is_newest)::int as newest_holders,
          coalesce(sum(h.value) filter (where h.put_call is null and h.is_newest), 0) as newest_value,
          sum(h.value) filter (where h.put_call is not null) as option_value,
          mode() within group (order by h.security) as security,
          array_agg(distinct h.cusip) as filed_as
        from ${of ? chosenLines(tx) : tx`pub.thirteenf_holding h`}
        where h.sec_id is not null and h.quarter = ${quarter}
        group by h.sec_id
      ) f
      join pub.thirteenf_security s using (security)`
  }
}
