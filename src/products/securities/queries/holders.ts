/** Queries the holders of a security at the end of a quarter, by source, with the change since the quarter before. */
import { knownCount } from '../../../serve/count.ts'
import { conditionOf, cut, type Key, orderBy, type Paged, startOf } from '../../../serve/keyset.ts'
import { unnamed } from '../../../serve/page.ts'
import type { Fragment, Sql } from '../../../store/db.ts'
import type { HolderPage } from '../answers.ts'
import { DERIVATIVES, IS_HELD, type Source } from '../sources.ts'
import { idOf } from './ids.ts'
import { newestFiling } from './managers.ts'

export const SORTS = ['value', 'bought', 'sold'] as const

interface HoldersParams extends Paged {
  source: Source
  /** Last day of a quarter; undefined selects the newest quarter with a holder. */
  period?: string | undefined
  /** Restricts the answer to what was known on this day. */
  as_of?: string | undefined
  sort: (typeof SORTS)[number]
}

/** The orders. Closed positions have no value and come last; positions that cannot be compared come last too. */
const KEYS: Readonly<Record<HoldersParams['sort'], readonly Key[]>> = {
  value: [
    { column: 'value', dir: 'desc', type: 'amount', nullable: true },
    { column: 'holder_id', dir: 'desc', type: 'text' },
  ],
  bought: [
    { column: 'amount_change', dir: 'desc', type: 'amount', nullable: true },
    { column: 'holder_id', dir: 'desc', type: 'text' },
  ],
  sold: [
    { column: 'amount_change', dir: 'asc', type: 'amount', nullable: true },
    { column: 'holder_id', dir: 'asc', type: 'text' },
  ],
}

/** A day after any filing date. */
const ANY_DAY = '9999-12-31'

/**
 * Returns a page of holders; null for an unknown security. Each page combines all holders of both quarters: the
 * most-held security has about ten thousand. Long: it is one SQL statement, composed of its parts.
 */
export async function holders(
  sql: Sql,
  given: string,
  { source, period, as_of, sort, ...paged }: HoldersParams,
): Promise<HolderPage | null> {
  const id = await idOf(sql, given)
  if (id === null) return null
  const [[names], filedAs] = await Promise.all([
    sql<Pick<HolderPage, 'issuer_name' | 'title_of_class'>[]>`
      select issuer_name, title_of_class from securities.security where sec_id = ${id}`,
    spellings(sql, id, source),
  ])
  const from = FROM[source](sql, { id, filedAs, asOf: as_of ?? ANY_DAY })
  const quarter = period ?? (await newestQuarter(sql, id, source, as_of === undefined ? null : { from, day: as_of }))
  const head = { sec_id: id, ...names!, source, period: quarter, as_of: as_of ?? null }
  const keys = KEYS[sort]
  const filters = { id, source, quarter, as_of }
  const start = startOf({ list: 'security_holders', sort, dir: keys[0]!.dir, keys, filters }, paged)
  if (quarter === null) {
    return { ...head, period_before: null, counts: NO_HOLDERS, rows: [], ...knownCount(start, 0), next_cursor: null }
  }
  const lines = from.lines(
    sql`any(array[${quarter}::date, (date_trunc('quarter', ${quarter}::date) - interval '1 day')::date])`,
  )
  const order = sql.unsafe(orderBy(keys, 'h.'))
  const found = await unnamed(sql<
    (HolderPage['rows'][number] & { period_before: string; counts: HolderPage['counts'] })[]
  >`
    with days as (
      select ${quarter}::date as now, (date_trunc('quarter', ${quarter}::date) - interval '1 day')::date as before
    ), both_quarters as (
      select now.*, b.accession as accession_before, b.value as value_before, b.amount as amount_before,
        b.unit as unit_before, coalesce(now.id, b.id) as holder_id, now.id is not null as is_held
      from (select l.* from ${lines} l, days where l.quarter = days.now) now
      full join (select l.* from ${lines} l, days where l.quarter = days.before) b on b.id = now.id
    ), compared as (
      select h.*, case
          when not h.is_held then 'closed'
          when h.accession_before is null then case when ${from.reported(sql`h.holder_id`, sql`days.before`)} then 'new' end
          when h.unit is distinct from h.unit_before then null
          when h.amount > h.amount_before then 'added' when h.amount < h.amount_before then 'reduced'
          when h.amount = h.amount_before then 'unchanged'
        end as change
      from both_quarters h, days
      where h.is_held or ${from.reported(sql`h.holder_id`, sql`days.now`)}
    ), holder as materialized (
      select c.holder_id, case when c.is_held then c.value else 0 end as value, c.shares, c.principal, c.option_value,
        c.period, c.accession, c.change, c.value_before, c.amount_before, c.accession_before,
        -- A holder without a stated amount still holds something.
        case when c.change is not null then case when c.is_held then c.amount else 0 end
          - case when c.accession_before is null then 0 else c.amount_before end end as amount_change
      from compared c
    )
    select days.before as period_before, counted.counts, n.holder, h.holder_id, n.cik, n.series_id, h.value::text as value,
      h.shares::text as shares, h.principal::text as principal, h.option_value::text as option_value, h.change,
      h.amount_change::text as amount_change, h.amount_before::text as amount_before,
      h.value_before::text as value_before, h.period, h.accession, h.accession_before
    from days cross join (
      select json_build_object('holder_count', count(*) filter (where accession is not null),
        ${sql.unsafe(CHANGES.map((change) => `'${change}_count', count(*) filter (where change = '${change}')`).join(', '))},
        'not_compared_count', count(*) filter (where change is null)) as counts
      from holder
    ) counted
    left join (
      select * from holder h where ${conditionOf(sql, start, 'h.')}
      order by ${order} limit ${start.rowsMax} offset ${start.offset}
    ) h on true
    left join lateral ${from.named(sql`coalesce(h.accession, h.accession_before)`)} n on true
    order by ${order}`)
  const { period_before, counts } = found[0]!
  const rows = found
    .filter(({ holder_id }) => holder_id !== null)
    .map(({ period_before: _, counts: __, ...row }) => row)
  // Holders that closed their position are rows too.
  return {
    ...head,
    period_before,
    counts,
    ...cut(start, rows, knownCount(start, counts.holder_count + counts.closed_count)),
  }
}

