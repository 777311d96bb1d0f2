/**
 * Decides whether a filing's values are dollars or thousands. The form asked for thousands until 2023-01-02 and for
 * dollars since, by the filing date. Filers err both ways, and the reported quarter does not decide the unit. One
 * report for 2021 that was filed in March 2023 is in dollars (0001140361-23-013281). One report for 2022 that was filed
 * in 2023 is in thousands (0001790837-23-000002).
 */
import type { Holding } from '../parse/types.ts'

export interface Scale {
  /** Number of dollars that a value of 1 means. */
  factor: 1 | 1000
  reason: ScaleReason
  /** Number of securities whose implied price was compared with possible prices. */
  compared: number
  /** Number of compared securities that support `factor`. */
  agreed: number
}

type ScaleReason =
  | 'implied prices'
  | 'filing date'
  | 'filing date, against few prices'
  | 'filing date, prices are mixed'

/** First day on which the form asked for dollars. */
export const DOLLARS_SINCE = '2023-01-03'

/**
 * Number of securities that suffice for a decision. The first securities of a table are used, so the rest need not be
 * in memory.
 */
export const SCALE_SAMPLE = 2_000

/**
 * CUSIP of Berkshire A, which is excluded. One share costs so much (600,000 dollars in 2024) that even a thousandth of
 * its price is a possible price. So the implied price proves nothing.
 */
const BERKSHIRE_A = '084670108'

/**
 * Decides once for a whole filing, from the filing itself. Each security has one vote, from its line with the most
 * shares. An implied price is the value divided by the shares, in the unit of the filing. A price from 5 to 5,000 means
 * dollars, since in thousands the share would cost at least 5,000 dollars. A price from 0.0005 to 0.5 means thousands,
 * since in dollars the share would cost less than half a dollar. The value of debt means thousands if it is about a
 * thousandth of the principal. At least three securities are needed to overrule the filing date.
 *
 * If a doubt remains, queries/scale.ts decides by the prices of other managers after all reports are stored.
 */
export function decideScale(holdings: Iterable<Holding>, filedDate: string): Scale {
  const byDate = filedDate < DOLLARS_SINCE ? 1000 : 1
  const voices = voicesOf(OWN_PRICES, largestLines(holdings))
  const compared = voices[1] + voices[1000]
  const factor = voices[1] > voices[1000] ? 1 : voices[1] < voices[1000] ? 1000 : byDate
  const made = (chosen: 1 | 1000, why: ScaleReason): Scale => ({
    factor: chosen,
    reason: why,
    compared,
    agreed: voices[chosen],
  })
  if (compared === 0) return made(byDate, 'filing date')
  if (voices[factor] < compared * 0.8) return made(byDate, 'filing date, prices are mixed')
  if (factor !== byDate && compared < 3) return made(byDate, 'filing date, against few prices')
  return made(factor, 'implied prices')
}

/** A test of the price of one security. If the test is true, the security gives one vote to `factor`. */
interface UnitSignal<T> {
  name: string
  factor: 1 | 1000
  test: (seen: T) => boolean
}

const isPriceOfShare = ({ cusip, kind }: Line) => kind !== 'PRN' && cusip !== BERKSHIRE_A

const OWN_PRICES: readonly UnitSignal<Line>[] = [
  // Value equal to principal does not prove dollars: some filers give both in thousands (0001533551-13-000004).
  {
    name: 'principal worth a thousandth of its amount',
    factor: 1000,
    test: ({ kind, price }) => kind === 'PRN' && price > 0.0002 && price < 0.005,
  },
  {
    name: 'price of a share in dollars',
    factor: 1,
    test: (line) => isPriceOfShare(line) && line.price >= 5 && line.price < 5_000,
  },
  {
    name: 'price of a share in thousands',
    factor: 1000,
    test: (line) => isPriceOfShare(line) && line.price >= 0.0005 && line.price < 0.5,
  },
]

const isNear = ({ price, others }: Compared, times: number) => {
  const ratio = (price / others) * times
  return ratio > 0.5 && ratio < 2
}

const PRICES_OF_OTHERS: readonly UnitSignal<Compared>[] = [
  { name: 'half to twice the price of others', factor: 1, test: (compared) => isNear(compared, 1) },
  { name: 'a thousandth of that', factor: 1000, test: (compared) => isNear(compared, 1000) },
]

/** Votes by unit, and by the signal that gave them. */
interface Voices {
  1: number
  1000: number
  bySignal: Record<string, number>
}

function voicesOf<T>(signals: readonly UnitSignal<T>[], all: Iterable<T>): Voices {
  const voices: Voices = { 1: 0, 1000: 0, bySignal: {} }
  for (const seen of all) {
    const signal = signals.find(({ test }) => test(seen))
    if (!signal) continue
    voices[signal.factor]++
    voices.bySignal[signal.name] = (voices.bySignal[signal.name] ?? 0) + 1
  }
  return voices
}

/** Counts securities by the signal that their price gives: the evidence by which `decideScale` decides. */
export const explainScale = (holdings: Iterable<Holding>): Record<string, number> =>
  voicesOf(OWN_PRICES, largestLines(holdings)).bySignal

/**
 * Two prices of one security. `price` is the value per share in the unit of the filing. `others` is in dollars per
 * share, as other managers' reports for the quarter imply it.
 */
export interface Compared {
  price: number
  others: number
}

/**
 * Returns the scale of a filing by prices of other managers; null if there are none, or if fewer than four in five
 * agree. The stored scale is corrected only if at least three prices can be compared. If the filing has fewer than
 * three securities, one price for each is needed. A single price does not outweigh the evidence of a larger filing. A
 * price between half and twice the price of the other managers means dollars; a thousandth of such a price means
 * thousands. Any other price contradicts both units: every value of 0001387131-13-002055 is a tenth of the right value,
 * and every value of 0001140361-13-025388 is ten times the right value.
 */
export function scaleByOthers(
  prices: readonly Compared[],
  { stored, securities }: { stored: number; securities: number },
): Pick<Scale, 'factor' | 'compared' | 'agreed'> | null {
  const voices = voicesOf(PRICES_OF_OTHERS, prices)
  const compared = prices.length
  const factor = voices[1] >= voices[1000] ? 1 : 1000
  const needed = factor === stored ? 1 : Math.min(3, securities)
  return compared >= needed && voices[factor] >= compared * 0.8 ? { factor, compared, agreed: voices[factor] } : null
}

/**
 * Tests whether four in five prices of other managers contradict both units. Then every value is wrong by a factor such
 * as a hundred. The unit that the filing's own prices imply is then wrong too, so the filing date decides.
 */
export function speakAgainstBoth(prices: readonly Compared[], { securities }: { securities: number }): boolean {
  const voices = voicesOf(PRICES_OF_OTHERS, prices)
  const against = prices.length - voices[1] - voices[1000]
  return prices.length >= Math.min(3, securities) && prices.length > 0 && against >= prices.length * 0.8
}

interface Line {
  cusip: string
  price: number
  amount: number
  kind: Holding['kind']
}

/**
 * Returns the line with the most shares of each security. Skips options, since filers do not agree on whether to report
 * the premium or the underlying value.
 */
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
