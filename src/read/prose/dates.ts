/** Reads days that prose names: "May 14, 2024", "the 14th day of May, 2024". */
import { calendarDay, namedDay } from '../values.ts'

export const MONTHS: readonly string[] =
  'January February March April May June July August September October November December'.split(' ')
/** Source of a pattern of the full names of months, as alternatives without brackets. */
export const MONTH_NAMES = MONTHS.join('|')
/**
 * Source of a pattern of full and abbreviated names of months, as alternatives without brackets and without the full
 * stop of an abbreviation. For patterns that ignore case.
 */
export const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
/**
 * Source of a pattern of full and abbreviated names of months, as a group, for patterns that distinguish capitals. An
 * abbreviation may lack its full stop, so the words around the month must show that it is a month.
 */
export const CAPITAL_MONTH =
  '(?:Jan(?:uary|\\.)?|Feb(?:ruary|\\.)?|Mar(?:ch|\\.)?|Apr(?:il|\\.)?|May|June?|July?|Aug(?:ust|\\.)?|Sept(?:ember|\\.)?|Oct(?:ober|\\.)?|Nov(?:ember|\\.)?|Dec(?:ember|\\.)?)'

const ORDINAL = '(?:st|nd|rd|th)'

/**
 * Source of a pattern of a day whose month comes first, as one capturing group: "May 2, 2005", "Sept. 2nd, 2005". An
 * abbreviation must have its full stop, since "Mar" and "Jan" are also names.
 */
export const DAY = String.raw`((?:${MONTH_NAMES}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.)\s\d{1,2}${ORDINAL}?\s?,?\s\d{4}(?!\d))`

/**
 * Source of a pattern of a day in either order, as one capturing group: "May 14, 2024", "14 May 2024", "the 14th (day) of
 * May, 2024". For patterns that ignore case, and for texts whose lines are not joined.
 */
export const ANY_DAY = `((?:${MONTH})\\.?\\s{1,3}\\d{1,2}${ORDINAL}?\\s?,?\\s{1,3}\\d{4}|(?:the\\s{1,3})?\\d{1,2}(?:${ORDINAL}(?:\\s{1,3}(?:day\\s{1,3})?of)?)?\\s{1,3}(?:${MONTH})\\.?,?\\s{1,3}\\d{4})`

const MONTH_FIRST = new RegExp(`^(${MONTH})\\.?\\s{1,9}(\\d{1,2})${ORDINAL}?\\s?,?\\s{0,9}(\\d{4})\\.?$`, 'i')
const DAY_FIRST = new RegExp(
  `^(?:the\\s{1,9})?(\\d{1,2})(?:${ORDINAL}(?:\\s{1,9}(?:day\\s{1,9})?of)?)?\\s{1,9}(${MONTH})\\.?,?\\s{1,9}(\\d{4})$`,
  'i',
)

/**
 * Reads a text that is only a day in words, as `DAY` and `ANY_DAY` match it.
 *
 * @returns `YYYY-MM-DD`; null for another text, and for a day that no calendar has
 */
export function dayOf(words = ''): string | null {
  const [, month, date, year] = MONTH_FIRST.exec(words) ?? []
  if (year !== undefined) return namedDay(year, month, date)
  const [, before, named, after] = DAY_FIRST.exec(words) ?? []
  return namedDay(after, named, before)
}

/**
 * Reads a text that is only a day in figures: `2001-05-14`, `12/18/2020`, `3/10/16`. The month comes before the day.
 *
 * @param filedDate `YYYY-MM-DD`, the latest possible day: it decides the century of a year of two digits
 */
export function dayInFigures(text: string, filedDate: string): string | null {
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (isoYear !== undefined) return calendarDay(isoYear, isoMonth, isoDay)
  const [, month, date, year] = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/.exec(text) ?? []
  if (year === undefined) return null
  const full = year.length === 4 ? year : `20${year}` <= filedDate.slice(0, 4) ? `20${year}` : `19${year}`
  return calendarDay(full, month, date)
}

/** Matches "Monday, June 3, 2019" */
const WEEKDAY = new RegExp(`\\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?\\s(?=(?:${MONTH_NAMES})\\s\\d)`, 'g')
/** Matches "3 June 2019", "the 3rd day of June, 2019" */
const NAMED_AFTER = new RegExp(
  `\\b(?:the\\s)?(\\d{1,2})(?:st|nd|rd|th)?(?:\\sday)?(?:\\sof)?\\s(${MONTH_NAMES}),?\\s(\\d{4})\\b`,
  'g',
)
/** Matches "06/03/2019" */
const IN_FIGURES = /\b(\d{1,2})\/(\d{1,2})\/((?:19|20)\d{2})\b/g

/**
 * Rewrites each day of a sentence as `DAY` matches it: "Monday, 3 June 2019" and "06/03/2019" become "June 3, 2019".
 * The length of the text changes.
 */
export const monthsFirst = (text: string): string =>
  text
    .replace(WEEKDAY, '')
    .replace(NAMED_AFTER, '$2 $1, $3')
    .replace(IN_FIGURES, (figures, month: string, date: string, year: string) => {
      const name = MONTHS[Number(month) - 1]
      return name ? `${name} ${Number(date)}, ${year}` : figures
    })
