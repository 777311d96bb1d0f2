/** Limits on the database use of a request, by its cost class. */
import type { Cost, Route } from '../../declare/route.ts'
import type { Share } from './fair-semaphore.ts'

/** A list that skips more rows than this counts as heavy, since each skipped row is read, at least in the index. */
const OFFSET_HEAVY = 10_000

/**
 * Maximum number of submissions that requests fetch from EDGAR at once: at 5 requests a second, 8 fetches take less
 * than 2 seconds.
 */
export const FETCHES_MAX = 8

/** @param timeoutMs maximum time of a statement of any class */
export const shares = (timeoutMs: number): Record<Cost, Share> => ({
  point: { slots: 1, timeMs: timeoutMs / 3 },
  list: { slots: 0.8, timeMs: (2 * timeoutMs) / 3 },
  heavy: { slots: 0.3, timeMs: timeoutMs, areShared: true },
})

/**
 * The cost class of a request: the class of its route, or `heavy` if it skips many rows or counts all matching rows.
 */
export function costOf({ cost }: Route, { offset, count }: Readonly<Record<string, unknown>>): Cost {
  return (count !== undefined && count !== 'estimate') || (typeof offset === 'number' && offset > OFFSET_HEAVY)
    ? 'heavy'
    : cost
}
