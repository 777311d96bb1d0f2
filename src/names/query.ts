/** Turns readings of typed text into the text of a tsquery over the stored words of names. */
import type { Near } from './score.ts'
import { lexeme, SIGNS, WHOLE_MAX } from './stored.ts'
import { mayBeInitials, type Reading, requiredOf, type TypedWord } from './typed.ts'

/** How many names have each word. No name has a word that is missing here. */
export type Counts = ReadonlyMap<string, number>

/** For each prefix, the words that begin with it in names, if there are few such words. */
export type Beginnings = ReadonlyMap<string, readonly string[]>

export interface WordsQuery {
  /** The condition for the index. */
  indexed: string
  /** The test for the names that the index finds; null if no test is needed. */
  tested: string | null
}

/** If at most this many names are left, testing them one by one is quicker than looking up another word. */
const MANY = 100

/**
 * For an unfinished word the index merges the names of all words that begin with it: 36 ms for one letter at a million
 * names. If these names outnumber the names with the rarest word by this factor, the names with the rarest word are
 * tested instead.
 */
const BEGUN_EACH = 10

/**
 * Maximum number of names of a band that are tested. The most important of the names that pass the test are read. If a
 * band has more names, an arbitrary part of them is tested. This is good enough: all names in a band have about the
 * same weight, and another stream (names/search.ts) reads the names that match better.
 */
export const TESTED_MAX = 1000

/**
 * The dictionary does not count initials, so their number is estimated. In a million names, about this many names share
 * two initials of usual frequency, and each further initial leaves a tenth of these names.
 */
const INITIALS = 1500
const initialsOf = ({ text }: TypedWord) => INITIALS / 10 ** (text.length - 2)

/**
 * A prefix that was not counted is assumed to be rare if it has this many letters or more, and common if it has fewer
 * letters.
 */
const RARE_BEGINNING_MIN = 4

/**
 * Returns the query for names that begin with the typed text; with `exact`, for names that equal the typed text except
 * for the legal form. Blanks may be at other positions. The first or last word may be moved to the other end, since
 * EDGAR writes the last name of a person first.
 */
export function wholeQuery(readings: readonly Reading[], { exact }: { exact: boolean }): string {
  const wholes = readings.flatMap((reading) => {
    const words = requiredOf(reading)
    const last = words.at(-1)!
    const before = words.slice(0, -1).map(({ text }) => text)
    const texts = words.map(({ text }) => text)
    return [texts, [...before, last.spelled], ...turned(texts)].map((parts) => parts.join('').slice(0, WHOLE_MAX))
  })
  return oneOf([...new Set(wholes)].map((whole) => lexeme(SIGNS.whole + whole) + (exact ? '' : ':*')))
}

/**
 * Moves a last name to the front or to the end: "jen hsun huang" gives "huang jen hsun", "bezos jeffrey" gives "jeffrey
 * bezos".
 */
function turned(words: readonly string[]): string[][] {
  if (words.length < 2) return []
  return [
    [words.at(-1)!, ...words.slice(0, -1)],
    [...words.slice(1), words[0]!],
  ]
}

/** Finds names that have all words of the reading as words, not as initials or places. */
export function plainQuery(reading: Reading): string {
  const words = requiredOf(reading).map((word) => oneOf(spellings(word)))
  return words.length === 1 ? words[0]! : `(${words.join(' & ')})`
}

/**
 * The spellings of a word. If only few words begin with an unfinished word, these words replace the unfinished word:
 * the index can then walk the lists of two words in parallel. For a prefix, the index would first merge the lists of
 * all words that begin with the prefix: "john" and "trust" took 13 ms instead of 4 ms at a million names.
 */
const spellings = (word: TypedWord, beginnings?: Beginnings) =>
  [...new Set([word.text, word.spelled])].flatMap((text) => {
    if (!word.isOpen && !word.isCut) return [lexeme(text)]
    return beginnings?.get(text)?.map(lexeme) ?? [`${lexeme(text)}:*`]
  })

/**
 * Finds all names that have all words of the reading as words, and possibly other names. Looks up the rarest word, and
 * also the second rarest if many names have the rarest word. For the index, reading each further list of names takes
 * longer than testing the names that are left. Among 54,000 names, 'hill' & 'pier' & 'asset' & 'partners' took 2.9 ms;
 * 'hill' & 'pier' and a test of the names took 0.14 ms.
 */
export function rarestQuery(
  reading: Reading,
  { counts, beginnings }: { counts: Counts; beginnings: Beginnings },
): string {
  const words = requiredOf(reading)
    .map((word) => ({
      text: oneOf(spellings(word, beginnings)),
      names: namesOf(word, { counts, beginnings, hasPlaces: false }),
    }))
    .sort((a, b) => a.names - b.names)
  const [rarest, second] = words
  return second && rarest!.names > MANY ? `(${rarest!.text} & ${second.text})` : rarest!.text
}

