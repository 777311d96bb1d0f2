/** Queries a manager's holdings at the end of a quarter, and the changes since the quarter before. */
import { apiError } from '../../../declare/api-errors.ts'
import { checksum, decodeCursor, encodeCursor } from '../../../serve/page.ts'
import type { Sql } from '../../../store/db.ts'
import { CHANGES, type Held } from '../answers.ts'
import { linesOf, type ReportedOf, reportsOf, worthOf } from './composed.ts'
import {
  type Quarter,
  quarterBefore,
  quarterOf,
  quarterOver,
  quartersOf,
  type Standing,
  standingOf,
} from './quarter.ts'

export interface HoldingsParams {
  /** Last day of a quarter; undefined selects the newest reported quarter. */
  period?: string | undefined
  /** Restricts the answer to filings up to this day. */
  as_of?: string | undefined
  changes: boolean
  limit?: number | undefined
  offset: number
  paginate?: 'cursor' | undefined
  cursor?: string | undefined
}

/**
 * Returns the holdings of a manager by security, and their worth in each quarter. Returns null if the filer never filed
 * Form 13F.
 */
export async function holdings(sql: Sql, cik: string, params: HoldingsParams): Promise<Held | null> {
  const [all, manager] = await Promise.all([reportsOf(sql, cik), managerOf(sql, cik, params.as_of)])
  if (manager === null) return null
  const quarters = quartersOf(all, params.as_of)
  const trend = await Promise.all(
    quarters.map(async ({ period, reports, steps }) => ({
      period_of_report: period,
      total_value: await worthOf(sql, reports, steps),
    })),
  )
  const latest_period = quarters[0]?.period ?? null
  const period = params.period ?? latest_period ?? periodOfNone(all, params.as_of)
  const none = { manager, latest_period, position_count: 0, total_value: null, positions: [], trend, next_cursor: null }
  const walk = [
    cik,
    period,
    params.as_of ?? null,
    String(params.changes),
    checksum(all.map(({ accession }) => accession).join()),
  ]
  const from = params.cursor === undefined ? params.offset : placeAfter(params.cursor, walk, params.offset)
  if (period === null) return isPlain(params) ? none : { ...none, row_count: 0 }
  const total_value = trend.find(({ period_of_report: of }) => of === period)?.total_value ?? null
  const quarter = quarterOf(all, period, params.as_of)
  if (isPlain(params) && quarter.steps.length > 0) {
    const positions = await positionsOf(sql, quarter)
    return { ...none, position_count: positions.length, total_value, positions }
  }
  const standing = await standingOf(sql, cik, quarter)
  const { rows, changes } = params.changes
    ? await changesOf(sql, { cik, all, quarter, standing })
    : { rows: await positionsOf(sql, quarter), changes: undefined }
  const end = params.limit === undefined ? rows.length : from + params.limit
  return {
    ...none,
    next_cursor: end < rows.length ? encodeCursor([...walk, String(end)]) : null,
    position_count: changes ? await securitiesIn(sql, quarter) : rows.length,
    total_value,
    positions: rows.slice(from, end),
    quarter: { period_of_report: period, ...standing, accessions: accessionsOf(quarter) },
    ...(changes && { changes }),
    row_count: rows.length,
    ...(standing.state === 'not_loaded' && { not_loaded: [missing(cik, period, standing)] }),
  }
}

/**
 * Tests whether a request has no parameters. Its answer then has exactly the members that the contract of the API
 * names.
 */
export const isPlain = ({ period, as_of, changes, limit, offset, paginate, cursor }: HoldingsParams) =>
  [period, as_of, limit, paginate, cursor].every((value) => value === undefined) && !changes && offset === 0

/**
 * Reads where a page begins. The position of a row can change with each filing, so a cursor is valid only until the
 * manager files again.
 *
 * @param walk properties that all pages share
 * @throws HttpError 400 for a cursor of other pages, and for a cursor together with an offset
 */
function placeAfter(cursor: string, walk: readonly (string | null)[], offset: number): number {
  if (offset > 0)
    throw apiError('conflicting_parameters', { parameter: 'cursor', reason: 'cannot be combined with offset' })
  const values = decodeCursor(cursor, walk.length + 1)
  const place = values.at(-1)
  if (!walk.every((value, n) => value === values[n]) || !place || !/^\d{1,9}$/.test(place))
    throw apiError('invalid_cursor', {
      reason: 'not a next_cursor of the current reports; repeat the request without cursor',
    })
  return Number(place)
}

/** Returns the accessions of the filings from which the positions are read. */
const accessionsOf = ({ steps }: Quarter): string[] => steps.map(({ accession }) => accession)

const missing = (cik: string, period: string, { note }: Standing) => ({
  source: 'thirteenf',
  note: `holdings of ${cik} at ${period} are not known: ${note}`,
})

/**
 * Returns the name and place of a manager from its newest filing up to the day `asOf`. If nothing was filed by that
 * day, returns those of its newest filing.
 */
async function managerOf(sql: Sql, cik: string, asOf: string | undefined): Promise<Held['manager']> {
  const [row] = await sql<NonNullable<Held['manager']>[]>`
    select coalesce(manager_name, '') as name, ${cik} as cik, city, state from thirteenf.report where cik = ${cik}
    order by filed_date > coalesce(${asOf ?? null}::date, filed_date), filed_date desc, accession desc limit 1`
  return row ?? null
}

