/**
 * Words that a mistyped word may have been meant for. Each word of the dictionary has keys: what is left of its first letters
 * when one of them is left out. Two words of which one is the other with a letter left out, put in, changed or changed
 * places with the next share one of these keys, so that a few hundred words are compared letter by letter and not all.
 */

/** Letters of a word that may be mistyped; from the second number on, two of them. */
export const WRONG_MIN = 4
const TWO_WRONG_MIN = 6

/** Letters at the beginning and at the end that keys are made of: of two wrong letters, one of these has at most one. */
const KEY_LETTERS = 5
/** Sign before keys of the end. */
const END_SIGN = '$'

/** The keys by which words near this one are found; none where it is too short to be taken for another. */
export function nearKeys(word: string): string[] {
  // Of a word of four letters one may have been left out.
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
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const changed = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let count = Math.min(last[j]! + 1, row[j - 1]! + 1, changed)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) count = Math.min(count, before[j - 2]! + 1)
      row[j] = count
      if (count < least) least = count
    }
    if (least > max) return max + 1
    before = last
    last = row
  }
  return last[b.length]!
}
