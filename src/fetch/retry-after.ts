/** Reads the wait that a host requests (RFC 9110, 10.2.3). */

/**
 * Milliseconds from a `Retry-After` in seconds or as an HTTP date; null if absent or unreadable. Has no upper bound.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  const ms = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(ms) ? null : Math.max(ms, 0)
}
