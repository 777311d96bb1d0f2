/**
 * Detects changes of the number of shares from amounts per share: a split, its reverse, or a dividend in shares.
 * Nothing is adjusted: later filings restate some amounts after a split, and the other amounts stay as they were filed.
 */
import { byFiled, compare, type Fact } from './fact.ts'
import { days } from './periods.ts'

export interface ShareChange {
  /** Divisor of amounts per share: 20 if one share became 20, 0.1 if ten became one. */
  factor: number
  /** The first filing that restates older amounts by this factor. */
  filed: string
  accession: string
  /** Number of periods that show this change. */
  periods: number
}

/** An amount per share that was reported again for its period. `at` is the fact with the new amount. */
interface Restated {
  factor: number
  period: string
  at: Fact
}

/**
 * Returns the factors by which amounts per share of two or more periods were restated, the earliest first. A single
 * period proves nothing: a loss of 8 cents that becomes 4 under a new standard is not a split (Advanced Micro Devices,
 * 2017).
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

/** Number of days after which the same factor is a new change. */
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
 * Returns the divisor by which an amount per share was restated; null if no factor of `FACTORS`, as divisor or
 * multiplier, explains the new amount. Also returns null for amounts below 5 cents: they are rounded to a cent, so
 * nearly any divisor would explain them.
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

/** Tests whether one or two changes of the number of shares explain how an amount per share was restated. */
export function explains(changes: readonly ShareChange[], first: string, latest: string): boolean {
  const factors = changes.flatMap(({ factor }, at) => [
    factor,
    ...changes.slice(at + 1).map((later) => factor * later.factor),
  ])
  const [a, b] = [Number(first), Number(latest)]
  return factors.some((factor) => Math.abs(a / factor - b) <= 0.0055 + Math.abs(0.005 / factor))
}
