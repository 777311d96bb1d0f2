/**
 * Keyset paging: each page begins after the last row of the page before. An index has the order of the list, and the
 * sort keys of that row are the position in the index at which the page begins. So a page costs the same at any depth,
 * and rows that are inserted meanwhile do not shift other rows between pages.
 */
import { apiError } from '../declare/api-errors.ts'
import type { COUNTS } from '../declare/paging.ts'
import type { Fragment, Sql } from '../store/db.ts'
import { checksum, decodeCursor, encodeCursor, isAmount, isDay, unnamed } from './page.ts'

/**
 * Tests, by type of column, whether a value of a cursor can be compared with the column, since anybody can forge a
 * cursor.
 */
const FITS = {
  text: () => true,
  date: isDay,
  count: (value: string) => /^\d{1,9}$/.test(value),
  amount: isAmount,
} satisfies Record<string, (value: string) => boolean>

/** A column to sort by. The last column of an order is unique. */
export interface Key {
  column: string
  dir: 'asc' | 'desc'
  type: keyof typeof FITS
  /** Set if values may be missing. Missing values come last in either direction. */
  nullable?: true
}

/** The properties that all pages share when a client walks through a list. A cursor of another walk is refused. */
export interface Walk {
  list: string
  sort: string
  dir: 'asc' | 'desc'
  keys: readonly Key[]
  /** The filters of the request, as an object that can be written as JSON. */
  filters: object
  /**
   * A filter that the first page chose because the request does not have it, such as the newest quarter. Later pages
   * keep it (`chosenIn`), although the choice may be another one by then. Null if the request has this filter; undefined
   * for a list that chooses none.
   */
  chosen?: string | null
}

/** Parameters by which a page is requested. */
export interface Paged {
  limit: number
  offset: number
  paginate?: 'cursor' | undefined
  cursor?: string | undefined
  /**
   * How matching rows are counted (`exact` or `estimate`), or the field by which they are counted (count.ts). Absent if
   * rows are not counted.
   */
  count?: string | undefined
}

/** How rows are counted. */
export type Counting = (typeof COUNTS)[number]

/** The members of an answer that say how many rows match. All are absent if the request does not ask for a count. */
export interface Counted {
  total?: number
  total_is?: Counting
  value_counts?: ValueCount[]
}

export interface ValueCount {
  value: string | null
  count: number
}

type Values = readonly (string | null)[]

/** Start of a page, and the order in which it continues. */
export interface Start {
  walk: Walk
  limit: number
  offset: number
  /** Number of rows to read: one more than the page has, which shows whether another page follows. */
  rowsMax: number
  /** Sort keys of the last row before the page. */
  after: Values | null
  /** Number of matches that was counted for the first page of the walk; later pages repeat this number. */
  total: number | null
  count: string | undefined
}

/**
 * @throws HttpError 400 for a cursor of another list, order or filters, for a damaged cursor, and for a cursor with an
 *   offset
 */
export function startOf(walk: Walk, { limit, offset, cursor, count }: Paged): Start {
  if (cursor !== undefined && offset > 0)
    throw apiError('conflicting_parameters', { parameter: 'cursor', reason: 'cannot be combined with offset' })
  const from = cursor === undefined ? { after: null, total: null } : read(walk, cursor)
  return { walk, limit, offset, rowsMax: limit + 1, count, ...from }
}

/**
 * Returns the filter that the first page of a walk chose; null if there is no cursor, or its walk has no such filter.
 *
 * @param fits whether a value can be that filter, since anybody can forge a cursor
 * @throws HttpError 400 for a damaged cursor
 */
export function chosenIn(cursor: string | undefined, fits: (value: string) => boolean): string | null {
  const value = cursor === undefined ? null : (decodeCursor(cursor).at(-1) ?? null)
  return value !== null && fits(value) ? value : null
}

/**
 * Returns how many rows match: the number in the cursor, or else the result of a count.
 *
 * @param matching SQL from `from` on
 */
export async function totalOf(sql: Sql, { total }: Pick<Start, 'total'>, matching: Fragment): Promise<number> {
  if (total !== null) return total
  const [row] = await unnamed(sql<{ total: number }[]>`select count(*)::int as total ${matching}`)
  return row!.total
}

/**
 * Removes the row after the page, which was read to see whether another page follows. Adds the cursor of the next page.
 * If the total was counted exactly, the cursor contains the total. An estimate is made again for each page.
 */
export function cut<R extends object, C extends Counted = Counted>(
  { walk, limit }: Start,
  found: readonly R[],
  counted: C = {} as C,
): { rows: R[]; next_cursor: string | null } & C {
  const rows = found.slice(0, limit)
  const last = found.length > limit ? (rows.at(-1) as Record<string, unknown>) : undefined
  return { rows, ...counted, next_cursor: last ? cursorAfter(walk, valuesOf(walk, last), counted) : null }
}

const valuesOf = ({ keys }: Walk, row: Readonly<Record<string, unknown>>): Values =>
  keys.map(({ column }) => (row[column] === null ? null : String(row[column])))

/** The cursor of the page after a row with these sort keys. */
export const cursorAfter = (walk: Walk, values: Values, { total, total_is }: Counted = {}): string =>
  encodeCursor([
    ...headOf(walk),
    total === undefined || total_is === 'estimate' ? null : String(total),
    ...values,
    ...(walk.chosen ? [walk.chosen] : []),
  ])

