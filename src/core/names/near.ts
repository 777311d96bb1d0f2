/**
 * Words that a mistyped word may have been meant for. Each word of the dictionary has keys: what is left of its first letters
 * when one of them is left out. Two words of which one is the other with a letter left out, put in, changed or changed
 * places with the next share one of these keys, so that a few hundred words are compared letter by letter and not all.
 */

/** Letters of a word that may be mistyped; from the second number on, two of them. */
export const WRONG_MIN = 4
const TWO_WRONG_MIN = 6

/** Letters at the beginning and at the end that keys are made of: of two wrong letters, one of these has at most one. */
export const KEY_LETTERS = 5
/** Sign before keys of the end. */
export const END_SIGN = '$'

/** The keys by which words near this one are found; none where it is too short to be taken for another. */
export function nearKeys(word: string): string[] {
  const letters = [...word]
  // Of a word of four letters one may have been left out.
  if (letters.length === WRONG_MIN - 1) return [word]
  if (letters.length < WRONG_MIN) return []
  const without = (part: readonly string[]) =>
    part.map((_, at) => [...part.slice(0, at), ...part.slice(at + 1)].join(''))
  const keys = without(letters.slice(0, KEY_LETTERS))
  if (letters.length < KEY_LETTERS) keys.push(word)
  if (letters.length > KEY_LETTERS) keys.push(...without(letters.slice(-KEY_LETTERS)).map((key) => END_SIGN + key))
  return [...new Set(keys)]
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
