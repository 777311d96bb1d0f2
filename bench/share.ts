/** The share of its data that a bench uses: all, or a part to try the bench. */

/**
 * Returns the given share of a number of rows, bytes, requests, rounds or milliseconds.
 *
 * @param whole number for a whole run
 * @param share above 0, at most 1
 * @param least minimum for a part, so that something is still measured
 */
export const part = (whole: number, share: number, least = 1): number =>
  Math.min(whole, Math.max(least, Math.round(whole * share)))