export interface Known {
  counts: Counts
  beginnings: Beginnings
  near?: Near
  hasPlaces: boolean
}

/**
 * Finds names that have all words of the reading. The index looks up the rarest word. If many names have even the
 * rarest word, the index also looks up the second rarest. If so many names have the rarest word that they cannot all be
 * tested, the index looks up all words.
 */
export function wordsQuery(reading: Reading, known: Known): WordsQuery {
  const words = requiredOf(reading)
  const isSplit = words.some(({ isAttached }) => isAttached)
  const parts = words
    .map((word, at) => ({
      text: oneOf(choices(word, { isFirst: at === 0 && !isSplit, isOnly: words.length === 1 || isSplit }, known)),
      names: namesOf(word, known) + (at === 0 && !isSplit && mayBeInitials(word) ? initialsOf(word) : 0),
      isBegun: (word.isOpen || word.isCut) && !known.beginnings.has(word.spelled),
    }))
    .sort((a, b) => a.names - b.names)
  const fewest = parts[0]!.names
  const most = fewest <= MANY ? 1 : fewest <= TESTED_MAX ? 2 : parts.length
  const isExpensive = ({ names, isBegun }: (typeof parts)[number]) => isBegun && names > fewest * BEGUN_EACH
  const indexedParts = parts.filter((part, at) => at === 0 || !isExpensive(part)).slice(0, most)
  const join = (chosen: readonly { text: string }[]) => chosen.map(({ text }) => text).join(' & ')
  const indexed = join(indexedParts)
  if (isSplit) return { indexed, tested: inPlace(words, known) }
  const tested = parts.filter((part) => !indexedParts.includes(part))
  return { indexed, tested: tested.length > 0 ? join(tested) : null }
}

/** The condition that the parts of a split word are next to each other. */
function inPlace(words: readonly TypedWord[], known: Known): string {
  return words
    .map((word, at) => {
      const joint = at === 0 ? '' : word.isAttached ? ' <-> ' : ' & '
      return joint + oneOf(choices(word, { isFirst: false, isOnly: true }, known))
    })
    .join('')
}

/**
 * Returns the lexemes of names that may match the typed word: the word itself, words that begin with it, its short
 * form, initials, places, and words that may have been meant.
 */
function choices(
  word: TypedWord,
  { isFirst, isOnly }: { isFirst: boolean; isOnly: boolean },
  { beginnings, near, hasPlaces }: Known,
): string[] {
  const texts = [...new Set([word.text, word.spelled])]
  const found = spellings(word, beginnings)
  if (hasPlaces && !isOnly) found.push(...texts.map((text) => lexeme(SIGNS.place + text) + (word.isOpen ? ':*' : '')))
  if (isFirst && mayBeInitials(word)) found.push(lexeme(SIGNS.initials + word.text) + (isOnly ? '' : ':*'))
  for (const text of near?.get(word.text)?.keys() ?? []) found.push(lexeme(text))
  return found
}

/** Approximate number of names with the word; infinite if unknown. */
function namesOf(word: TypedWord, { counts, near, hasPlaces }: Known): number {
  const texts = [...new Set([word.text, word.spelled])]
  const own = texts.flatMap((text) => [text, ...(hasPlaces ? [SIGNS.place + text] : [])])
  const isBeginning = word.isOpen || word.isCut
  const unknown = word.spelled.length < RARE_BEGINNING_MIN ? Number.POSITIVE_INFINITY : 0
  const beginning = isBeginning ? (counts.get(beginningOf(word)) ?? unknown) : 0
  const others = [...own, ...(near?.get(word.text)?.keys() ?? [])]
  return beginning + others.reduce((sum, text) => sum + (counts.get(text) ?? 0), 0)
}

/** Tests whether any name can match the word: unchanged, as a prefix, as a word of the owner's place, or as initials. */
export function mayBeMet(
  word: TypedWord,
  { counts, isFirst, hasPlaces }: { counts: Counts; isFirst: boolean; hasPlaces: boolean },
): boolean {
  if (isFirst && mayBeInitials(word)) return true
  const texts = [...new Set([word.text, word.spelled])]
  if (texts.some((text) => counts.has(text) || (hasPlaces && counts.has(SIGNS.place + text)))) return true
  if (!word.isOpen && !word.isCut) return false
  // The counts leave out two cases: a name's word may begin with the long form of a short form, and a place may begin
  // with the typed word.
  return texts.length > 1 || counts.get(beginningOf(word)) !== 0 || (hasPlaces && word.isOpen)
}

/** The key in `Counts` for the names with a word that begins with this word. */
export const beginningOf = ({ spelled }: Pick<TypedWord, 'spelled'>) => `${spelled}*`

export const oneOf = (parts: readonly string[]) => (parts.length === 1 ? parts[0]! : `(${parts.join(' | ')})`)
