/** Values of Form N-PORT that its parts share: what stands for none, either/or elements, identifiers. */
import { cusipFlag } from '../../read/securityid.ts'
import { day, decimal, flag, stated } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'

/** N/A, and XXXX for a figure that is not disclosed: deltas (0001193125-26-239358). */
const NONE = new Set(['N/A', 'XXXX'])
/** No number begins as these do, and to make its letters capital took 5 % of reading a portfolio. */
const isNone = (text: string) => text.length <= 4 && text.charCodeAt(0) > NINE && NONE.has(text.toUpperCase())
const NINE = 57

/** A text, or null for N/A, None and the like. */
export const said = (of: Element, path: string): string | null => stated(of.text(path))

/** An exact decimal: `.000000000000` is 0, `+5` is 5; null for N/A and XXXX. */
export const amount = (of: Element, path: string): string | null =>
  of.value(path, (text) => (isNone(text) ? undefined : decimal(text)), 'no decimal number')

/** A whole number that an integer column holds. */
export const whole = (of: Element, path: string): number | null => of.count(path, ['N/A', 'XXXX'])

/** A day; null for N/A. */
export const dayOf = (of: Element, path: string): string | null =>
  of.value(path, (text) => (isNone(text) ? undefined : day(text, 'iso')), 'no day written as YYYY-MM-DD')

/** Y or N; null for N/A. */
export const yes = (of: Element, path: string): boolean | null =>
  of.value(path, (text) => (isNone(text) ? undefined : flag(text)), 'neither true nor false')

/** A CUSIP as filed; null for N/A, and for zeros or nines, which filers write for none. */
export function cusipOf(text: string | null): string | null {
  const filed = stated(text)
  return filed === null || cusipFlag(filed) === 'placeholder' ? null : filed
}

/** For each category: its element, and the one that describes another. Put together for each question they took 5 %. */
const CATEGORIES = {
  asset: { plain: 'assetCat', conditional: 'assetConditional', filed: '@assetCat' },
  issuer: { plain: 'issuerCat', conditional: 'issuerConditional', filed: '@issuerCat' },
  invst: { plain: 'invstCat', conditional: 'invstCatConditional', filed: '@invstCat' },
}

/** `assetCat`, or `assetConditional` with its description; the same of `issuerCat`, `invstCat`. */
export function category(of: Element, name: keyof typeof CATEGORIES) {
  const names = CATEGORIES[name]
  const conditional = of.maybe(names.conditional)
  if (conditional === null) return { category: said(of, names.plain), description: null }
  // Both at once are not allowed by the form's schema; what stands beside the description is then not read, and told.
  const filed = conditional.text(names.filed)
  const isOther = filed === null || /^other\b/i.test(filed)
  return { category: isOther && name !== 'invst' ? 'OTHER' : filed, description: conditional.text('@desc') }
}

/** `curCd`, or `currencyConditional` with the exchange rate. */
export function currencyOf(of: Element) {
  const conditional = of.maybe('currencyConditional')
  if (conditional === null) return { currency: said(of, 'curCd'), exchange_rate: null }
  return { currency: said(conditional, '@curCd'), exchange_rate: amount(conditional, '@exchangeRt') }
}

interface Identifier {
  kind: 'cusip' | 'isin' | 'ticker' | 'other'
  value: string | null
  description: string | null
}

/** The identifiers of an issue in their order. Those that say N/A are none. */
export function identifiersOf(of: Element): Identifier[] {
  const list = of.maybe('identifiers')
  if (list === null) return []
  return KINDS.flatMap((kind) =>
    list.all(kind).flatMap((one) => {
      const value = one.value('@value', kind === 'other' ? statedText : number, 'is longer than any such number')
      const description = kind === 'other' ? said(one, '@otherDesc') : null
      return value === null && description === null ? [] : [{ kind, value, description }]
    }),
  )
}

const statedText = (text: string) => stated(text) ?? undefined
/** Numbers stand in indexes, which hold no text of thousands of characters; an ISIN has twelve. */
const number = (text: string) => (text.length > 64 ? null : statedText(text))

const KINDS = ['cusip', 'isin', 'ticker', 'other'] as const

/** One as text, where several are kept in one column. */
export const written = ({ kind, value, description }: Identifier): string =>
  `${kind} ${value ?? 'N/A'}${description === null ? '' : ` (${description})`}`
