/** Splits show as a jump of all prices. They are said, and nothing is corrected by them: a jump may have another reason. */

/** Ratios of splits; others are too rare to be told from a change of prices. */
const RATIOS = [2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 50]
/** What prices may have changed beside it. */
const CHANGE = 1.2

/** Prices of a class in a period. */
export interface Prices {
  low: string | null
  median: string | null
  high: string | null
}

/**
 * How many times lower all prices are than in the period before, if that is the ratio of a split within a change of a fifth;
 * negative where they are higher by it.
 */
export function splitBetween(before: Prices, now: Prices): number | null {
  const times = (['low', 'median', 'high'] as const).map((which) => Number(before[which]) / Number(now[which]))
  if (!times.every((each) => Number.isFinite(each) && each > 0)) return null
  for (const ratio of RATIOS) {
    if (times.every((each) => each < ratio * CHANGE && each > ratio / CHANGE)) return closest(times[1]!)
    if (times.every((each) => 1 / each < ratio * CHANGE && 1 / each > ratio / CHANGE)) return -closest(1 / times[1]!)
  }
  return null
}

/** Of two ratios that are near enough the nearer one. */
const closest = (times: number) =>
  RATIOS.reduce((best, ratio) => (Math.abs(Math.log(times / ratio)) < Math.abs(Math.log(times / best)) ? ratio : best))
