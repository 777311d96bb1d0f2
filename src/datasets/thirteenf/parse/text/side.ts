/**
 * Reads the text on both sides of the numbers in a text table: beginnings of names on the left, managers and votes on
 * the right.
 */
import type { Columns } from './columns.ts'
import { type Heads, hasCusip, managersIn, tailOf } from './line.ts'
import type { Security } from './name.ts'
import { digitsOf, isAmount } from './number.ts'
import type { Word } from './words.ts'

export interface Line {
  security: Security
  value: Word
  amount: Word
  tail: ReturnType<typeof tailOf>
  /** Whether the line's list of managers ends with a comma, so that it continues below. */
  isListOpen: boolean
  /** Whether the headings show that `value` is the amount, and `amount` the value. */
  isAmountFirst: boolean
}

/** Tests for a list such as `5, 10, 11,` that continues in the next line, unless the next word continues it. */
export function isOpenList(after: readonly Word[]): boolean {
  const at = after.findLastIndex(({ text }) => /^\d{1,3}(,\d{1,2})*,$/.test(text))
  return at >= 0 && !/^\d{1,3},?$/.test(after[at + 1]?.text ?? '')
}

/**
 * Returns the row to which the managers on the right of a name belong. It is the row above if its list is open, and the
 * row below if a list begins here (0000950129-06-001495).
 */
export function sideOf({ left, right }: Sides, last: Line, isListed: boolean): 'above' | 'below' | null {
  if (left.length === 0 || managersIn(right) === null) return null
  if (last.isListOpen && !isListed) return 'above'
  return isOpenList(right) || isListed ? 'below' : null
}

/**
 * The words of a line that stand left of the place where the line above has its value, and right of the place of its
 * amount.
 */
interface Sides {
  left: readonly Word[]
  right: readonly Word[]
  /** Whether no word is between `left` and `right`, and the line is neither a total nor a row with a CUSIP. */
  isOpen: boolean
}

export function sidesOf(line: string, words: readonly Word[], { value, amount }: Line): Sides {
  const left = words.filter(({ end }) => end <= value.start - 3)
  const right = words.filter(({ start }) => start > amount.end)
  return { left, right, isOpen: left.length + right.length === words.length && !isTotal(line) && !hasCusip(words) }
}

/**
 * Tests for votes after the beginning of a name, if the line above already has votes. The columns of votes are then
 * shifted against the other columns: in 0000950150-00-000128 Gardner Denver would get the votes of Manpower.
 */
export const isDisplacing = (line: string, { left, right, isOpen }: Sides, { tail }: Line): boolean =>
  isOpen &&
  /^\S/.test(line) &&
  left.length > 0 &&
  (tail.sole ?? tail.shared ?? tail.none) !== null &&
  right.some(({ text }) => isAmount(text) && digitsOf(text).length > 3)

export const isTotal = (line: string): boolean => /\b(sub)?totals?\b/i.test(line)

/**
 * Continues managers and votes in the next line: `16, 17, 18` below `4, 3, 14,`, with votes that were moved down too
 * (0000950123-10-105654).
 */
export function goOnRight(right: readonly Word[], last: Line, columns: Columns, heads: Heads): void {
  const more = tailOf(right, last.amount, columns, { ...heads, discretion: [] })
  const { tail } = last
  if (more.managers !== null) tail.managers = tail.managers ? `${tail.managers},${more.managers}` : more.managers
  if (tail.sole !== null || tail.shared !== null || tail.none !== null) return
  Object.assign(tail, { sole: more.sole, shared: more.shared, none: more.none })
}
