/** Values that several parts of Form N-PORT share: placeholders, either/or elements, identifiers. */
import type { FormPart } from '../../../read/form-part.ts'
import { cusipFlag } from '../../../read/securityid.ts'
import { day, decimal, flag, stated } from '../../../read/values.ts'

/** Placeholders: N/A, and XXXX for an undisclosed figure, such as a delta (0001193125-26-239358). */
const NONE = new Set(['N/A', 'XXXX'])
/**
 * Tests the first character first, because no number begins like a placeholder. If every text were converted to
 * capitals, this would take 5 % of the time of reading a portfolio.
 */
const isNone = (text: string) => text.length <= 4 && text.charCodeAt(0) > NINE && NONE.has(text.toUpperCase())
const NINE = 57

/** Returns the text, or null for N/A, None and similar words. */
export const statedAt = (of: FormPart, path: string): string | null => stated(of.text(path))

/** Returns a code of the form in capitals; null for N/A and similar words. */
export const codeAt = (of: FormPart, path: string): string | null => stated(of.text(path))?.toUpperCase() ?? null

/** Reads an exact decimal: `.000000000000` is 0, `+5` is 5; null for N/A and XXXX. */
export const amount = (of: FormPart, path: string): string | null =>
  of.value(path, (text) => (isNone(text) ? undefined : decimal(text)), 'not a decimal number')

/**
 * Reads the balance of a holding and its units. The shares of a security are summed up over all funds in a bigint
 * column. So a number of shares with more than `SHARES_DIGITS` digits before the point is refused: the security could
 * get no sum.
 */
export function balanceOf(of: FormPart) {
  const units = codeAt(of, 'units')
  const read = (text: string) => (isNone(text) ? undefined : shares(text))
  const reason = `not a number of shares with at most ${SHARES_DIGITS} digits before the point`
  return { balance: units === 'NS' ? of.value('balance', read, reason) : amount(of, 'balance'), units }
}

/** As many digits as an amount of Form 13F may have. */
const SHARES_DIGITS = 13

function shares(text: string): string | null {
  const exact = decimal(text)
  if (exact === null || exact.length <= SHARES_DIGITS) return exact
  return exact.replace(/^-|\..*$/g, '').length > SHARES_DIGITS ? null : exact
}

/** Reads a whole number that fits an integer column. */
export const whole = (of: FormPart, path: string): number | null => of.count(path, ['N/A', 'XXXX'])

/** Reads a day; null for N/A. */
export const dayOf = (of: FormPart, path: string): string | null =>
  of.value(path, (text) => (isNone(text) ? undefined : day(text, 'iso')), 'not a day written as YYYY-MM-DD')

/** Reads Y or N; null for N/A. */
export const yes = (of: FormPart, path: string): boolean | null =>
  of.value(path, (text) => (isNone(text) ? undefined : flag(text)), 'neither true nor false')

/** Returns a CUSIP as filed; null for N/A, and for zeros or nines, which filers use as placeholders. */
export function cusipOf(text: string | null): string | null {
  const filed = stated(text)
  return filed === null || cusipFlag(filed) === 'placeholder' ? null : filed
}

/**
 * For each kind of category: the element for a category that the form lists, the element for any other category, and
 * the attribute of the latter element that names the category. These names are constants: building them for each
 * holding would take 5 % of the time of reading the holding.
 */
const CATEGORIES = {
  asset: { plain: 'assetCat', conditional: 'assetConditional', filed: '@assetCat' },
  issuer: { plain: 'issuerCat', conditional: 'issuerConditional', filed: '@issuerCat' },
  invst: { plain: 'invstCat', conditional: 'invstCatConditional', filed: '@invstCat' },
}

/** Reads `assetCat`, or `assetConditional` with its description; likewise `issuerCat` and `invstCat`. */
export function category(of: FormPart, name: keyof typeof CATEGORIES) {
  const names = CATEGORIES[name]
  const conditional = of.maybe(names.conditional)
  if (conditional === null) return { category: codeAt(of, names.plain), description: null }
  // The form's schema forbids both elements at once. If both occur, the plain element is not read, and is reported as
  // unread.
  const filed = conditional.text(names.filed)
  const isOther = filed === null || /^other\b/i.test(filed)
  return {
    category: isOther && name !== 'invst' ? 'OTHER' : (filed?.toUpperCase() ?? null),
    description: conditional.text('@desc'),
  }
}

/** Reads `curCd`, or `currencyConditional` with the exchange rate. */
export function currencyOf(of: FormPart) {
  const conditional = of.maybe('currencyConditional')
  if (conditional === null) return { currency: codeAt(of, 'curCd'), exchange_rate: null }
  return { currency: codeAt(conditional, '@curCd'), exchange_rate: amount(conditional, '@exchangeRt') }
}

interface Identifier {
  kind: 'cusip' | 'isin' | 'ticker' | 'other'
  value: string | null
  description: string | null
}

/** Returns the identifiers of an issue, by kind in the order of `KINDS`. Skips those that are N/A. */
export function identifiersOf(of: FormPart): Identifier[] {
  const list = of.maybe('identifiers')
  if (list === null) return []
  return KINDS.flatMap((kind) =>
    list.all(kind).flatMap((one) => {
      const value = one.value('@value', kind === 'other' ? statedText : number, 'is longer than any such number')
      const description = kind === 'other' ? statedAt(one, '@otherDesc') : null
      return value === null && description === null ? [] : [{ kind, value, description }]
    }),
  )
}

const statedText = (text: string) => stated(text) ?? undefined
/**
 * Drops numbers of over 64 characters: the numbers are in indexes, which hold no long text, and an ISIN has twelve
 * characters.
 */
const number = (text: string) => (text.length > 64 ? null : statedText(text))

const KINDS = ['cusip', 'isin', 'ticker', 'other'] as const

/** Formats an identifier as text, for columns that hold several. */
export const written = ({ kind, value, description }: Identifier): string =>
  `${kind} ${value ?? 'N/A'}${description === null ? '' : ` (${description})`}`
