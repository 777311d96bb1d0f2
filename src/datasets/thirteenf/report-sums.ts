/** What the lines of one filing come to while they go through. */
import type { Holding } from './types.ts'

export interface Sums {
  lines: number
  /** In the unit of the filing. */
  value: bigint
  cusipsFlagged: number
  options: number
  principal: number
  kindUnknown: number
  /** Lines of shares with a value and an amount. */
  priced: number
  /** How many of them have as many shares as dollars or thousands of them, or a price that no share has. */
  equal: number
  dear: number
  cheap: number
}

export function addPrice(sums: Sums, { value, amount, kind, putCall }: Holding, factor: number): void {
  if (kind === 'PRN' || putCall !== null || !(Number(value) > 0) || !(Number(amount) > 0)) return
  const price = (Number(value) * factor) / Number(amount)
  sums.priced++
  if (value === amount) sums.equal++
  if (price > DEAR) sums.dear++
  if (price < CHEAP) sums.cheap++
}

/** Dollars: Berkshire's A shares alone cost more than the first, and cost no more in 2026 than 160 times of it. */
const DEAR = 5_000
const CHEAP = 0.002
/** So many lines show what a column is. */
const PRICED_MIN = 2
/** Nearly all: a share of a few cents, or of thousands of dollars, may stand among them. */
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
  ...{ lines: 0, value: 0n, cusipsFlagged: 0, options: 0, principal: 0, kindUnknown: 0 },
  ...{ priced: 0, equal: 0, dear: 0, cheap: 0 },
}

/** Notes on amounts that cannot be what their column says: all of them are the values, or nearly all make prices that no share has. */
export const notesOfAmounts = ({ priced, equal, dear, cheap }: Sums): [string, boolean][] => [
  ['amounts_are_values', priced >= PRICED_MIN && equal === priced],
  ['amounts_implausible', priced >= PRICED_MIN && (isMost(dear, priced) || isMost(cheap, priced))],
]
