/**
 * Changes of the number of shares, as amounts for one share show them: a split, its reverse, or a dividend in shares. Nothing
 * is adjusted. What later filings report again they report adjusted, and what they do not stays as it was.
 */
import { byFiled, compare, type Fact } from './fact.ts'
import { days } from './periods.ts'

export interface ShareChange {
  /** What amounts for one share were divided by: 20 when 20 shares were made of one, 0.1 when one was made of ten. */
  factor: number
  /** The first filing that reports older amounts so. */
  filed: string
  accession: string
  /** How many periods show it. */
  periods: number
}

/** Amounts of one period for one share, reported again: `at` is where the new amount first stands. */
interface Restated {
  factor: number
  period: string
  at: Fact
}

/**
 * The factors by which amounts for one share of two periods or more were restated, the earliest first. One period alone
 * would prove nothing: a loss of 8 cents that becomes 4 under a new standard is no split (Advanced Micro Devices, 2017).
 *
 * @param facts amounts of one tag and unit
 */
export function shareChanges(facts: readonly Fact[]): ShareChange[] {
  const restated = [...Map.groupBy(facts, ({ start, end }) => `${start}|${end}`)].flatMap(([period, of]) =>
    restatedOf(period, of.toSorted(byFiled)),
  )
  const changes = [...Map.groupBy(restated, ({ factor }) => factor)].flatMap(([factor, of]) =>
    apart(of.sort((a, b) => byFiled(a.at, b.at))).map((group) => ({
      factor,
      filed: group[0]!.at.filed,
      accession: group[0]!.at.accession,
      periods: new Set(group.map(({ period }) => period)).size,
    })),
  )
  return changes.filter(({ periods }) => periods > 1).sort((a, b) => compare(a.filed, b.filed) || a.factor - b.factor)
}

function restatedOf(period: string, facts: readonly Fact[]): Restated[] {
  return facts.slice(1).flatMap((at, before) => {
    const factor = factorOf(facts[before]!.value, at.value)
    return factor === null ? [] : [{ factor, period, at }]
  })
}

/** The same factor a second time, years later, is another change. */
const SAME_CHANGE_DAYS = 500

function apart(restated: readonly Restated[]): Restated[][] {
  const groups: Restated[][] = []
  for (const one of restated) {
    const last = groups.at(-1)?.at(-1)
    if (last && days(last.at.filed, one.at.filed) <= SAME_CHANGE_DAYS) groups.at(-1)!.push(one)
    else groups.push([one])
  }
  return groups
}

/**
 * What an amount for one share was divided by; null where no usual number of shares explains it. Amounts are rounded to a
 * cent, so of those below 5 cents nearly any number would.
 */
export function factorOf(first: string, latest: string): number | null {
  const [a, b] = [Number(first), Number(latest)]
  if (a > 0 !== b > 0) return null
  const [large, small] = [Math.max(Math.abs(a), Math.abs(b)), Math.min(Math.abs(a), Math.abs(b))]
  if (small < 0.05) return null
  const off = (factor: number) => Math.abs(large / factor - small)
  const best = FACTORS.filter((factor) => off(factor) <= 0.005 + 0.005 / factor + 1e-9).sort(
    (x, y) => off(x) - off(y),
  )[0]
  if (best === undefined) return null
  return Math.abs(a) > Math.abs(b) ? best : 1 / best
}

const FACTORS = [1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 35, 40, 50, 60, 75, 100]

/** Whether changes of the number of shares, one or two of them, explain how an amount for one share was restated. */
export function explains(changes: readonly ShareChange[], first: string, latest: string): boolean {
  const factors = changes.flatMap(({ factor }, at) => [
    factor,
    ...changes.slice(at + 1).map((later) => factor * later.factor),
  ])
  const [a, b] = [Number(first), Number(latest)]
  return factors.some((factor) => Math.abs(a / factor - b) <= 0.0055 + Math.abs(0.005 / factor))
}
