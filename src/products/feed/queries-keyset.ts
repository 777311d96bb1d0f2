/** Computes where a page of the feed continues in each of its sources. */

import type { Key } from '../../serve/keyset.ts'
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

/** Columns that each sort compares before date, source and accession. */
const COLUMNS = {
  date: null,
  amount: { column: 'amount', type: 'amount', nullable: true },
  name: { column: 'name_key', type: 'text' },
  state: { column: 'state', type: 'text', nullable: true },
} as const

/**
 * Returns the direction of rows with equal values: newest first. In descending order of names, the only index of names
 * is read backwards, so rows with equal names come oldest first. Rows with equal dates are ordered by source, in the
 * same direction.
 */
const tieOf = ({ sort, dir }: Order): Direction =>
  sort === 'date' ? dir : sort === 'name' && dir === 'desc' ? 'asc' : 'desc'

/** Returns the complete order, in which no two rows are equal. */
export function keysOf(order: Order): readonly Key[] {
  const dir = tieOf(order)
  const date = { column: 'filing_date', dir, type: 'date' } as const
  const source = { column: 'source', dir, type: 'text' } as const
  const accession = { column: 'accession', dir, type: 'text' } as const
  const key = COLUMNS[order.sort]
  return key ? [{ ...key, dir: order.dir }, date, accession, source] : [date, source, accession]
}

/** Values that are compared if two rows have the same value of the column by which the list is sorted. */
interface Tie {
  filing_date: string
  source: string
  accession: string
}

/**
 * Returns conditions that find, within a source, the rows after a given row; each condition is one range of one index.
 * These conditions differ from the conditions of serve/keyset.ts, since the source is a constant here: the source
 * decides whether rows that equal the given row in all other columns come before or after that row.
 *
 * @param after the row's values in `keysOf`
 */
export function rangesAfter(sql: Sql, order: Order, source: Source, after: readonly (string | null)[]): Fragment[] {
  const key = COLUMNS[order.sort]
  if (!key) {
    const [filing_date, at, accession] = after as [string, string, string]
    return [dateAfter(sql, order.dir, source, { filing_date, source: at, accession })]
  }
  const [value, filing_date, accession, at] = after as [string | null, string, string, string]
  const column = sql(key.column)
  const tied = tiedAfter(sql, tieOf(order), source, { filing_date, source: at, accession })
  if (value === null) return [sql`${column} is null and ${tied}`]
  const further = order.dir === 'asc' ? sql`${column} > ${value}` : sql`${column} < ${value}`
  return [sql`${column} = ${value} and ${tied}`, further, ...('nullable' in key ? [sql`${column} is null`] : [])]
}

/**
 * Returns the condition for the order by date, source, accession. The source is a constant here, so the condition
 * compares only columns of this source's index, which is read from the given date on.
 */
function dateAfter(sql: Sql, dir: Direction, source: Source, { filing_date, source: at, accession }: Tie) {
  const follows = dir === 'desc' ? source < at : source > at
  if (dir === 'desc') {
    if (source === at) return sql`(filing_date, accession) < (${filing_date}, ${accession})`
    return follows ? sql`filing_date <= ${filing_date}` : sql`filing_date < ${filing_date}`
  }
  if (source === at) return sql`(filing_date, accession) > (${filing_date}, ${accession})`
  return follows ? sql`filing_date >= ${filing_date}` : sql`filing_date > ${filing_date}`
}

/** Returns the condition for rows with the same value, which are ordered by date, accession, source. */
function tiedAfter(sql: Sql, tie: Direction, source: Source, { filing_date, source: at, accession }: Tie) {
  const place = sql`(${filing_date}, ${accession})`
  if (tie === 'desc') {
    return source < at ? sql`(filing_date, accession) <= ${place}` : sql`(filing_date, accession) < ${place}`
  }
  return source > at ? sql`(filing_date, accession) >= ${place}` : sql`(filing_date, accession) > ${place}`
}
