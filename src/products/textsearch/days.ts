/** Turns spans of days into filters on the stored day, month and year of each document. */
import { type Condition, or } from '../../serve/search/conditions.ts'
import { filter } from './conditions.ts'

/** Days as `YYYY-MM-DD`, both inclusive; null without a bound. */
export interface Span {
  from: string | null
  to: string | null
}

const DAY_MS = 86_400_000
export const moved = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS

/**
 * Returns the condition that a document is in a span of days, expressed in whole years, whole months and days.
 *
 * @param known the first and the last day of all documents; no condition is needed for days outside of this span
 */
export function inSpan({ from, to }: Span, known: Required<{ oldest: string; newest: string }>): Condition {
  const isFrom = from !== null && from > known.oldest
  const isTo = to !== null && to < known.newest
  if (!isFrom && !isTo) return true
  const first = isFrom ? from : `${known.oldest.slice(0, 4)}-01-01`
  const last = isTo ? to : `${known.newest.slice(0, 4)}-12-31`
  const parts: string[] = []
  for (let day = first; day <= last; ) {
    const year = day.slice(0, 4)
    const month = day.slice(0, 7)
    if (day.endsWith('-01-01') && `${year}-12-31` <= last) {
      parts.push(filter('year', year))
      day = `${Number(year) + 1}-01-01`
    } else if (day.endsWith('-01') && endOfMonth(day) <= last) {
      parts.push(filter('month', month))
      day = moved(endOfMonth(day), 1)
    } else {
      parts.push(filter('day', day))
      day = moved(day, 1)
    }
  }
  return or(...parts)
}

export const startOfMonth = (day: string) => `${day.slice(0, 8)}01`

export const endOfMonth = (day: string) =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).toISOString().slice(0, 10)
