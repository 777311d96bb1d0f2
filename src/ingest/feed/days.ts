/**
 * Computes two things from EDGAR's calendar: which daily index lists a filing that was accepted at a given moment, and
 * which days have no index.
 */
import { newYorkClock } from '../../read/new-york.ts'
import { newYorkMoment } from '../../read/sgml/moment.ts'

/**
 * Filings that are accepted after this time are dated to the next business day, except filings of some forms (3, 4, 5).
 */
const EVENING = '17:30'

/**
 * Maximum number of days in a row without an index. In practice there are at most three: a holiday next to a weekend.
 */
const CLOSED_MAX = 6

export const shift = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** Returns the moment up to which the indexes list everything once the index of this day has been read; ISO 8601. */
export const eveningOf = (day: string): string =>
  new Date(newYorkMoment(`${day.replaceAll('-', '')}173000`)!).toISOString()

/**
 * Whether the indexes list everything that was accepted between two moments.
 *
 * @param isListed whether the index that covers a day was read
 * @param isClosed whether EDGAR has no index of a day
 */
export function areListed(
  { after, before }: { after: string; before: string },
  isListed: (day: string) => boolean,
  isClosed: (day: string) => boolean,
): boolean {
  const last = newYorkClock(before)
  for (let day = newYorkClock(after).day; day <= last.day; day = shift(day, 1)) {
    if (!isListed(day) && !isClosed(day)) return false
  }
  if (last.time < EVENING && !isClosed(last.day)) return true
  for (let n = 1; n <= CLOSED_MAX; n++) {
    const day = shift(last.day, n)
    if (isListed(day)) return true
    if (!isClosed(day)) return false
  }
  return false
}

/** Whether EDGAR disseminates nothing on a day: a Saturday, a Sunday or a federal holiday. */
export function isHoliday(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`)
  const [month, date, weekday] = [at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCDay()]
  if (weekday === 0 || weekday === 6) return true
  const nth = Math.ceil(date / 7)
  const isMonday = weekday === 1
  // A holiday on a Saturday is observed on Friday. A holiday on a Sunday is observed on Monday.
  const isKept = (on: string) =>
    on === day.slice(5) ||
    (weekday === 5 && on === shift(day, 1).slice(5)) ||
    (isMonday && on === shift(day, -1).slice(5))
  return (
    ['01-01', '06-19', '07-04', '11-11', '12-25'].some(isKept) ||
    (isMonday && ((month === 1 && nth === 3) || (month === 2 && nth === 3))) ||
    (isMonday && ((month === 5 && date > 24) || (month === 9 && nth === 1) || (month === 10 && nth === 2))) ||
    (month === 11 && weekday === 4 && nth === 4)
  )
}