/** Sorts the filters by name: cursors stay valid if a declaration changes the order of its parameters. */
function headOf({ list, sort, dir, filters }: Walk): string[] {
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
  return [list, sort, dir, checksum(JSON.stringify(Object.fromEntries(sorted)))]
}

function read(walk: Walk, cursor: string): { after: Values; total: number | null } {
  const [list, sort, dir, filters, total = null, ...rest] = decodeCursor(cursor)
  const values = rest.slice(0, walk.keys.length)
  const [, , , sameFilters] = headOf(walk)
  if (list !== walk.list) throw notOfThisList()
  const again = 'send the parameters of the request that returned the cursor, or begin without a cursor'
  if (sort !== walk.sort || dir !== walk.dir)
    throw apiError('invalid_cursor', { reason: `belongs to another order of the rows; ${again}` })
  if (filters !== sameFilters) throw apiError('invalid_cursor', { reason: `belongs to other filters; ${again}` })
  const fits = ({ type, nullable }: Key, value: string | null) =>
    value === null ? nullable === true : FITS[type](value)
  if (
    values.length !== walk.keys.length ||
    // One more value is the chosen filter, which is among the filters that were compared.
    rest.length > walk.keys.length + (walk.chosen === undefined ? 0 : 1) ||
    !walk.keys.every((key, i) => fits(key, values[i]!)) ||
    (total !== null && !FITS.count(total))
  )
    throw notOfThisList()
  return { after: values, total: total === null ? null : Number(total) }
}

const notOfThisList = () => apiError('invalid_cursor', { reason: 'not one that this list returned' })

/** The complete `order by` list as SQL text. */
export const orderBy = (keys: readonly Key[], of = ''): string =>
  keys.map(({ column, dir, nullable }) => `${of}${column} ${dir}${nullable ? ' nulls last' : ''}`).join(', ')

/**
 * Conditions for the rows of the page and of all later pages. Each condition is one range of an index in the order of
 * the keys. For a single condition with `or`, the index would be read from its start.
 *
 * @param of prefix of each column, such as `b.`
 */
export const rangesOf = (sql: Sql, { walk, after }: Start, of = ''): Fragment[] =>
  after === null ? [sql`true`] : rangesAfter(sql, walk.keys, after, of)

function rangesAfter(sql: Sql, keys: readonly Key[], values: Values, of: string): Fragment[] {
  const [key, ...rest] = keys as readonly [Key, ...Key[]]
  const beyond = key.dir === 'asc' ? sql`>` : sql`<`
  if (keys.every(({ dir, nullable }) => dir === key.dir && !nullable)) {
    const columns = sql.unsafe(keys.map(({ column }) => of + column).join(', '))
    return [sql`(${columns}) ${beyond} (${listed(sql, values)})`]
  }
  const [value, ...more] = values
  const column = sql.unsafe(of + key.column)
  const tied = rest.length > 0 ? rangesAfter(sql, rest, more, of) : []
  if (value === null || value === undefined) return tied.map((range) => sql`${column} is null and ${range}`)
  return [
    ...tied.map((range) => sql`${column} = ${value} and ${range}`),
    sql`${column} ${beyond} ${value}`,
    ...(key.nullable ? [sql`${column} is null`] : []),
  ]
}

const listed = (sql: Sql, values: Values) => sql`${values.map((value, i) => (i > 0 ? sql`, ${value}` : sql`${value}`))}`

/**
 * A single condition for the rows of the page and of all later pages, for a query that has collected all rows anyway.
 */
export function conditionOf(sql: Sql, start: Start, of = ''): Fragment {
  const ranges = rangesOf(sql, start, of)
  return sql`(${ranges.map((range, i) => (i > 0 ? sql` or ${range}` : range))})`
}

/**
 * Makes SQL that reads rows in an order, and returns the first rows that meet a condition. It is meant for a condition
 * whose cost the planner overestimates, such as a look-up in a recursive view. This SQL tests the condition row by row,
 * in the order. If the condition were part of `select`, the planner would first find and sort all rows that meet the
 * other conditions, to test this condition less often.
 *
 * @param select `select … where …`
 * @param kept the condition; the alias of the row is `t`
 */
export const firstRows = (
  sql: Sql,
  select: Fragment,
  order: Fragment,
  rows: number,
  kept: Fragment | null,
): Fragment =>
  kept === null
    ? sql`(${select} order by ${order} limit ${rows})`
    : // The rows keep the order of the inner query. If the outer query had an order too, the planner would sort again.
      sql`(select * from (${select} order by ${order} offset 0) t where ${kept} limit ${rows})`

/**
 * Makes a relation to select from, which has the first rows of each of the page's ranges. No range gives more rows than
 * the page and its offset need. The caller sorts and cuts the merged rows.
 *
 * @param select `select … from … where …`, to which `and <range>` is added. It must select the columns that the sort
 *   keys name
 * @param kept a condition for `firstRows`
 */
export function merged(sql: Sql, start: Start, select: Fragment, of = '', kept: Fragment | null = null): Fragment {
  const { walk, offset, rowsMax } = start
  const order = sql.unsafe(orderBy(walk.keys, of))
  const parts = rangesOf(sql, start, of).map((range) =>
    firstRows(sql, sql`${select} and ${range}`, order, offset + rowsMax, kept),
  )
  return sql`(${parts.map((part, i) => (i > 0 ? sql` union all ${part}` : part))})`
}
