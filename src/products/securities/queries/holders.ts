/** Queries the holders of a security at the end of a quarter, by source, with the change since the quarter before. */
import { isQuarterEnd, quarterBefore } from '../../../declare/quarter.ts'
import { knownCount } from '../../../serve/count.ts'
import {
  chosenIn,
  conditionOf,
  cut,
  type Key,
  merged,
  orderBy,
  type Paged,
  type Start,
  startOf,
} from '../../../serve/keyset.ts'
import { unnamed } from '../../../serve/page.ts'
import type { Fragment, Sql } from '../../../store/db.ts'
import type { HolderPage } from '../answers.ts'
import { CHANGES, type Source } from '../sources.ts'
import { amountsOfLines, amountsOfPortfolio, compared, isHolding } from './compared.ts'
import { idOf } from './ids.ts'

export const SORTS = ['value', 'bought', 'sold'] as const

interface HoldersParams extends Paged {
  source: Source
  /** Last day of a quarter; undefined selects the newest quarter with a holder. */
  period?: string | undefined
  /** Restricts the answer to what was known on this day. */
  as_of?: string | undefined
  sort: (typeof SORTS)[number]
}

/**
 * The orders. By value, closed positions come after all other values, since their value is 0. By change, positions that
 * cannot be compared come last.
 */
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

/** Returns a page of holders; null for an unknown security. */
export async function holders(
  sql: Sql,
  given: string,
  { source, period, as_of, sort, ...paged }: HoldersParams,
): Promise<HolderPage | null> {
  const id = await idOf(sql, given)
  if (id === null) return null
  const [[names], filedAs, [span]] = await Promise.all([
    sql<Pick<HolderPage, 'issuer_name' | 'title_of_class'>[]>`
      select issuer_name, title_of_class from securities.security where sec_id = ${id}`,
    spellings(sql, id, source),
    sql<{ newest: string }[]>`select newest from securities.span where source = ${source}`,
  ])
  const from = FROM[source](sql, { id, filedAs, asOf: as_of ?? ANY_DAY })
  const quarter =
    period ??
    chosenIn(paged.cursor, isQuarterEnd) ??
    (await newestQuarter(sql, id, source, as_of === undefined ? null : { from, day: as_of }))
  const head = { sec_id: id, ...names!, source, period: quarter, as_of: as_of ?? null }
  const keys = KEYS[sort]
  const filters = { id, source, quarter, as_of }
  const chosen = period === undefined ? quarter : null
  const start = startOf({ list: 'security_holders', sort, dir: keys[0]!.dir, keys, filters, chosen }, paged)
  if (quarter === null) {
    return { ...head, period_before: null, counts: NO_HOLDERS, rows: [], ...knownCount(start, 0), next_cursor: null }
  }
  const period_before = quarterBefore(quarter)
  // `holding` has all holders of the newest quarter, by the reports that are used now. For other quarters and for
  // `as_of` the lines are compared.
  const isKept = as_of === undefined && span?.newest === quarter
  const { counts, rows } = isKept
    ? await keptPage(sql, start, from, { id, source, quarter })
    : await comparedPage(sql, start, from, quarter)
  // Holders that closed their position are rows too.
  return {
    ...head,
    period_before,
    counts,
    ...cut(start, rows, knownCount(start, counts.holder_count + counts.closed_count)),
  }
}

type Page = Pick<HolderPage, 'counts' | 'rows'>

/** The columns of a row, from a holder `h` and its name `n`. */
const COLUMNS = `n.holder, h.holder_id, n.cik, n.series_id, h.value::text as value, h.shares::text as shares,
  h.principal::text as principal, h.option_value::text as option_value, h.change, h.amount_change::text as amount_change,
  h.amount_before::text as amount_before, h.value_before::text as value_before, h.period, h.accession, h.accession_before`

/**
 * Reads a page from `holding`. The index has the holders in the order of their values. For an order by change, the
 * query sorts the entries of this index, which include the change. So only the rows of the page are read from the
 * table.
 */
async function keptPage(
  sql: Sql,
  start: Start,
  from: From,
  { id, source, quarter }: { id: string; source: Source; quarter: string },
): Promise<Page> {
  const own = sql`sec_id = ${id} and source = ${source} and quarter = ${quarter}`
  const order = sql.unsafe(orderBy(start.walk.keys, 'h.'))
  const entries = merged(
    sql,
    start,
    sql`select b.holder_id, b.value, b.amount_change from securities.holding b where ${own}`,
    'b.',
  )
  const [[kept], rows] = await Promise.all([
    sql<HolderPage['counts'][]>`
      select ${sql(Object.keys(NO_HOLDERS))} from securities.change_count where ${own}`,
    unnamed(sql<HolderPage['rows']>`
      select ${sql.unsafe(COLUMNS)}
      from (
        select h.holder_id from ${entries} h order by ${order} limit ${start.rowsMax} offset ${start.offset}
      ) e
      join securities.holding h
        on h.source = ${source} and h.holder_id = e.holder_id and h.sec_id = ${id}
      left join lateral ${from.named(sql`coalesce(h.accession, h.accession_before)`)} n on true
      order by ${order}`),
  ])
  return { counts: kept ?? NO_HOLDERS, rows }
}

