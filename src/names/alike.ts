/** For two names that an identifier or a ticker already connects: tests whether both may belong to one company. */
import { nameOf } from './words.ts'

/**
 * Minimum number of letters of a prefix that counts as the whole word: "Machs" counts as "Machines" by its prefix
 * "Mach".
 */
const BEGINNING_MIN = 3

/**
 * True if every word of the shorter name can be paired with a word of the other name. Two words form a pair if they are
 * equal, or if one is a prefix of the other. An "s" at the end of a prefix does not count. In at least one pair both
 * words must have three letters or more, unless each name is a single word. Also true if both names have the same
 * letters and differ only in their blanks. The order of the words does not matter, since official lists write "DISNEY
 * WALT CO". Legal forms do not count.
 */
export function areAlike(one: string, other: string): boolean {
  const [shorter, longer] = [wordsIn(one), wordsIn(other)].sort((a, b) => a.length - b.length) as [string[], string[]]
  if (shorter.length === 0) return false
  const left = [...longer]
  let isSure = shorter.length === 1 && longer.length === 1
  for (const word of shorter) {
    const at = left.findIndex((each) => meets(each, word))
    if (at < 0) return shorter.join('') === longer.join('')
    isSure ||= word.length >= BEGINNING_MIN && left[at]!.length >= BEGINNING_MIN
    left.splice(at, 1)
  }
  return isSure
}

const wordsIn = (name: string) => nameOf(name).core.map(({ text }) => text)

function meets(one: string, other: string): boolean {
  if (one === other) return true
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one]
  const start = shorter.endsWith('s') ? shorter.slice(0, -1) : shorter
  return start.length >= BEGINNING_MIN && longer.startsWith(start)
}
