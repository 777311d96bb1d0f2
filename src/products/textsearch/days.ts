/** Spans of days as filters: of each document its day, month and year are stored. */
import { type Condition, filter, or } from './conditions.ts'

/** Days as `YYYY-MM-DD`, both inclusive; null without a bound. */
export interface Span {
  from: string | null
  to: string | null
}

const DAY_MS = 86_400_000
/** EDGAR has nothing older, and nothing is filed later. */
const FIRST_YEAR = 1990
const LAST_YEAR = 2100

export const moved = (day: string, days: number): string =>
  new Date(Math.max(Date.parse(`${FIRST_YEAR}-01-01`), Date.parse(day) + days * DAY_MS)).toISOString().slice(0, 10)

export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS

/** Whole years, then whole months, then days: at most some sixty months and days beside the years. */
export function inSpan({ from, to }: Span): Condition {
  if (from === null && to === null) return true
  const first = from !== null && from > `${FIRST_YEAR}-01-01` ? from : `${FIRST_YEAR}-01-01`
  const last = to !== null && to < `${LAST_YEAR}-12-31` ? to : `${LAST_YEAR}-12-31`
  const parts: string[] = []
  for (let day = first; day <= last; ) {
    const year = day.slice(0, 4)
    const month = day.slice(0, 7)
    if (day.endsWith('-01-01') && `${year}-12-31` <= last) {
      parts.push(filter('year', year))
      day = `${Number(year) + 1}-01-01`
    } else if (day.endsWith('-01') && endOf(month) <= last) {
      parts.push(filter('month', month))
      day = moved(endOf(month), 1)
    } else {
      parts.push(filter('day', day))
      day = moved(day, 1)
    }
  }
  return or(...parts)
}

const endOf = (month: string) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)
