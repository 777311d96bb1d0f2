/**
 * The quarter by which the rows of a large table are stored. A quarter is written as its last day, as in reports. A row
 * with an impossible day is stored in the partition `rest`, so it creates no other partition.
 */

/** The quarter of rows whose quarter is unknown or impossible: they are in the partition `rest`. */
export const NO_QUARTER = '0001-01-01'

/**
 * EDGAR's reports begin in 1993, and some are about earlier years. A year outside this range is a mistake of the filer.
 */
const FIRST_YEAR = 1990
const LAST_YEAR = 2099

/** The quarter by which a row about this day, `YYYY-MM-DD`, is stored. */
export function storedQuarter(day: string | null): string {
  const year = Number(day?.slice(0, 4))
  if (day === null || year < FIRST_YEAR || year > LAST_YEAR) return NO_QUARTER
  return dayBefore(year, 3 * Math.ceil(Number(day.slice(5, 7)) / 3))
}

export interface Part {
  /** The end of the partition's name: `2023q4`, or `rest`. */
  name: string
  /** The clause `for values …` of the partition's DDL. */
  bounds: string
  /** The bounds as a condition on the column. */
  holds: (column: string) => string
}

/**
 * Partitions by stored quarter, at most 441. `partOf` is called for every row: without this cache, computing the days
 * took 4 % of the time of loading a set.
 */
const parts = new Map<string, Part>()

/** The partition that holds a stored quarter. */
export function partOf(quarter: string): Part {
  let part = parts.get(quarter)
  if (part === undefined) {
    part = partFor(quarter)
    parts.set(quarter, part)
  }
  return part
}

function partFor(quarter: string): Part {
  if (quarter === NO_QUARTER) {
    const end = `'${FIRST_YEAR}-01-01'`
    return { name: 'rest', bounds: `from (minvalue) to (${end})`, holds: (column) => `${column} < ${end}` }
  }
  const [year, month] = [Number(quarter.slice(0, 4)), Number(quarter.slice(5, 7))]
  const [first, end] = [`'${firstOf(year, month - 3)}'`, `'${firstOf(year, month)}'`]
  return {
    name: `${year}q${month / 3}`,
    bounds: `from (${first}) to (${end})`,
    holds: (column) => `${column} >= ${first} and ${column} < ${end}`,
  }
}

/** The partition of that name; undefined if no partition can have it. */
export function partNamed(name: string): Part | undefined {
  if (name === 'rest') return partOf(NO_QUARTER)
  const [, year, quarter] = /^(\d{4})q([1-4])$/.exec(name) ?? []
  return year === undefined ? undefined : partOf(dayBefore(Number(year), 3 * Number(quarter)))
}

/** Returns the last day of the previous quarter. @param quarter last day of a quarter, `YYYY-MM-DD` */
export const quarterBefore = (quarter: string): string =>
  dayBefore(Number(quarter.slice(0, 4)), Number(quarter.slice(5, 7)) - 3)

/** Returns the last day of the next quarter. @param quarter last day of a quarter, `YYYY-MM-DD` */
export const quarterAfter = (quarter: string): string =>
  dayBefore(Number(quarter.slice(0, 4)), Number(quarter.slice(5, 7)) + 3)

/** Whether the text is the last day of a quarter since 1978. The SEC has had reports of holdings since then. */
export const isQuarterEnd = (text: string): boolean =>
  /^\d{4}-(?:03-31|06-30|09-30|12-31)$/.test(text) && text >= '1978'

/** First day of the month that follows the first `months` months of the year. */
const firstOf = (year: number, months: number) => new Date(Date.UTC(year, months, 1)).toISOString().slice(0, 10)
/** Last day of the month with that number in the year. */
const dayBefore = (year: number, months: number) => new Date(Date.UTC(year, months, 0)).toISOString().slice(0, 10)

/** Returns the first and the last day of a quarter: for `2026` and `1`, 2026-01-01 and 2026-03-31. */
export function daysOfQuarter(year: string, quarter: string): { from: string; to: string } {
  const day = (month: number, of: number) => new Date(Date.UTC(Number(year), month, of)).toISOString().slice(0, 10)
  const month = (Number(quarter) - 1) * 3
  return { from: day(month, 1), to: day(month + 3, 0) }
}
