/** Suggests the correct word for a misspelt word. */

/**
 * Returns how many letters were added, dropped, changed, or swapped with their neighbour.
 *
 * @param max a larger distance is returned as any number above `max`: computing exact distances between all variables
 * of a shell and all settings took 15 ms at each start
 */
export function editDistance(a: string, b: string, max = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, changed)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) next[j] = Math.min(next[j]!, before[j - 2]! + 1)
    }
    // The distance in every later row is at least the smaller minimum of these two rows, so the result is above `max`.
    if (Math.min(...next) > max && Math.min(...row) > max) return max + 1
    before = row
    row = next
  }
  return row[b.length]!
}

/**
 * The candidate that a word was meant to be. It is the only candidate that begins with the word, or else the nearest
 * candidate if at most one letter in three differs.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase()
  const begun = candidates.filter((each) => typed.length >= 3 && each.toLowerCase().startsWith(typed))
  if (begun.length === 1) return begun[0]
  const max = Math.max(1, Math.floor(typed.length / 3))
  const ranked = candidates
    .map((each) => ({ each, distance: editDistance(typed, each.toLowerCase(), max) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best && best.distance <= max ? best.each : undefined
}

/** Returns `; did you mean serve?`, or an empty text if no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates)
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

/** Maximum number of values that a message proposes. */
const PROPOSED = 4
/**
 * Maximum number of values that a message lists. If there are more values, the message states where all values are
 * listed.
 */
const LISTED = 150

/** Matches a number with parts: `5.02`. */
const PARTS = /^\d+(?:\.\d+)+$/

/** Returns a number with parts without leading zeros, `5.2` for `5.02`; null for other texts. */
const numberOf = (text: string) => (PARTS.test(text) ? text.split('.').map(Number).join('.') : null)

const lettersOf = (text: string) => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * The known values that a text may mean. The first choice is a value that differs from the text only in punctuation, in
 * case, or by a word like "form" before it. The next choice is the values that begin with the text, then the values
 * that contain its letters anywhere, then the nearest value.
 *
 * @param before words that people put before a value, each with its meaning: `{ SCHEDULE: 'SC' }`
 */
export function meantBy(
  typed: string,
  known: readonly string[],
  before: Readonly<Record<string, string>> = {},
): string[] {
  const text = lettersOf(typed)
  if (text === '') return []
  const whole = typed.trim()
  const number = numberOf(whole)
  // A dot within a number separates its parts: 1.1 means item 1.01 of Form 8-K, never item 11.
  const possible = number === null ? known : known.filter((value) => value.includes('.'))
  const same = possible.filter((value) => number !== null && numberOf(value) === number)
  if (same.length > 0) return same.slice(0, PROPOSED)
  const spelled = possible.map((value) => ({ value, letters: lettersOf(value) }))
  const texts = [text]
  for (const [word, meaning] of Object.entries(before)) {
    if (text.startsWith(word) && text !== word) texts.push(meaning + text.slice(word.length))
    if (meaning !== '') texts.push(meaning + text)
  }
  const ways: ((letters: string, each: string) => boolean)[] = [
    (letters, each) => letters === each,
    (letters, each) => letters.startsWith(each),
    (letters, each) => each.length >= 3 && letters.includes(each),
  ]
  for (const meets of ways) {
    const found = texts.flatMap((each) => spelled.filter(({ letters }) => meets(letters, each)))
    if (found.length > 0) {
      const shortest = found.sort((a, b) => a.letters.length - b.letters.length)
      return [...new Set(shortest.map(({ value }) => value))].slice(0, PROPOSED)
    }
  }
  const near = nearest(whole, possible)
  return near === undefined ? [] : [near]
}

interface Suggestions {
  /** Where all values are listed, for sets that are too long for a message. */
  where?: string
  before?: Readonly<Record<string, string>>
  /** The proposed values, if a caller knows more than the spelling. */
  meant?: readonly string[]
}

/**
 * Returns the message that a value is unknown; it names the values that may be meant, and the known values.
 */
export function notKnown(
  typed: string,
  what: string,
  known: readonly string[],
  { where, before, meant = meantBy(typed, known, before) }: Suggestions = {},
): string {
  const shown = JSON.stringify(typed.length > 60 ? `${typed.slice(0, 60)}…` : typed)
  const [last, ...others] = meant.toReversed()
  const proposed = others.length > 0 ? `${others.toReversed().join(', ')} or ${last}` : last
  const all = known.length <= LISTED ? `; use one of ${known.join(', ')}` : where === undefined ? '' : `; ${where}`
  return `${shown} is not a known ${what}${proposed === undefined ? '' : `; did you mean ${proposed}?`}${all}`
}

/**
 * In a name of at most this length, one different letter means another word and is not a slip. For example, POST, SORT
 * and PART are not PORT.
 */
const SHORT = 5
/** Minimum length of a name in which two letters may be wrong: DATABASE_SSL is not DATABASE_URL. */
const LONG = 13

/** Common wrong names of a setting that are too different from its name to be found by their letters. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  CACHE_SIZE: 'CACHE_MB',
  CACHE_SIZE_MB: 'CACHE_MB',
  STATEMENT_TIMEOUT: 'STATEMENT_TIMEOUT_SECONDS',
}

/**
 * The setting that an environment variable may mean. The variable may differ from the setting by one slip, and from a
 * setting of at least `LONG` letters by two slips. The variable may belong to another program, so a caller must only
 * warn.
 */
export function settingMeant(variable: string, settings: readonly string[]): string | undefined {
  const name = variable.toUpperCase()
  if (Object.hasOwn(OTHER_NAMES, name)) return OTHER_NAMES[name]
  return settings.find((setting) => {
    const max = setting.length >= LONG ? 2 : 1
    const distance = editDistance(name, setting, max)
    if (setting.length > SHORT) return distance <= max
    return distance === 0 || (distance === 1 && (name.length !== setting.length || isShuffled(name, setting)))
  })
}

const isShuffled = (a: string, b: string) => [...a].sort().join('') === [...b].sort().join('')