/**
 * Returns the newest quarter with a holder. If `as_of` is given, returns the newest quarter that any holder had
 * reported by that day.
 */
async function newestQuarter(sql: Sql, id: string, source: Source, asOf: { from: From; day: string } | null) {
  const isKnown = asOf
    ? sql`date_trunc('quarter', own.quarter) <= ${asOf.day}::date + ${EARLIEST_DAYS}::int
        and exists (select from ${asOf.from.lines(sql`own.quarter`)} l)`
    : sql`true`
  const [row] = await sql<{ quarter: string }[]>`
    select own.quarter from securities.held own
    where own.sec_id = ${id} and own.source = ${source} and own.holders > 0 and ${isKnown}
    order by own.quarter desc limit 1`
  return row?.quarter ?? null
}

/** A report about a month may be filed before that month ends. */
const EARLIEST_DAYS = 31

export const CHANGES = ['new', 'added', 'reduced', 'unchanged', 'closed'] as const

const NO_HOLDERS = {
  ...{ holder_count: 0, new_count: 0, added_count: 0, reduced_count: 0 },
  ...{ unchanged_count: 0, closed_count: 0, not_compared_count: 0 },
}

async function spellings(sql: Sql, id: string, source: Source): Promise<string[]> {
  if (source !== 'f13') return []
  const rows = await sql<{ filed: string }[]>`
    select distinct filed from pub.thirteenf_security where cusip = ${id} and filed is not null`
  return rows.map(({ filed }) => filed)
}

interface Of {
  id: string
  filedAs: readonly string[]
  asOf: string
}

interface From {
  /**
   * Relation (id, quarter, value, shares, principal, option_value, amount, unit, period, accession): one row for each
   * holder and quarter.
   *
   * @param quarters the quarters to compare with; they are literal values, so that no other partition is read
   */
  lines: (quarters: Fragment) => Fragment
  /** Tests whether a holder's holdings in a quarter are completely known. */
  reported: (id: Fragment, quarter: Fragment) => Fragment
  /** Relation (holder, cik, series_id): the filer of a report. */
  named: (accession: Fragment) => Fragment
}

/**
 * Returns shares if there are any, else principal; shares are never compared with principal. A money market fund may
 * give neither.
 */
