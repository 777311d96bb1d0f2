/**
 * Helpers for decimals. The service sends amounts as text, `"1234.50"`, since a number of JavaScript has only 15 to 17
 * digits. Nothing here rounds.
 */
import { OpenFilingsError } from './errors.ts'

/** A decimal as units of ten to the power of minus `scale`: `12.50` is 1250 and 2. */
export interface ScaledDecimal {
  units: bigint
  scale: number
}

const DIGITS_MAX = 1_000

/** @throws OpenFilingsError `invalid_option` if the text is not a decimal */
export function parseDecimal(text: string): ScaledDecimal {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined || text.length > DIGITS_MAX) {
    throw new OpenFilingsError(`${JSON.stringify(text.slice(0, 50))} is not a decimal`, { code: 'invalid_option' })
  }
  return { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length }
}

/** Returns the text of a decimal, with as many digits after the point as its scale says. */
export function formatDecimal({ units, scale }: ScaledDecimal): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  return `${units < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`
}

/** Returns the sum of decimals as text. Null and undefined count as nothing. */
export function sumDecimals(decimals: Iterable<string | null | undefined>): string {
  let sum: ScaledDecimal = { units: 0n, scale: 0 }
  for (const text of decimals) {
    if (text === null || text === undefined) continue
    const next = parseDecimal(text)
    const scale = Math.max(sum.scale, next.scale)
    sum = { units: unitsAt(sum, scale) + unitsAt(next, scale), scale }
  }
  return formatDecimal(sum)
}

/** Compares two decimals: below 0 if the first is smaller, 0 if they are equal, above 0 if it is greater. For `sort`. */
export function compareDecimals(a: string, b: string): number {
  const [one, other] = [parseDecimal(a), parseDecimal(b)]
  const scale = Math.max(one.scale, other.scale)
  const difference = unitsAt(one, scale) - unitsAt(other, scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/**
 * Returns a decimal as a number of JavaScript, for charts and estimates. A long decimal loses digits.
 *
 * @throws OpenFilingsError `invalid_option` if the text is not a decimal
 */
export function decimalToNumber(text: string): number {
  parseDecimal(text)
  return Number(text)
}

const unitsAt = ({ units, scale }: ScaledDecimal, at: number): bigint => units * 10n ** BigInt(at - scale)
