/** Rows at their place in time: a period without a row keeps its place, and is named. */

export type Step = 'month' | 'quarter' | 'year'

export interface Steps<R> {
  /** The row of each period, the first period first; null where there is none. */
  rows: readonly (R | null)[]
  /** `2025`, `Sep 2025` */
  labels: readonly string[]
  /** Periods without a row: `2021`, `Mar 2022 to Dec 2022`. */
  missing: readonly string[]
  /** Rows before the first period that is shown. */
  earlier: number
}

const MONTHS: Readonly<Record<Step, number>> = { month: 1, quarter: 3, year: 12 }
const DAY_MS = 86_400_000
const MONTH_DAYS = 365.2425 / 12

/**
 * Fiscal periods of 52 or 53 weeks end on other days each year. So the number of steps from one row to the next comes
 * from the days between them, rounded, and not from the calendar.
 *
 * @param most periods that are shown, the last ones
 */
export function inSteps<R>(rows: readonly R[], dayOf: (row: R) => string, step: Step, most: number): Steps<R> {
  const byDay = new Map<string, R>()
  for (const row of rows) if (!byDay.has(dayOf(row))) byDay.set(dayOf(row), row)
  const days = [...byDay.keys()].sort()
  const placed: { row: R | null; label: string }[] = []
  for (const [n, day] of days.entries()) {
    const before = days[n - 1]
    const between = before === undefined ? 1 : distance(before, day, step)
    // Adds at most `most` periods without a row, even in a longer gap: no more are shown.
    for (let gap = Math.max(1, between - most); gap < between; gap++)
      placed.push({ row: null, label: labelAt(before!, gap, step) })
    placed.push({ row: byDay.get(day)!, label: labelAt(day, 0, step) })
  }
  const shown = placed.slice(-most)
  while (shown[0]?.row === null) shown.shift()
  return {
    rows: shown.map(({ row }) => row),
    labels: shown.map(({ label }) => label),
    missing: runsOf(shown),
    earlier: days.length - shown.filter(({ row }) => row !== null).length,
  }
}

/** Whole steps between two days, at least one. */
function distance(from: string, to: string, step: Step): number {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS
  return Math.max(1, Math.round(days / (MONTH_DAYS * MONTHS[step])))
}

const NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Returns the label of the period that comes `steps` steps after the period of a day. */
function labelAt(day: string, steps: number, step: Step): string {
  const month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7) || 1) - 1 + steps * MONTHS[step]
  const year = String(Math.floor(month / 12))
  return step === 'year' ? year : `${NAMES[month % 12]} ${year}`
}

function runsOf(placed: readonly { row: unknown; label: string }[]): string[] {
  const runs: string[][] = []
  placed.forEach(({ row, label }, n) => {
    if (row !== null) return
    if (n > 0 && placed[n - 1]!.row === null) runs.at(-1)!.push(label)
    else runs.push([label])
  })
  return runs.map((run) => (run.length === 1 ? run[0]! : `${run[0]} to ${run.at(-1)}`))
}
