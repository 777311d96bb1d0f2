/**
 * Whether a filing's values are dollars or thousands of them. The form asked for thousands until 2023-01-02 and for
 * dollars since, by the day of filing; filers err both ways, and the period decides nothing: a report for 2021 filed in
 * March 2023 is in dollars (0001140361-23-013281), one for 2022 filed in 2023 in thousands (0001790837-23-000002).
 */
import type { Holding } from './types.ts'

export interface Scale {
  /** Dollars in a value of 1. */
  factor: 1 | 1000
  reason: ScaleReason
  /** Securities whose implied price was compared with what a price can be. */
  compared: number
  /** Of those, the ones that speak for `factor`. */
  agreed: number
}

type ScaleReason =
  | 'prices of other filers'
  | 'implied prices'
  | 'filing date'
  | 'filing date, against few prices'
  | 'filing date, prices are mixed'

/** First day on which values were to be filed in dollars. */
export const DOLLARS_SINCE = '2023-01-03'

/** More securities than this change nothing; the first of a table suffice, and the rest need not be in memory. */
export const SCALE_SAMPLE = 2_000

/**
 * One share of it costs more than a line in thousands may show, so its implied price says nothing by itself: 600,000
 * dollars in 2024.
 */
const BERKSHIRE_A = '084670108'

/**
 * Decides once for a whole filing. Each security has one voice, its line with most shares. A price known from others
 * (same CUSIP, same period, in dollars) tells both units apart with certainty. Any other price between 5 and 5,000
 * dollars does too, since a thousandth of it is below 5; and so does principal worth a thousandth of its amount.
 *
 * Without prices of others a few securities do not outweigh the filing date: it takes three. Prices that fit neither
 * unit decide nothing (0001387131-13-002055 has a tenth of every value).
 *
 * @param priceOf dollars per share of a CUSIP in that period, as other filers imply it; undefined where unknown
 */
export function decideScale(
  holdings: Iterable<Holding>,
  filedDate: string,
  priceOf: (cusip: string) => number | undefined = () => undefined,
): Scale {
  const byDate = filedDate < DOLLARS_SINCE ? 1000 : 1
  const known: Voices = { 1: 0, 1000: 0, neither: 0 }
  const implied: Voices = { 1: 0, 1000: 0, neither: 0 }
  for (const { cusip, price, kind } of largestLines(holdings)) {
    const reference = kind === 'PRN' ? undefined : priceOf(cusip)
    if (reference !== undefined) known[ofRatio(price / reference)]++
    else {
      const unit = kind === 'PRN' ? ofPrincipal(price) : ofPrice(cusip, price)
      if (unit !== null) implied[unit]++
    }
  }
  if (known[1] + known[1000] + known.neither > 0) return decided(known, 'prices of other filers', byDate, 1)
  return decided(implied, 'implied prices', byDate, 3)
}

type Voices = Record<1 | 1000 | 'neither', number>

function decided(voices: Voices, reason: ScaleReason, byDate: 1 | 1000, needed: number): Scale {
  const compared = voices[1] + voices[1000] + voices.neither
  const factor = voices[1] > voices[1000] ? 1 : voices[1] < voices[1000] ? 1000 : byDate
  const made = (chosen: 1 | 1000, why: ScaleReason): Scale => ({
    factor: chosen,
    reason: why,
    compared,
    agreed: voices[chosen],
  })
  if (compared === 0) return made(byDate, 'filing date')
  if (voices[factor] < compared * 0.8) return made(byDate, 'filing date, prices are mixed')
  if (factor !== byDate && compared < needed) return made(byDate, 'filing date, against few prices')
  return made(factor, reason)
}

interface Line {
  cusip: string
  price: number
  amount: number
  kind: Holding['kind']
}

/** Options are left out: what they are worth is not the price of their shares at every filer. */
function largestLines(holdings: Iterable<Holding>): Iterable<Line> {
  const lines = new Map<string, Line>()
  for (const { cusip, cusipFlag, value, amount: shares, kind, putCall } of holdings) {
    const amount = Number(shares)
    if (cusip === null || cusipFlag === 'placeholder' || putCall !== null || !(amount > 0) || !(Number(value) > 0))
      continue
    const key = kind === 'PRN' ? `${cusip} PRN` : cusip
    const before = lines.get(key)
    if (before === undefined && lines.size >= SCALE_SAMPLE) continue
    if (before === undefined || before.amount < amount)
      lines.set(key, { cusip, price: Number(value) / amount, amount, kind })
  }
  return lines.values()
}

/** Half to twice the known price, or the same of a thousandth of it. */
function ofRatio(ratio: number): 1 | 1000 | 'neither' {
  const isNear = (times: number) => ratio * times > 0.5 && ratio * times < 2
  return isNear(1) ? 1 : isNear(1000) ? 1000 : 'neither'
}

/** Value equal to principal proves no dollars: some filers give both in thousands (0001533551-13-000004). */
const ofPrincipal = (price: number): 1000 | null => (price > 0.0002 && price < 0.005 ? 1000 : null)

function ofPrice(cusip: string, price: number): 1 | 1000 | null {
  if (cusip === BERKSHIRE_A) return null
  if (price >= 5 && price < 5_000) return 1
  return price >= 0.0005 && price < 0.5 ? 1000 : null
}