/**
 * Returns the quarter of an answer without holdings: the last quarter that ended before `asOf`, or without `asOf` the
 * quarter of the newest filing.
 */
const periodOfNone = ([newest]: readonly ReportedOf[], asOf: string | undefined): string | null =>
  asOf === undefined ? (newest?.period ?? null) : asOf > '1978-03-31' ? quarterOver(asOf) : null

/**
 * Adds up the lines of each CUSIP, as `bySecurity` of holdings.ts does. Lines without a CUSIP are grouped by their
 * texts.
 */
async function positionsOf(sql: Sql, { period, steps }: Quarter): Promise<Held['positions']> {
  return sql<Held['positions']>`
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

interface Compared {
  cik: string
  all: readonly ReportedOf[]
  quarter: Quarter
  standing: Standing
}

/**
 * Returns the rows of `legsOf`, each with its change since the quarter before. Compares the quarters only if both have
 * a whole report. Otherwise everything would appear as new.
 */
async function changesOf(sql: Sql, { cik, all, quarter, standing }: Compared) {
  const before = quarterOf(all, quarterBefore(quarter.period), quarter.asOf)
  const standingBefore = await standingOf(sql, cik, before)
  const isCompared = standing.state === 'reported' && standingBefore.state === 'reported'
  const found = await legsOf(sql, quarter, isCompared ? before : null)
  const rows = isCompared ? found : found.map((row) => ({ ...row, ...NOT_COMPARED }))
  const counts = CHANGES.map((what) => [
    `${what}_count`,
    isCompared ? rows.filter(({ change }) => change === what).length : null,
  ])
  const why =
    standing.state === 'reported' ? `${before.period}: ${standingBefore.note}` : `${quarter.period}: ${standing.note}`
  const changes = {
    before: { period_of_report: before.period, ...standingBefore, accessions: accessionsOf(before) },
    compared: isCompared,
    note: isCompared ? null : why,
    ...(Object.fromEntries(counts) as Record<`${(typeof CHANGES)[number]}_count`, number | null>),
  }
  return { rows, changes }
}

const NOT_COMPARED = { change: null, amount_before: null, amount_change: null, value_before: null, value_change: null }

/** Counts the rows that `positionsOf` returns. */
async function securitiesIn(sql: Sql, { period, steps }: Quarter): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (
      select distinct upper(l.cusip), case when l.cusip is null then l.security end from ${linesOf(sql, period, steps)} l
    ) securities`
  return row.count
}

/**
 * Groups lines by CUSIP in capitals, by option, and by shares or principal; groups lines without a CUSIP by their
 * texts. Lines of text tables without a stated kind count as shares. A sum with a missing amount is null.
 *
 * @param before null disables the comparison
 */
async function legsOf(sql: Sql, quarter: Quarter, before: Quarter | null): Promise<Held['positions']> {
  return sql<Held['positions']>`
    select h.cusip, s.issuer_name, s.title_of_class,
      (case when h.put_call is null then h.value else 0 end)::text as value,
      (case when h.put_call is null and h.kind = 'SH' then coalesce(h.amount, 0) else 0 end)::text as shares,
      (case when h.put_call is null then 0 else h.value end)::text as option_value,
      (case when h.put_call is null and h.kind = 'PRN' then coalesce(h.amount, 0) else 0 end)::text as principal,
      ${quarter.period} as period_of_report, h.kind, h.put_call,
      case
        when not h.held_before then 'new' when not h.held then 'closed'
        when h.amount_before = 0 and h.amount > 0 then 'new' when h.amount = 0 and h.amount_before > 0 then 'closed'
        when h.amount > h.amount_before then 'added' when h.amount < h.amount_before then 'reduced'
        when h.amount = h.amount_before then 'unchanged'
      end as change,
      h.amount::text as amount, h.amount_before::text as amount_before, (h.amount - h.amount_before)::text as amount_change,
      h.value_before::text as value_before, (h.value - h.value_before)::text as value_change
    from (
      select l.cusip, l.put_call, l.kind, bool_or(not l.before) as held, bool_or(l.before) as held_before,
        coalesce(sum(l.value) filter (where not l.before), 0) as value,
        coalesce(sum(l.value) filter (where l.before), 0) as value_before,
        case when not bool_or(l.amount is null and not l.before) then coalesce(sum(l.amount) filter (where not l.before), 0) end
          as amount,
        case when not bool_or(l.amount is null and l.before) then coalesce(sum(l.amount) filter (where l.before), 0) end
          as amount_before,
        (array_agg(l.security order by l.before, l.value desc nulls last, l.accession, l.n))[1] as security
      from (
        select upper(cusip) as cusip, put_call, case when kind = 'PRN' then 'PRN' else 'SH' end as kind, security, value, amount,
          accession, n, before
        from (
          select *, false as before from ${linesOf(sql, quarter.period, quarter.steps)} now
          union all
          select *, true from ${linesOf(sql, before?.period ?? quarter.period, before?.steps ?? [])} past
        ) both_quarters
      ) l
      group by l.cusip, case when l.cusip is null then l.security end, l.put_call, l.kind
    ) h
    join thirteenf.security s using (security)
    order by not h.held, h.value desc, h.value_before desc, h.cusip, h.put_call nulls first, h.kind desc, h.security`
}
