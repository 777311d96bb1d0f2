/** Charts of the counts of any list: counts by month over time, and counts by state on the map. */
import type { ChartOf, Row } from './chart-of.ts'
import { isRows } from './shape.ts'

/** Maximum number of months that are drawn. A longer time is drawn by year. */
const MONTHS = 60

/** @param things the counted things: `Filings` */
export function countsChart({ value_counts: counts }: Row, things: string): readonly ChartOf[] {
  if (!isRows(counts)) return []
  const values = counts.map(({ value }) => value).filter((value) => typeof value === 'string')
  const shared = { unit: 'count', values: { count: things }, isCount: true } as const
  if (values.every((value) => /^\d{4}-\d\d$/.test(value))) {
    const isLong = monthsIn(values) > MONTHS
    const [every, title] = isLong
      ? (['year', `${things} by year`] as const)
      : (['month', `${things} by month`] as const)
    return [
      { title, draw: 'bars', rows: isLong ? yearsOf : 'value_counts', by: isLong ? 'year' : 'value', every, ...shared },
    ]
  }
  // The second character may be a digit, since EDGAR gives other countries codes such as `E9`.
  if (values.length > 1 && values.every((value) => /^[A-Z][A-Z0-9]$/.test(value))) {
    return [{ title: `${things} by state`, draw: 'states', rows: 'value_counts', by: 'value', ...shared }]
  }
  return []
}

function monthsIn(values: readonly string[]): number {
  const months = values.map((value) => Number(value.slice(0, 4)) * 12 + Number(value.slice(5)))
  return Math.max(...months) - Math.min(...months) + 1
}

/** Turns counts by month into counts by year. */
function yearsOf({ value_counts: counts }: Row): readonly Row[] {
  const years = new Map<string, number>()
  for (const { value, count } of isRows(counts) ? counts : []) {
    const year = String(value).slice(0, 4)
    years.set(year, (years.get(year) ?? 0) + Number(count))
  }
  return [...years].map(([year, count]) => ({ year, count }))
}
