/** Reads days and moments as a header writes them. */

import { isSummer } from '../new-york.ts'
import { calendarDay } from '../values.ts'

/** @returns `YYYY-MM-DD` of `YYYYMMDD`, or null if there is no such day */
export function dayOf(digits: string): string | null {
  const parts = /^(\d{4})(\d{2})(\d{2})$/.exec(digits)
  return parts && calendarDay(parts[1], parts[2], parts[3])
}

/**
 * Returns a New York wall clock time with its UTC offset: `20240313150033` → `2024-03-13T15:00:33-04:00`.
 *
 * @returns null for an invalid time. The hour that occurs twice in autumn is read as the first of the two, in summer
 * time
 */
export function newYorkMoment(digits: string): string | null {
  const day = dayOf(digits.slice(0, 8))
  const time = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)$/.exec(digits.slice(8))
  if (!day || !time) return null
  const local = `${day}T${time.slice(1).join(':')}`
  return `${local}${isSummer(`${local}-04:00`) ? '-04:00' : '-05:00'}`
}
