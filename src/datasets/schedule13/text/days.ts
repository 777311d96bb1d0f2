/** Reads days as covers write them. */
import { calendarDay, namedDay } from '../../../read/values.ts'

const MONTH =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i

/**
 * Reads a text that is only a day: `May 14, 2001`, `14 May 2001`, `2001-05-14`, `12/18/2020`, `3/10/16`.
 *
 * @param filedDate `YYYY-MM-DD`, the latest possible day
 */
export function dayOf(text: string, filedDate: string): string | null {
  const [, month, date, year] =
    /^([A-Za-z]{3,9})\.?\s{1,9}(\d{1,2})(?:st|nd|rd|th)?\s?,?\s{0,9}(\d{4})\.?$/.exec(text) ?? []
  if (year !== undefined) return MONTH.test(month!) ? namedDay(year, month, date) : null
  const [, before, named, after] =
    /^(\d{1,2})(?:st|nd|rd|th)?\s{1,9}([A-Za-z]{3,9})\.?,?\s{1,9}(\d{4})$/.exec(text) ?? []
  if (after !== undefined) return MONTH.test(named!) ? namedDay(after, named, before) : null
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (isoYear !== undefined) return calendarDay(isoYear, isoMonth, isoDay)
  const [, m, d, y] = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/.exec(text) ?? []
  if (y === undefined) return null
  const full = y.length === 4 ? y : `20${y}` <= filedDate.slice(0, 4) ? `20${y}` : `19${y}`
  return calendarDay(full, m, d)
}
