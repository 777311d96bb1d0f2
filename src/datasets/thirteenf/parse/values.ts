/** Values of Form 13F that its XML, its text tables and the quarterly sets share. */
import { decimal } from '../../../read/values.ts'
import type { Problem } from '../../../read/xml.ts'
import type { Findings } from './types.ts'

/**
 * Maximum number of problems recorded for one table: a table may have 600,000 lines, and further problems give no new
 * information.
 */
const PROBLEMS_MAX = 1_000

export const nothingFound = (): Findings => ({ problems: [], unread: new Set(), looked: 0, read: 0, cutOff: null })

/** Records a problem, up to 1,000 of them. */
export function note(found: Findings, path: string, value: string | null, reason: string): void {
  if (found.problems.length < PROBLEMS_MAX) found.problems.push(problem(path, value, reason))
  else if (found.problems.length === PROBLEMS_MAX)
    found.problems.push(problem(path, '', 'and more problems from here on'))
}

const problem = (path: string, value: string | null, reason: string): Problem => ({
  path,
  value: (value ?? '').slice(0, 200).replaceAll('\0', '').toWellFormed(),
  reason,
})

/**
 * Maximum number of digits of an amount of shares or principal. With fifteen digits, the sum of the 9,300 lines of one
 * filing did not fit a bigint, and no sum of any security could be made.
 */
export const AMOUNT_DIGITS = 13

/**
 * Returns the digits of a non-negative whole number, or the reason why the text is not such a number. Accepts up to
 * fifteen digits: a value of fifteen digits in thousands still fits a bigint after it is converted to dollars.
 */
export function whole(text: string, digitsMax = 15): { digits: string } | { reason: string } {
  const exact = decimal(text)
  if (exact === null) return { reason: 'not a decimal number' }
  if (exact.charCodeAt(0) === 45) return { reason: 'is negative' }
  const point = exact.indexOf('.')
  if (point >= 0 && /[1-9]/.test(exact.slice(point))) return { reason: 'is not a whole number' }
  const digits = point < 0 ? exact : exact.slice(0, point)
  return digits.length > digitsMax ? { reason: `has more than ${digitsMax} digits` } : { digits }
}

/** Like `whole`, but returns null without a reason. */
export function digitsOf(text: string): string | null {
  const found = whole(text)
  return 'digits' in found ? found.digits : null
}

/** The method that an element of XML and a line of a quarterly set both have. */
interface Readable {
  value<T>(path: string, to: (text: string) => T | null, reason: string): T | null
}

/** Looks up one of the form's words, in capitals or small letters; any other word is a problem. */
export const word = <T>(of: Readable, path: string, words: ReadonlyMap<string, T>): T | null =>
  of.value(path, (text) => words.get(text.toUpperCase()) ?? null, `not one of ${[...words.keys()].join(', ')}`)

/**
 * Normalizes a file number. Filers write numbers of the 028 register as `28-554`, `028-0718` and `28-06102`; all become
 * numbers such as `028-00554`. Other numbers only lose their blanks, and their letters become capitals.
 */
export function fileNumber(text: string | null): string | null {
  const plain = text?.replace(/\s+/g, '').toUpperCase() || null
  const found = plain === null ? null : /^0?28-0*(\d{1,6})$/.exec(plain)
  return found === null ? plain : `028-${found[1]!.padStart(5, '0')}`
}

/** Normalizes numbers of other managers: `4, 8,11` → `4,8,11`. */
export const managers = (text: string | null): string | null =>
  text === null
    ? null
    : text
        .split(',')
        .map((part) => part.trim())
        .join(',')
        .replace(/^,+|(?<!,),+$/g, '') || null

/**
 * Normalizes `Put` and `Call`, in capitals or small letters. Keeps any other text, which still shows that the line is
 * not a plain holding.
 */
export function putCall(text: string | null): string | null {
  const word = text?.toUpperCase()
  return word === 'PUT' ? 'Put' : word === 'CALL' ? 'Call' : text
}

export const DISCRETION: ReadonlyMap<string, 'SOLE' | 'DFND' | 'OTR'> = new Map([
  ['SOLE', 'SOLE'],
  ['DFND', 'DFND'],
  ['DEFINED', 'DFND'],
  ['SHARED-DEFINED', 'DFND'],
  ['OTR', 'OTR'],
  ['OTHER', 'OTR'],
  ['SHARED-OTHER', 'OTR'],
])

export const REPORT_TYPES: ReadonlyMap<string, 'holdings' | 'notice' | 'combination'> = new Map([
  ['13F HOLDINGS REPORT', 'holdings'],
  ['13F NOTICE', 'notice'],
  ['13F COMBINATION REPORT', 'combination'],
])

export const AMENDMENT_TYPES: ReadonlyMap<string, 'restatement' | 'new_holdings'> = new Map([
  ['RESTATEMENT', 'restatement'],
  ['NEW HOLDINGS', 'new_holdings'],
])
