/** Reads the wait that a host requests (RFC 9110, 10.2.3). */

/**
 * Returns the milliseconds that a `Retry-After` header states, in seconds or as an HTTP date; null if it is absent or
 * unreadable. The result has no upper bound.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  const ms = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(ms) ? null : Math.max(ms, 0)
}
