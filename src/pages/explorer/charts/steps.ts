/** Places rows on a time axis: a period without a row leaves a gap, and is named. */

export type Step = 'month' | 'quarter' | 'year'

export interface Steps<R> {
  /** The row of each period, the first period first; null for a period without a row. */
  rows: readonly (R | null)[]
  /** The labels of the periods: `2025`, `Sep 2025`. */
  labels: readonly string[]
  /** Periods without a row: `2021`, `Mar 2022 to Dec 2022`. */
  missing: readonly string[]
  /** Number of rows before the first period that is shown. */
  earlier: number
}

const MONTHS: Readonly<Record<Step, number>> = { month: 1, quarter: 3, year: 12 }
const DAY_MS = 86_400_000
const MONTH_DAYS = 365.2425 / 12

/**
 * Fiscal periods of 52 or 53 weeks end on other days each year. So the number of periods from one row to the next is
 * computed from the days between them, rounded, and not from the calendar.
 *
 * @param most maximum number of periods; if there are more, the last periods are shown
 */
export function inSteps<R>(rows: readonly R[], dayOf: (row: R) => string, step: Step, most: number): Steps<R> {
  const byDay = new Map<string, R>()
  for (const row of rows) if (!byDay.has(dayOf(row))) byDay.set(dayOf(row), row)
  const days = [...byDay.keys()].sort()
  const placed: Placed<R>[] = []
  for (const [n, day] of days.entries()) {
    const before = days[n - 1]
    const between = before === undefined ? 1 : distance(before, day, step)
    // Adds at most `most` periods without a row, even in a longer gap, since only `most` periods are shown.
    for (let gap = Math.max(1, between - most); gap < between; gap++)
      placed.push({ row: null, label: labelAt(before!, gap, step) })
    placed.push({ row: byDay.get(day)!, label: labelAt(day, 0, step), day })
  }
  const shown = apart(placed.slice(-most))
  while (shown[0]?.row === null) shown.shift()
  return {
    rows: shown.map(({ row }) => row),
    labels: shown.map(({ label }) => label),
    missing: runsOf(shown),
    earlier: days.length - shown.filter(({ row }) => row !== null).length,
  }
}

interface Placed<R> {
  row: R | null
  label: string
  /** The day of the row. */
  day?: string
}

/**
 * If one period has two rows, for example after a change of the fiscal year, the rows are labelled by month or by day.
 */
function apart<R>(placed: readonly Placed<R>[]): Placed<R>[] {
  const isTwice = (label: string, all: readonly Placed<R>[]) => all.filter((each) => each.label === label).length > 1
  const named = (labelOf: (day: string) => string, all: readonly Placed<R>[]) =>
    all.map((each) =>
      each.day !== undefined && isTwice(each.label, all) ? { ...each, label: labelOf(each.day) } : each,
    )
  return named(
    (day) => day,
    named((day) => labelAt(day, 0, 'month'), placed),
  )
}

/** Number of whole periods between two days, at least one. */
function distance(from: string, to: string, step: Step): number {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS
  return Math.max(1, Math.round(days / (MONTH_DAYS * MONTHS[step])))
}

const NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Returns the label of the period that comes `steps` periods after the period of a day. */
function labelAt(day: string, steps: number, step: Step): string {
  const month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7) || 1) - 1 + steps * MONTHS[step]
  const year = String(Math.floor(month / 12))
  return step === 'year' ? year : `${NAMES[month % 12]} ${year}`
}

function runsOf(placed: readonly Pick<Placed<unknown>, 'row' | 'label'>[]): string[] {
  const runs: string[][] = []
  placed.forEach(({ row, label }, n) => {
    if (row !== null) return
    if (n > 0 && placed[n - 1]!.row === null) runs.at(-1)!.push(label)
    else runs.push([label])
  })
  return runs.map((run) => (run.length === 1 ? run[0]! : `${run[0]} to ${run.at(-1)}`))
}
