/** Reported values, the rule that decides which of them are used for figures, and their exact sums. */

/** One value of one tag in one filing: a row of `fact`. */
export interface Fact {
  taxonomy: string
  tag: string
  unit: string
  /** Null for a value of a single day, as in a balance sheet. */
  start: string | null
  end: string
  /** Exact decimal. */
  value: string
  accession: string
  form: string
  filed: string
  /**
   * Fiscal year and period of the filing, not of the value: last year's figure in a report of 2024 has the fiscal year
   * 2024.
   */
  fy: number | null
  fp: string | null
}

/**
 * Forms whose values are used for figures: annual and quarterly reports, filings that recast them, and registrations
 * with financial statements. A proxy statement repeats net income next to the pay of executives, years later and often
 * rounded (NVIDIA’s DEF 14A 0001045810-26-000036). If such an amount were used, it would be taken for the latest report
 * of net income.
 */
const COUNTED =
  /^(10-KT?|10-QT?|20-F|20FR12[BG]|40-F|40FR12[BG]|6-K|8-K|8-K12B|10-12[BG]|S-(1|3|4|11)|F-(1|3|4)|424B\d|POS AM|N-2|N-CSRS?|1-K|1-SA|1-A)(\/A|MEF)?$/

export const counts = ({ form }: Fact): boolean => COUNTED.test(form)

/** Tests whether a form is that of an annual report. */
export const isAnnual = (form: string): boolean => /^(10-KT?|20-F|40-F)(\/A)?$/.test(form)
/**
 * Tests whether a form is that of an annual or interim report. Other filings recast the figures of such reports on a
 * new accounting basis.
 */
export const isPeriodic = (form: string): boolean => /^(10-[KQ]T?|20-F|40-F|6-K)(\/A)?$/.test(form)
export const isQuarterly = (form: string): boolean => /^10-QT?(\/A)?$/.test(form)

/** Orders values by the day of filing; accessions decide between filings of one day. */
export const byFiled = (a: Fact, b: Fact): number => compare(a.filed, b.filed) || compare(a.accession, b.accession)

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns `USD` for `USD` and `USD/shares`; null for units that are not money, such as `pure`. */
export const currencyOf = (unit: string): string | null => /^([A-Z]{3})(\/shares)?$/.exec(unit)?.[1] ?? null

/** Returns the exact sum of decimals, each with its sign, without trailing zeros in its fraction. */
export function sum(terms: readonly { sign: 1 | -1; value: string }[]): string {
  const scale = Math.max(0, ...terms.map(({ value }) => fractionOf(value).length))
  return written(
    terms.reduce((all, { sign, value }) => all + BigInt(sign) * scaled(value, scale), 0n),
    scale,
  )
}

const fractionOf = (value: string) => value.split('.')[1] ?? ''

/** Returns the value as a whole number of units of 10^-scale. */
export const scaled = (value: string, scale: number): bigint =>
  BigInt(value.replace('.', '') + '0'.repeat(scale - fractionOf(value).length))

function written(amount: bigint, scale: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(scale + 1, '0')
  const fraction = digits.slice(digits.length - scale).replace(/(?<!0)0+$/, '')
  const whole = digits.slice(0, digits.length - scale)
  return `${amount < 0n ? '-' : ''}${whole}${scale > 0 && fraction !== '' ? `.${fraction}` : ''}`
}

export type Change =
  /** The same amount, rounded differently. */
  | 'rounded'
  /** The same digits times a power of ten: one of the two values has a wrong unit. */
  | 'rescaled'
  /** The same amount with the other sign. */
  | 'sign'
  /** An amount per share, divided by the factor of a split or another change of the number of shares (`splits.ts`). */
  | 'share_change'
  | 'restated'

/** Returns sign and digits, without the zeros that a power of ten adds. */
const digitsOf = (value: string) =>
  value
    .replace('.', '')
    .replace(/^(-?)0+/, '$1')
    .replace(/(?<!0)0+$/, '')

/** Classifies how the latest value differs from the value reported first; null if they are equal. */
export function changeOf(first: string, latest: string): Change | null {
  if (isSame(first, latest)) return null
  if (Number(first) === -Number(latest)) return 'sign'
  if (isRounded(first, latest) || isRounded(latest, first)) return 'rounded'
  return digitsOf(first) === digitsOf(latest) ? 'rescaled' : 'restated'
}

/** Doubles distinguish amounts of up to 15 digits, so these are compared as doubles. */
const isSame = (a: string, b: string): boolean =>
  a.length <= 15 && b.length <= 15
    ? Number(a) === Number(b)
    : sum([
        { sign: 1, value: a },
        { sign: -1, value: b },
      ]) === '0'

/**
 * Tests whether `coarse` is `fine` rounded to tens, hundreds or larger steps, up to millions. Rounding moves a value by
 * at most half a step.
 */
function isRounded(fine: string, coarse: string): boolean {
  const step = Math.min(10 ** (/(?<!0)0*$/.exec(coarse.replace(/\.\d+$/, ''))?.[0].length ?? 0), 1e6)
  return (
    step > 1 &&
    !coarse.includes('.') &&
    Math.abs(Number(fine) - Number(coarse)) * 2 <= step &&
    Math.abs(Number(coarse)) >= step
  )
}
