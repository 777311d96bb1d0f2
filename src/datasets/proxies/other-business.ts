/** The other business that comes last in a list of proposals, and is none. */

export const OTHER_BUSINESS = /\b(?:other|further)\s{1,3}(?:such\s{1,3})?(?:business|matters)\b/i
/** Where it begins in the last point, after a proposal that has no mark between them. */
const BEGINS =
  /(?:^|[;,.]\s{0,3}|\s)(?:and\s{1,3})?(?:\(?(?:\d{1,2}|[a-z]|[ivx]{2,4})[.)]{1,2}\s{1,3})?(?:to\s{1,3})?(?:(?:transact|consider|act|vote|conduct|attend|address|take\s{1,3}action|transaction|consideration|discuss)(?:\s{1,3}(?:up)?on|\s{1,3}to|\s{1,3}of)?\s{1,3})?(?:(?:such|any|all)\s{1,3})?(?:other|further)\s{1,3}(?:such\s{1,3})?(?:business|matters)\b/i
/** More of it than marks. */
const OWN_MIN = 4

/** Where the proposal ends that a last point has before its other business; its length where it has none, 0 where it has nothing else. */
export function withoutOther(point: string): number {
  const begins = BEGINS.exec(point)
  if (begins === null) return OTHER_BUSINESS.test(point.slice(0, 250)) ? 0 : point.length
  return point.slice(0, begins.index).replace(/[^\p{L}]/gu, '').length < OWN_MIN ? 0 : begins.index
}
