/** Decides whether and when a failed request is sent again. Every operation is a GET, so sending it twice is harmless. */
import type { OpenFilingsError } from './errors.ts'

/** Statuses after which the same request may succeed. */
const STATUSES: ReadonlySet<number | null> = new Set([429, 502, 503, 504])

/** Codes of errors after which a retry would take just as long and fail again. */
const USELESS: ReadonlySet<string> = new Set(['query_too_expensive', 'count_too_expensive', 'list_not_loaded'])

const FIRST_WAIT_MS = 500
/** Spreads the retries of clients that were refused at the same moment. */
const SPREAD_MS = 250

export interface RetryBounds {
  retries: number
  maxWaitMs: number
  random: () => number
}

/**
 * Returns the wait before the next attempt in milliseconds; null if the error is final: the request cannot succeed, has
 * been repeated often enough, or the service asks for a longer wait than allowed.
 *
 * @param attempt 1 after the first failure
 */
export function retryWait(
  error: OpenFilingsError,
  attempt: number,
  { retries, maxWaitMs, random }: RetryBounds,
): number | null {
  if (attempt > retries || USELESS.has(error.code)) return null
  if (error.code !== 'network' && !STATUSES.has(error.status)) return null
  const spread = random() * SPREAD_MS
  if (error.retryAfterMs !== null) return error.retryAfterMs > maxWaitMs ? null : error.retryAfterMs + spread
  return Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), maxWaitMs) + spread
}

/** Reads `Retry-After`, which is seconds or a date, as milliseconds from now; null if it is neither. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  // Without the name of a day, a number with a sign or a fraction would be read as a year.
  const at = /^[A-Za-z]{3}/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
