/** Reads values of Regulation A forms for which the types of the strict reader are not enough. */
import { isNone, stated } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'

/** Returns a name; filers write `0` for a class without a name (0001731122-23-002128). */
export const named = (text: string | null): string | null => (text === '0' ? null : stated(text))

/** Reads four digits; zeros and words for none become null. */
export const sicOf = (element: Element): string | null =>
  element.value('sicCode', sic, 'is not a SIC code')?.padStart(4, '0') ?? null

export function yearOf(element: Element): number | null {
  const year = element.value('yearIncorporation', fourDigits, 'is not a year')
  return year === null ? null : Number(year)
}

const digits = (shape: RegExp) => (text: string) => (isNone(text) ? undefined : shape.test(text) ? text : null)
const sic = digits(/^\d{1,4}$/)
const fourDigits = digits(/^\d{4}$/)

/** Reads nine characters; zeros and words for none become null: 000000000, 0000000, NA, 00000NONE, 00000None. */
export const cusipOf = (element: Element, path: string): string | null => element.value(path, cusip, 'is not a CUSIP')

function cusip(text: string): string | null | undefined {
  if (/^0*(none|n\/?a|not applicable)?$/i.test(text)) return undefined
  return /^[0-9A-Z*@#]{9}$/i.test(text) ? text.toUpperCase() : null
}

/** Returns the exact sum of decimals. */
export function sum(amounts: readonly string[]): string {
  if (amounts.length === 1) return amounts[0]!
  const scale = Math.max(...amounts.map((amount) => amount.split('.')[1]?.length ?? 0))
  const total = amounts.reduce((all, amount) => {
    const [whole = '', fraction = ''] = amount.split('.')
    return all + BigInt(whole + fraction.padEnd(scale, '0'))
  }, 0n)
  const digits = `${total < 0n ? -total : total}`.padStart(scale + 1, '0')
  const point = digits.length - scale
  const fraction = digits.slice(point).replace(/(?<!0)0+$/, '')
  return (total < 0n ? '-' : '') + digits.slice(0, point) + (fraction && `.${fraction}`)
}
