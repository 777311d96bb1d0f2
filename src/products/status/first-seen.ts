import { BOUNDS, type Delays, WORDS } from '../../store/delays.ts'

/** Sums of the days; null where nothing was counted, which is not the same as none. */
export function firstSeen(days: readonly Delays[]) {
  return {
    followed_days: days.filter(({ followed }) => followed).length,
    first_seen: WORDS.map((delay, at) => ({
      delay,
      under_seconds: BOUNDS[at] ?? null,
      filings: days.length === 0 ? null : days.reduce((sum, { filings }) => sum + filings[delay], 0),
    })),
  }
}
