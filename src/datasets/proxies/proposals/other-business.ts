/** Detects "other business" at the end of a list of proposals, which is not a proposal. */

export const OTHER_BUSINESS = /\b(?:other|further)\s{1,3}(?:such\s{1,3})?(?:business|matters)\b/i
/**
 * Matches the beginning of other business in the last point. It may follow a proposal without a mark between the two.
 */
const BEGINS =
  /(?:^|[;,.]\s{0,3}|\s)(?:and\s{1,3})?(?:\(?(?:\d{1,2}|[a-z]|[ivx]{2,4})[.)]{1,2}\s{1,3})?(?:to\s{1,3})?(?:(?:transact|consider|act|vote|conduct|attend|address|take\s{1,3}action|transaction|consideration|discuss)(?:\s{1,3}(?:up)?on|\s{1,3}to|\s{1,3}of)?\s{1,3})?(?:(?:such|any|all)\s{1,3})?(?:other|further)\s{1,3}(?:such\s{1,3})?(?:business|matters)\b/i
/** Minimum number of letters in a proposal. Marks have fewer letters. */
const OWN_MIN = 4

/** Returns the length of the last point without other business. Returns 0 if the point has no proposal. */
export function withoutOther(point: string): number {
  const begins = BEGINS.exec(point)
  if (begins === null) return OTHER_BUSINESS.test(point.slice(0, 250)) ? 0 : point.length
  return point.slice(0, begins.index).replace(/[^\p{L}]/gu, '').length < OWN_MIN ? 0 : begins.index
}
