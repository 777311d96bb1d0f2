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
  const ratio = closest(times[1]!)
  return times.every((each) => Math.max(each / ratio, ratio / each) < CHANGE)
    ? ratio > 1
      ? ratio
      : -Math.round(1 / ratio)
    : null
}

/** The nearest ratio, of a split or of shares put together. */
const closest = (times: number) =>
  [...RATIOS, ...RATIOS.map((ratio) => 1 / ratio)].reduce((best, ratio) =>
    Math.abs(Math.log(times / ratio)) < Math.abs(Math.log(times / best)) ? ratio : best,
  )
