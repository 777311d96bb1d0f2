/** Whether two names may be of one company, where something else says that they are: a number, a ticker. */
import { nameOf } from './words.ts'

/** A beginning of so many letters stands for a word: "International Business Machs". */
const BEGINNING_MIN = 3

/**
 * Every word of the shorter name is met by a word of the other, or one is the beginning of the other; their order does not
 * matter, since official lists write "DISNEY WALT CO". Legal forms do not count. At least one word that is met has three
 * letters, or the names are one word each.
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
