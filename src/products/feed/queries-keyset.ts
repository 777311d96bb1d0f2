/** Where a page of the feed ended, as a cursor, and what of a source comes after it. */

import { badRequest } from '../../declare/errors.ts'
import { checksum, decodeCursor, encodeCursor, isDay } from '../../serve/page.ts'
import type { Fragment, Sql } from '../../store/db.ts'

export const SOURCES = ['formd', 'rega', 'crowdfunding'] as const
export const SORTS = ['date', 'amount', 'name', 'state'] as const
export const DIRECTIONS = ['asc', 'desc'] as const
export type Source = (typeof SOURCES)[number]
type Direction = (typeof DIRECTIONS)[number]

export interface Order {
  sort: (typeof SORTS)[number]
  dir: Direction
}

/** What the last row of a page was compared by. */
interface Position {
  /** Of the sort's column; null where the row has none, and in date order. */
  value: string | null
  /** `YYYY-MM-DD` */
  filing_date: string
  source: Source
  accession: string
}

/** What each sort compares before date, source and accession, and the values that a cursor may name. */
const COLUMNS = {
  date: null,
  amount: { column: 'amount', nullable: true, accepts: /^-?\d+(\.\d+)?$/ },
  name: { column: 'name_key', nullable: false, accepts: /^/ },
  state: { column: 'state', nullable: true, accepts: /^/ },
} as const

/** The column whose value a position holds. */
export const columnOf = ({ sort }: Order) => COLUMNS[sort]?.column ?? null

/**
 * Equal values newest first; descending names read the one index of names backwards, so there oldest first. Dates are
 * equal too where their sources differ.
 */
const tieOf = ({ sort, dir }: Order): Direction =>
  sort === 'date' ? dir : sort === 'name' && dir === 'desc' ? 'asc' : 'desc'

/** The whole order as SQL text. Missing values come last in both directions; no two rows are equal. */
export function orderBy(order: Order): string {
  const { sort, dir } = order
  const key = COLUMNS[sort]
  const tie = tieOf(order)
  if (!key) return `filing_date ${tie}, source ${tie}, accession ${tie}`
  const nulls = key.nullable ? ' nulls last' : ''
  return `${key.column} ${dir}${nulls}, filing_date ${tie}, accession ${tie}, source ${tie}`
}

/**
 * Conditions for the rows of a source that follow a position, each one range of one index: a single condition with `or`
 * would be read from the start of the order.
 */
export function rangesAfter(sql: Sql, order: Order, source: Source, position: Position): Fragment[] {
  const key = COLUMNS[order.sort]
  if (!key) return [dateAfter(sql, order.dir, source, position)]
  const column = sql(key.column)
  const { value } = position
  const tied = tiedAfter(sql, tieOf(order), source, position)
  if (value === null) return [sql`${column} is null and ${tied}`]
  const further = order.dir === 'asc' ? sql`${column} > ${value}` : sql`${column} < ${value}`
  return [sql`${column} = ${value} and ${tied}`, further, ...(key.nullable ? [sql`${column} is null`] : [])]
}

/** By date, source, accession: the source is a constant here, so its index can be entered at the date. */
function dateAfter(sql: Sql, dir: Direction, source: Source, { filing_date, source: at, accession }: Position) {
  const follows = dir === 'desc' ? source < at : source > at
  if (dir === 'desc') {
    if (source === at) return sql`(filing_date, accession) < (${filing_date}, ${accession})`
    return follows ? sql`filing_date <= ${filing_date}` : sql`filing_date < ${filing_date}`
  }
  if (source === at) return sql`(filing_date, accession) > (${filing_date}, ${accession})`
  return follows ? sql`filing_date >= ${filing_date}` : sql`filing_date > ${filing_date}`
}

/** By date, accession, source among rows of one value. */
function tiedAfter(sql: Sql, tie: Direction, source: Source, { filing_date, source: at, accession }: Position) {
  const place = sql`(${filing_date}, ${accession})`
  if (tie === 'desc') {
    return source < at ? sql`(filing_date, accession) <= ${place}` : sql`(filing_date, accession) < ${place}`
  }
  return source > at ? sql`(filing_date, accession) >= ${place}` : sql`(filing_date, accession) > ${place}`
}

/**
 * The cursor carries its order and a checksum of its filters, so that it is refused with any other.
 *
 * @param filters what narrows the feed, as JSON would have it
 */
export const cursorOf = (
  { sort, dir }: Order,
  filters: object,
  { value, filing_date, source, accession }: Position,
): string => encodeCursor([sort, dir, value, filing_date, source, accession, checksum(JSON.stringify(filters))])

/** @throws HttpError 400 for a cursor that is none of ours, or was made in another order or with other filters */
export function positionOf(cursor: string, order: Order, filters: object): Position {
  const [sort, dir, value = null, filing_date, source, accession, filtersThen] = decodeCursor(cursor, 7)
  const known = SOURCES.find((name) => name === source)
  const made = SORTS.find((name) => name === sort)
  const isOurs = known && made && DIRECTIONS.some((name) => name === dir) && fits(made, value)
  if (!isOurs || !accession || !isDay(filing_date)) throw badRequest('cursor: not a next_cursor of this feed')
  if (sort !== order.sort || dir !== order.dir) throw badRequest(`cursor: made with sort=${sort} and dir=${dir}`)
  if (filtersThen !== checksum(JSON.stringify(filters))) {
    throw badRequest('cursor: made with other filters; give what it was made with, or begin without a cursor')
  }
  return { value, filing_date, source: known, accession }
}

/** Could a row have this value? Anybody can make a cursor, and the value goes into a cast. */
function fits(sort: Order['sort'], value: string | null): boolean {
  const key = COLUMNS[sort]
  if (value === null) return !key || key.nullable
  return key?.accepts.test(value) ?? false
}
