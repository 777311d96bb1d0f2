/** Values that all generations of Form N-MFP share. */
import type { Rows } from '../../../declare/table.ts'
import { day, isNone, stated } from '../../../read/values.ts'
import type { Element } from '../../../read/xml.ts'
import type * as tables from '../tables.ts'

/** A row that the parser yields: the key of its table, and the row. */
export type Row = Rows<typeof tables> extends Generator<infer R> ? R : never
/** The row of one table. */
export type RowOf<K extends Row[0]> = Extract<Row, readonly [K, unknown]>[1]

/** Values of EDGAR's header, used if the document lacks them. */
export interface Header {
  form: string
  cik: string | null
  name: string | null
  period: string | null
}

/** Returns the n-th Friday of a day's month; null if the month has fewer Fridays. */
export function fridayOf(period: string | null, week: number): string | null {
  if (period === null) return null
  const month = period.slice(0, 7)
  const first = new Date(`${month}-01T00:00:00Z`).getUTCDay()
  const date = 1 + ((5 - first + 7) % 7) + 7 * (week - 1)
  return day(`${month}-${String(date).padStart(2, '0')}`, 'iso')
}

/** Weeks for which the form has fields. */
export const WEEKS = [1, 2, 3, 4, 5] as const

/** Returns the text; null for words that mean none. */
export const textAt = (element: Element, path?: string): string | null => stated(element.text(path))

/** Reads a maturity. The form takes any ten characters: a day in one of two formats, or words that mean none. */
export const maturity = (element: Element, path: string): string | null =>
  element.value(
    path,
    (text) => (isNone(text) ? undefined : (day(text, 'iso') ?? day(text, 'mdy'))),
    'is not a valid day',
  )

/**
 * Returns the newest row that is not after the period; null if there is no such row. Lists are not sorted by day
 * (0001410368-26-090983), and a week that the month lacks has no day.
 */
export function newest<T extends { day: string | null }>(rows: readonly T[], period: string | null): T | null {
  let found: T | null = null
  for (const row of rows) {
    if (row.day === null || (period !== null && row.day > period)) continue
    if (found === null || row.day > found.day!) found = row
  }
  return found
}