const amount = (sql: Sql) =>
  sql`coalesce(shares, principal) as amount, case when shares is not null then 'SH' else 'PRN' end as unit`

const FROM: Readonly<Record<Source, (sql: Sql, of: Of) => From>> = {
  f13: (sql, { filedAs, asOf }) => ({
    lines: (quarters) => sql`(
      select *, ${amount(sql)} from (
        select cik as id, quarter, sum(value) filter (where put_call is null) as value,
          sum(amount) filter (where put_call is null and kind is distinct from 'PRN') as shares,
          sum(amount) filter (where put_call is null and kind = 'PRN') as principal,
          sum(value) filter (where put_call is not null) as option_value, max(period) as period, ${newestFiling(sql)} as accession
        from pub.thirteenf_line
        where cusip = any(${filedAs as string[]}) and quarter = ${quarters} and filed_date <= ${asOf}
          and (until is null or until > ${asOf})
        group by cik, quarter having bool_or(put_call is null)
      ) l)`,
    reported: (id, of) => sql`exists (
      select from pub.thirteenf_composed c
      where c.cik = ${id} and c.quarter = ${of} and c.part = 'whole' and c.filed_date <= ${asOf}
        and (c.until is null or c.until > ${asOf}))`,
    named: (accession) => sql`(
      select manager_name as holder, cik, null::text as series_id from pub.thirteenf_composed where accession = ${accession})`,
  }),
  nport: (sql, { id, asOf }) =>
    ofFunds(
      sql,
      'nport',
      asOf,
      (quarters) => sql`
      select r.fund as id, h.quarter, sum(h.value) as value, sum(h.balance) filter (where h.units = 'NS') as shares,
        sum(h.balance) filter (where h.units = 'PA') as principal, r.period, r.accession
      from pub.nport_holding h join pub.nport_report r using (accession)
      where h.sec_id = ${id} and h.quarter = ${quarters} and ${sql.unsafe(IS_HELD)}
        and (h.asset_cat is null or h.asset_cat <> all(${DERIVATIVES as string[]}))
        and ${isLast(sql, 'nport', asOf)}
      group by r.fund, h.quarter, r.period, r.accession`,
    ),
  nmfp: (sql, { id, asOf }) =>
    ofFunds(
      sql,
      'nmfp',
      asOf,
      (quarters) => sql`
      select r.fund as id, (date_trunc('quarter', r.period) + interval '3 months - 1 day')::date as quarter,
        sum(h.value) as value, null::numeric as shares, sum(h.principal) as principal,
        r.period, r.accession
      from pub.nmfp_holding h join pub.nmfp_report r using (accession)
      where h.sec_id = ${id} and (date_trunc('quarter', r.period) + interval '3 months - 1 day')::date = ${quarters}
        and ${isLast(sql, 'nmfp', asOf)}
      group by r.fund, r.period, r.accession`,
    ),
}

type Funds = Exclude<Source, 'f13'>

const ofFunds = (sql: Sql, source: Funds, asOf: string, lines: From['lines']): From => ({
  lines: (quarters) => sql`(select *, null::numeric as option_value, ${amount(sql)} from (${lines(quarters)}) l)`,
  reported: (id, of) => sql`exists (
    select from ${sql(`pub.${source}_report`)} r
    where r.fund = ${id} and r.period between date_trunc('quarter', ${of})::date and ${of} and r.filed_date <= ${asOf}
      and not r.is_slip)`,
  named: (accession) => sql`(
    select coalesce(fund_name, registrant_name) as holder, cik, series_id from ${sql(`pub.${source}_report`)}
    where accession = ${accession})`,
})

/**
 * Tests whether a report `r` is the last report of its fund about its quarter: no report has a later period, and no
 * report of the same period was filed later.
 */
const isLast = (sql: Sql, source: Funds, asOf: string) => sql`
  not r.is_slip and r.filed_date <= ${asOf} and not exists (
    select from ${sql(`pub.${source}_report`)} later
    where later.fund = r.fund and later.filed_date <= ${asOf} and not later.is_slip
      and later.period >= r.period and later.period < date_trunc('quarter', r.period) + interval '3 months'
      and (later.period, later.filed_date, later.accession) > (r.period, r.filed_date, r.accession))`
