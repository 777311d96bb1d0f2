/**
 * Numbers of an information table in text: how filers write them, and which two numbers of a line are value and amount.
 */
import type { Word } from './words.ts'

/**
 * Accepts numbers of any length: `1,234`, `$1,234`, `1234`, `1234.00`, `1'234.5`. Rejects `11,`, which is part of a
 * list of managers, and `1,2`. Rejects three digits after the only point, which may be thousands or a fraction.
 */
export const looksLikeNumber = (text: string): boolean =>
  /^\$?(\d{1,3}([,'’]\d{3})+\.?|\d+|\d{3,}\.)(\.\d+)?$/.test(text) && !/^\$?\d{1,3}\.\d{3}$/.test(text)

/** Tests for a number with a fraction, which `digitsOf` rounds. */
export const isBroken = (text: string): boolean => /\.\d*[1-9]/.test(text)

/**
 * Accepts up to fifteen digits: a value of fifteen digits in thousands still fits a bigint after it is converted to
 * dollars.
 */
export const isNumber = (text: string): boolean => looksLikeNumber(text) && digitsOf(text).length <= 15

/** Also accepts `40,000(p)` and `40,000(c)`, puts and calls (0000060086-01-500013). */
export const isAmount = (text: string): boolean => isNumber(text.replace(/\([pc]\)$/i, ''))

/** Returns the digits of a number. Rounds a fraction to the nearest whole number, a half up. */
export function digitsOf(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/[$,'’]|\([pc]\)$/gi, '').split('.')
  const digits = /^[5-9]/.test(fraction) && /^\d+$/.test(whole) ? String(BigInt(whole) + 1n) : whole
  return digits.replace(/^0+(?=\d)/, '')
}

/**
 * Tests for a value and its amount. If the first number has a point and the second has none, the first may be a price
 * before value and amount: `12.00 1,234 5,678`. Such numbers are value and amount only if no other number follows, or
 * if the amount follows again as a vote.
 */
export const isPair = (value: string, amount: string, next: string | undefined): boolean =>
  isNumber(value) &&
  isAmount(amount) &&
  (!value.includes('.') ||
    amount.includes('.') ||
    next === undefined ||
    !isAmount(next) ||
    digitsOf(next) === digitsOf(amount))

export interface Pair {
  value: Word
  amount: Word
  after: Word[]
}

/**
 * Finds value and amount next to a price, in any order: the price has a point, and multiplied by the amount it gives
 * the value, in dollars or in thousands.
 */
export function pricedAt(words: readonly Word[], at: number): Pair | null {
  const three = words.slice(at, at + 3)
  const price = three.filter(({ text }) => text.includes('.'))
  if (three.length < 3 || price.length !== 1 || three.some(({ text }) => !isNumber(text))) return null
  const of = Number(price[0]!.text.replace(/[$,'’]/g, ''))
  const [one, two] = three.filter((word) => word !== price[0])
  const is = (amount: Word, value: Word) =>
    [1, 1000].some(
      (unit) =>
        Math.abs((of * Number(digitsOf(amount.text))) / unit - Number(digitsOf(value.text))) <=
        Math.max(1, Number(digitsOf(value.text)) * 0.005),
    )
  const orders = [
    [one!, two!],
    [two!, one!],
  ].filter(([amount, value]) => is(amount!, value!))
  if (orders.length !== 1) return null
  const [amount, value] = orders[0] as [Word, Word]
  return { value, amount, after: words.slice(at + 3) }
}
