/** Sums up the lines of one filing while they stream through. */
import type { Holding } from '../parse/types.ts'

export interface Sums {
  lines: number
  /** Number of rows that only say that there are no holdings. `lines` does not count these rows. */
  placeholders: number
  /** Sum of the values, in the unit of the filing. */
  value: bigint
  cusipsFlagged: number
  options: number
  principal: number
  kindUnknown: number
  /** Number of lines of shares with a value and an amount. */
  priced: number
  /**
   * Three counts of priced lines, one for each fault. `equal`: the amount equals the value, as filed or in dollars.
   * `expensive` and `cheap`: the implied price is higher or lower than nearly all prices of shares.
   */
  equal: number
  expensive: number
  cheap: number
}

/** Tests for a row that managers without holdings file: a CUSIP of zeros or nines, with neither value nor amount. */
export const isPlaceholder = ({ cusipFlag, value, amount }: Holding): boolean =>
  cusipFlag === 'placeholder' && Number(value ?? 0) === 0 && Number(amount ?? 0) === 0

export function addPrice(sums: Sums, { value, amount, kind, putCall }: Holding, factor: number): void {
  if (kind === 'PRN' || putCall !== null || !(Number(value) > 0) || !(Number(amount) > 0)) return
  const price = (Number(value) * factor) / Number(amount)
  sums.priced++
  if (amount === value || (factor === 1000 && amount === `${value}000`)) sums.equal++
  if (price > EXPENSIVE) sums.expensive++
  if (price < CHEAP) sums.cheap++
}

/**
 * Prices in dollars. Few shares cost more than 5,000 dollars. The most expensive share, Berkshire's A, cost at most 160
 * times as much in 2026.
 */
const EXPENSIVE = 5_000
const CHEAP = 0.002
/** Minimum number of lines that show what a column contains. */
const PRICED_MIN = 2
/**
 * Tests whether at least nine in ten of the priced lines have a fault. Fewer prove nothing, since a few shares really
 * cost less than a cent or thousands of dollars.
 */
const isMost = (lines: number, priced: number): boolean => lines * 10 >= priced * 9

export function add(sums: Sums, { value, cusipFlag, putCall, kind }: Holding): void {
  sums.lines++
  if (value !== null) sums.value += BigInt(value)
  if (cusipFlag !== null) sums.cusipsFlagged++
  if (putCall !== null) sums.options++
  if (kind === 'PRN') sums.principal++
  if (kind === null) sums.kindUnknown++
}

export const NO_SUMS: Readonly<Sums> = {
  ...{ lines: 0, placeholders: 0, value: 0n, cusipsFlagged: 0, options: 0, principal: 0, kindUnknown: 0 },
  ...{ priced: 0, equal: 0, expensive: 0, cheap: 0 },
}

/**
 * Notes that the column of amounts is wrong: all amounts equal the values, or nearly all imply prices that no share
 * has.
 */
export const notesOfAmounts = ({ priced, equal, expensive, cheap }: Sums): [string, boolean][] => [
  ['amounts_are_values', priced >= PRICED_MIN && equal === priced],
  ['amounts_implausible', priced >= PRICED_MIN && (isMost(expensive, priced) || isMost(cheap, priced))],
]
