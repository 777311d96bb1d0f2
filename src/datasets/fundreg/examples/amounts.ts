/** Reads cells of an expense example: periods, and amounts in US dollars. */
import { decimal } from '../../../read/values.ts'
import { NOT_APPLICABLE, plain } from '../fees/values.ts'

/** Periods that Form N-1A, Item 3, requires; a new fund shows only the first two. */
export const PERIODS = [1, 3, 5, 10] as const
export type Period = (typeof PERIODS)[number]

const NUMBERS: Readonly<Record<string, Period>> = {
  ...{ '1': 1, '3': 3, '5': 5, '10': 10 },
  ...{ one: 1, first: 1, three: 3, five: 5, ten: 10 },
}

/** Matches "1 Year", "After 3 Years", "Five Yrs.", "10-Year", "Expenses after 1 year". */
const PERIOD =
  /^(?:(?:expenses |at the end of |end of )?(?:after|year)?\s?)(10|[135]|one|first|three|five|ten)(?:[\s‑–-]?(?:years?|yrs?\.?)(?:’|')?)?:?$/i
const YEARS = /years?|yrs?\b/i

/** Returns the period that a cell names; null for any other cell. */
export function periodOf(cell: string): Period | null {
  const text = plain(cell)
  if (text.length > 40 || !YEARS.test(text)) return null
  const found = PERIOD.exec(text)
  return found ? NUMBERS[found[1]!.toLowerCase()]! : null
}

/** Tests whether periods are those of an example: 1 and 3 years, or 1, 3 and 5 years, or 1, 3, 5 and 10 years. */
export const areInOrder = (periods: readonly Period[]): boolean =>
  periods.length > 1 && periods.every((period, at) => period === PERIODS[at])

/** Matches the investment of an example: $10,000 in Form N-1A, $1,000 in Form N-2, $100,000 in contracts of insurers. */
export const INVESTMENT = /\$\s?(1,000|10,000|100,000|1,000,000)(?![\d,.]*\d)/g

export interface Amount {
  /** Whole US dollars: 1234. */
  value: string | null
  /** Reason for a missing value. */
  reason: string | null
  /** The amount as written, without the number of a note. */
  stated: string
}

const DOLLARS = /^\$?\s?(\d{1,3}(?:,\d{3}){1,2}|\d{1,6})(?:\.00)?$/
/** Matches the number of a note after a blank: "$287 2". A thousand has a comma, so this digit is not part of it. */
const NOTED = /^(\$\s?(?:\d{1,3}(?:,\d{3}){1,2}|\d{1,3}))\s{1,2}(?:\[?\d{1,2}\]?|[a-z])$/i
/** Matches a blank that a draft leaves open: "$", "$[ ]", "$__", "[●]", "$X,XXX". */
const BLANK = /^\$?\s?(?:\[[\s●•–—_-]{0,10}\]|[_●•]{1,20}|x{1,3}(?:,x{3})?|\[x{1,3}(?:,x{3})?\])?$/i
const BRACKETED = /^\$?\s?\[\$?\s?[\d,]{1,9}\]$/
const NOT_STATED = /^(?:\$?\s?(?:n\/?a|-{1,3}|[–—]{1,2})|not applicable)$/i
const NONE = /^none$/i

/** Returns the amount of a cell, without marks and numbers of notes; null for a cell without an amount. */
export function amountOf(cell: string): Amount | null {
  const raw = cell.replace(/[\\*]/g, '').trim()
  if (raw === '') return null
  if (BLANK.test(raw)) return { value: null, reason: 'left blank', stated: raw }
  if (BRACKETED.test(raw))
    return { value: null, reason: 'is in brackets, which mark a figure that may change', stated: raw }
  const stated = plain(raw).replace(NOTED, '$1')
  if (NOT_STATED.test(stated)) return { value: null, reason: NOT_APPLICABLE, stated }
  if (NONE.test(stated)) return { value: '0', reason: null, stated }
  const found = DOLLARS.exec(stated)
  return found ? { value: decimal(found[1]!.replaceAll(',', '')), reason: null, stated } : null
}
