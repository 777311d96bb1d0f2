/**
 * Words that a mistyped word may have been meant for. Each word of the dictionary has keys: what is left of its first letters
 * when one of them is left out. Two words of which one is the other with a letter left out, put in, changed or changed
 * places with the next share one of these keys, so that a few dozen words are compared letter by letter and not all: 69 at the
 * median and 276 at the 90th of a hundred of 257,000, with keys of six letters; 649 and 1,582 with five, which find no more.
 */

/** Letters of a word that may be mistyped; from the second number on, two of them. */
export const WRONG_MIN = 4
const TWO_WRONG_MIN = 8

/** Letters at the beginning and at the end that keys are made of: of two wrong letters, one of these has at most one. */
const KEY_LETTERS = 6
/** Sign before keys of the end. */
const END_SIGN = '$'

/** The keys by which words near this one are found; none where it is too short to be taken for another. */
export function nearKeys(word: string): string[] {
  // A word of four letters may lack one.
  if (word.length === WRONG_MIN - 1) return [word]
  // Letters beyond 16 bits would be cut in two.
  if (word.length < WRONG_MIN || /\p{Surrogate}|[\u{10000}-\u{10ffff}]/u.test(word)) return []
  const keys = new Set<string>()
  const first = word.slice(0, KEY_LETTERS)
  for (let at = 0; at < first.length; at++) keys.add(first.slice(0, at) + first.slice(at + 1))
  if (word.length < KEY_LETTERS) keys.add(word)
  if (word.length > KEY_LETTERS) {
    const last = word.slice(-KEY_LETTERS)
    for (let at = 0; at < last.length; at++) keys.add(END_SIGN + last.slice(0, at) + last.slice(at + 1))
  }
  return [...keys]
}

/** Wrong letters that are forgiven in a word of this many. */
export const wrongMax = (length: number) => (length < WRONG_MIN ? 0 : length < TWO_WRONG_MIN ? 1 : 2)

/** Letters that were left out, put in, changed, or changed places with the next; more than `max` are not counted. */
export function wrongLetters(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  return Math.min(wrongByEnd(a, b, max)[b.length]!, max + 1)
}

/** The same for a word whose end may not have been typed yet. */
export function wrongAtBeginning(typed: string, word: string, max: number): number {
  const wrong = wrongByEnd(typed, word, max)
  const ends = [typed.length - 1, typed.length, typed.length + 1, word.length]
  return Math.min(max + 1, ...ends.map((end) => (end <= word.length ? (wrong[end] ?? max + 1) : max + 1)))
}

/** Wrong letters between `a` and each beginning of `b`, by its length; only those near the diagonal, that can be `max` or less. */
function wrongByEnd(a: string, b: string, max: number): number[] {
  const far = max + 1
  const length = Math.min(b.length, a.length + max)
  let before: number[] = []
  let last = Array.from({ length: length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - max)
    const to = Math.min(length, i + max)
    const row: number[] = new Array(length + 1).fill(far)
    if (from === 1) row[0] = i
    let least = row[0]!
    for (let j = from; j <= to; j++) {
      let count = Math.min(last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), last[j]! + 1, row[j - 1]! + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) count = Math.min(count, before[j - 2]! + 1)
      row[j] = count
      if (count < least) least = count
    }
    if (least > max) return row.fill(far)
    before = last
    last = row
  }
  return last
}
