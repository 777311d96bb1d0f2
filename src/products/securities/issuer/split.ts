/**
 * Detects splits: all prices jump, and numbers of shares jump in the opposite direction. If a price is ten times too
 * high by mistake, the shares are unchanged (9000000083-21-000003). Splits are reported, but prices are not corrected.
 */

/** Ratios of splits; rarer ratios are missing because they cannot be distinguished from a change of prices. */
const RATIOS = [2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 50]
/** Maximum factor by which prices may change in addition to the split. */
const CHANGE = 1.2

/** Prices of a class in a period. */
export interface Prices {
  low: string | null
  median: string | null
  high: string | null
  /** Numbers of shares in the lines with these prices. */
  total_balance: string
}

/**
 * Returns how many times lower all prices are than in the period before, rounded to the ratio of a split; negative if
 * prices are higher. Returns null unless two conditions hold:
 * - All prices changed by this ratio, give or take a fifth.
 * - The number of shares is nearer to its earlier value times the ratio than to its earlier value. It need not match
 *   the ratio exactly, since funds buy and sell in the meantime.
 */
export function splitBetween(before: Prices, now: Prices): number | null {
  const times = (['low', 'median', 'high'] as const).map((which) => Number(before[which]) / Number(now[which]))
  if (!times.every((each) => Number.isFinite(each) && each > 0)) return null
  const ratio = closest(times[1]!)
  if (!times.every((each) => Math.max(each / ratio, ratio / each) < CHANGE)) return null
  const shares = Number(now.total_balance) / Number(before.total_balance)
  const isShares = ratio > 1 ? shares > Math.sqrt(ratio) : shares < Math.sqrt(ratio)
  if (!isShares) return null
  return ratio > 1 ? ratio : -Math.round(1 / ratio)
}

/** Returns the nearest ratio, of a split or of a reverse split. */
const closest = (times: number) =>
  [...RATIOS, ...RATIOS.map((ratio) => 1 / ratio)].reduce((best, ratio) =>
    Math.abs(Math.log(times / ratio)) < Math.abs(Math.log(times / best)) ? ratio : best,
  )