/**
 * Reads a page by comparing the lines of all holders in both quarters. The time grows with the number of holders. This
 * way is used for older quarters, and for what was known on a day.
 */
async function comparedPage(sql: Sql, start: Start, from: From, quarter: string): Promise<Page> {
  const order = sql.unsafe(orderBy(start.walk.keys, 'h.'))
  const [now, before] = [sql`${quarter}::date`, sql`${quarterBefore(quarter)}::date`]
  const isReported = { now: from.reported(sql`h.holder_id`, now), before: from.reported(sql`h.holder_id`, before) }
  const found = await unnamed(sql<(HolderPage['rows'][number] & { counts: HolderPage['counts'] })[]>`
    with holder as materialized (
      select * from ${compared(sql, { now: from.lines(now), before: from.lines(before), isReported })} c
    )
    select counted.counts, ${sql.unsafe(COLUMNS)}
    from (
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
  const rows = found.filter(({ holder_id }) => holder_id !== null).map(({ counts: _, ...row }) => row)
  return { counts: found[0]!.counts, rows }
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

/**
 * Maximum number of days by which a quarter may begin after the day of `as_of` and have reports nevertheless: a report
 * about a month can be filed before that month ends.
 */
const EARLIEST_DAYS = 31

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
   * Relation (holder_id, sec_id, value, shares, principal, option_value, percent, period, accession): one row for each
   * holder at the end of a quarter.
   */
  lines: (quarter: Fragment) => Fragment
  /** Tests whether a holder's holdings in a quarter are completely known. */
  reported: (id: Fragment, quarter: Fragment) => Fragment
  /** Relation (holder, cik, series_id): the filer of a report. */
  named: (accession: Fragment) => Fragment
}

const FROM: Readonly<Record<Source, (sql: Sql, of: Of) => From>> = {
  f13: (sql, { id, filedAs, asOf }) => ({
    lines: (quarter) => sql`(
      select cik as holder_id, ${id}::text as sec_id, ${amountsOfLines(sql)}, null::numeric as percent
      from pub.thirteenf_line
      where cusip = any(${filedAs as string[]}) and quarter = ${quarter} and filed_date <= ${asOf}
        and (until is null or until > ${asOf})
      group by cik having bool_or(put_call is null))`,
    reported: (id, of) => sql`exists (
      select from pub.thirteenf_composed c
      where c.cik = ${id} and c.quarter = ${of} and c.part = 'whole' and c.filed_date <= ${asOf}
        and (c.until is null or c.until > ${asOf}))`,
    named: (accession) => sql`(
      select manager_name as holder, cik, null::text as series_id from pub.thirteenf_composed where accession = ${accession})`,
  }),
  nport: (sql, { id, asOf }) => ({
    ...ofFunds(sql, 'nport', asOf),
    lines: (quarter) => sql`(
      select r.fund as holder_id, ${id}::text as sec_id, ${amountsOfPortfolio(sql)}, null::numeric as option_value, r.period,
        r.accession
      from pub.nport_holding h join pub.nport_report r using (accession)
      where h.sec_id = ${id} and h.quarter = ${quarter} and ${isHolding(sql)} and ${isLast(sql, 'nport', asOf)}
      group by r.fund, r.period, r.accession)`,
  }),
  nmfp: (sql, { id, asOf }) => ({
    ...ofFunds(sql, 'nmfp', asOf),
    lines: (quarter) => sql`(
      select r.fund as holder_id, ${id}::text as sec_id, sum(h.value) as value, null::numeric as shares,
        sum(h.principal) as principal, null::numeric as option_value, null::numeric as percent, r.period, r.accession
      from pub.nmfp_holding h join pub.nmfp_report r using (accession)
      where h.sec_id = ${id} and (date_trunc('quarter', r.period) + interval '3 months - 1 day')::date = ${quarter}
        and ${isLast(sql, 'nmfp', asOf)}
      group by r.fund, r.period, r.accession)`,
  }),
}

type Funds = Exclude<Source, 'f13'>

const ofFunds = (sql: Sql, source: Funds, asOf: string): Pick<From, 'reported' | 'named'> => ({
  reported: (id, of) => sql`exists (
    select from ${sql(`pub.${source}_report`)} r
    where r.fund = ${id} and r.period between date_trunc('quarter', ${of})::date and ${of} and r.filed_date <= ${asOf}
      and not r.is_slip)`,
  named: (accession) => sql`(
    select coalesce(fund_name, registrant_name) as holder, cik, series_id from ${sql(`pub.${source}_report`)}
    where accession = ${accession})`,
})

/**
 * Tests whether a report `r` is the last report of its fund about its quarter. No other report about the quarter may
 * have a later period, or have the same period and be filed later.
 */
const isLast = (sql: Sql, source: Funds, asOf: string) => sql`
  not r.is_slip and r.filed_date <= ${asOf} and not exists (
    select from ${sql(`pub.${source}_report`)} later
    where later.fund = r.fund and later.filed_date <= ${asOf} and not later.is_slip
      and later.period >= r.period and later.period < date_trunc('quarter', r.period) + interval '3 months'
      and (later.period, later.filed_date, later.accession) > (r.period, r.filed_date, r.accession))`
