/** How much of its data a bench takes: all of it, or a part to try the bench. */

/**
 * The part of a number that a section counts by, whatever it counts: rows, bytes, requests, rounds, milliseconds.
 *
 * @param whole what a whole run takes
 * @param share above 0, at most 1
 * @param least what a part needs so that something is still measured
 */
export const part = (whole: number, share: number, least = 1): number =>
  Math.min(whole, Math.max(least, Math.round(whole * share)))
