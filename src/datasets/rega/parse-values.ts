/** Values of Regulation A forms that need more than the strict reader's types. */
import type { Element } from '../../read/xml.ts'

/** What filers write where nothing applies; `0` stands for a class without a name (0001731122-23-002128). */
export function named(text: string | null): string | null {
  return text === null || /^(none|n\/?a|not applicable|0)$/i.test(text) ? null : text
}

/** A count of up to 13 digits as the decimal string of a `bigint` column. */
export function count(element: Element, path: string): string | null {
  return element.integer(path)?.toString() ?? null
}

export function cikOf(element: Element, path: string): string | null {
  return digitsOf(element, path, /^\d{1,10}$/, 'is not a CIK')?.padStart(10, '0') ?? null
}

/** CRD numbers compare as digits without leading zeros, as the adviser and broker files have them. */
export function crd(element: Element, path: string): string | null {
  return digitsOf(element, path, /^\d{1,10}$/, 'is not a CRD number')?.replace(/^0+/, '') || null
}

export function sicOf(element: Element): string | null {
  return (
    digitsOf(element, 'sicCode', /^\d{1,4}$/, 'is not a SIC code')
      ?.padStart(4, '0')
      .replace(/^0000$/, '') || null
  )
}

export function yearOf(element: Element): number | null {
  const digits = digitsOf(element, 'yearIncorporation', /^\d{4}$/, 'is not a year')
  return Number(digits) || null
}

/** Nine characters; zeros and words that say there is none are null: 000000000, 0000000, NA, 00000NONE, 00000None. */
export function cusipOf(element: Element, path: string): string | null {
  const given = element.text(path)
  if (given === null || /^0*(none|n\/?a|not applicable)?$/i.test(given)) return null
  if (/^[0-9A-Z*@#]{9}$/i.test(given)) return given.toUpperCase()
  element.one(path).problem(given, 'is not a CUSIP')
  return null
}

function digitsOf(element: Element, path: string, digits: RegExp, reason: string): string | null {
  const given = named(element.text(path))
  if (given === null || digits.test(given)) return given
  element.one(path).problem(given, reason)
  return null
}

/** Exact sum of decimals. */
export function sum(amounts: readonly string[]): string {
  const scale = Math.max(...amounts.map((amount) => amount.split('.')[1]?.length ?? 0))
  const total = amounts.reduce((all, amount) => {
    const [whole = '', fraction = ''] = amount.split('.')
    return all + BigInt(whole + fraction.padEnd(scale, '0'))
  }, 0n)
  const digits = `${total < 0n ? -total : total}`.padStart(scale + 1, '0')
  const point = digits.length - scale
  const fraction = digits.slice(point).replace(/0+$/, '')
  return (total < 0n ? '-' : '') + digits.slice(0, point) + (fraction && `.${fraction}`)
}
