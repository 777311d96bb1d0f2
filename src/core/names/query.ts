/** Readings of typed text as the text of a tsquery over the words stored of names. */
import type { Near } from './score.ts'
import { lexeme, SIGNS, WHOLE_MAX } from './stored.ts'
import { mayBeInitials, type Reading, requiredOf, type TypedWord } from './typed.ts'

/** In how many names a word is; one that is not there is in none. */
export type Counts = ReadonlyMap<string, number>

/** For beginnings of words, the words of names that begin so; only where they are few. */
export type Beginnings = ReadonlyMap<string, readonly string[]>

export interface WordsQuery {
  /** What the index is asked for. */
  indexed: string
  /** What is tested on the names that it finds; null for nothing. */
  tested: string | null
}

/** Names that are tested one by one sooner than another word of theirs is looked up. */
const MANY = 100

/**
 * The index puts together the names of all words that begin as an open one does, 36 ms for one letter at a million names: where
 * they are so many times those of the rarest word, these are tested instead.
 */
const BEGUN_EACH = 10

/** Initials are counted nowhere: of a million names so many have two letters that are as likely as others. */
const INITIALS = 1500

/** Longer beginnings that nobody counted are taken for rare, shorter ones for common. */
const RARE_BEGINNING_MIN = 4

/**
 * Names that are just so but for the legal form, or that begin so; wherever blanks are, and in another order of the words,
 * since EDGAR has people by their last names.
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

/** A last name first, or last: of "jen hsun huang" "huang jen hsun", of "bezos jeffrey" "jeffrey bezos". */
function turned(words: readonly string[]): string[][] {
  if (words.length < 2) return []
  return [
    [words.at(-1)!, ...words.slice(0, -1)],
    [...words.slice(1), words[0]!],
  ]
}

/** Names that have all words of the reading, by nothing but words. */
export function plainQuery(reading: Reading): string {
  const words = requiredOf(reading).map((word) => oneOf(spellings(word)))
  return words.length === 1 ? words[0]! : `(${words.join(' & ')})`
}

/**
 * The words that an open one may be are named where they are few: the index then takes two words together step by step. For a
 * beginning it first puts together all names: "john" and "trust" in 13 ms instead of 4 at a million names.
 */
const spellings = (word: TypedWord, beginnings?: Beginnings) =>
  [...new Set([word.text, word.spelled])].flatMap((text) => {
    if (!word.isOpen && !word.isCut) return [lexeme(text)]
    return beginnings?.get(text)?.map(lexeme) ?? [`${lexeme(text)}:*`]
  })

export interface Known {
  counts: Counts
  beginnings: Beginnings
  near?: Near
  hasPlaces: boolean
}

/**
 * Names that have all words of the reading. The index is asked for the word that is in the fewest, and for the others too
 * where even that is in many.
 */
export function wordsQuery(reading: Reading, known: Known): WordsQuery {
  const words = requiredOf(reading)
  const isSplit = words.some(({ isAttached }) => isAttached)
  const parts = words
    .map((word, at) => ({
      text: oneOf(choices(word, { isFirst: at === 0 && !isSplit, isOnly: words.length === 1 || isSplit }, known)),
      names: namesOf(word, known) + (at === 0 && !isSplit && mayBeInitials(word) ? INITIALS : 0),
      isBegun: (word.isOpen || word.isCut) && !known.beginnings.has(word.spelled),
    }))
    .sort((a, b) => a.names - b.names)
  const isIndexed = ({ names, isBegun }: (typeof parts)[number], at: number) =>
    at === 0 || (parts[0]!.names > MANY && !(isBegun && names > parts[0]!.names * BEGUN_EACH))
  const join = (chosen: readonly { text: string }[]) => chosen.map(({ text }) => text).join(' & ')
  const indexed = join(parts.filter(isIndexed))
  if (isSplit) return { indexed, tested: inPlace(words, known) }
  const tested = parts.filter((part, at) => !isIndexed(part, at))
  return { indexed, tested: tested.length > 0 ? join(tested) : null }
}

/** The parts of a word that was split next to each other. */
function inPlace(words: readonly TypedWord[], known: Known): string {
  return words
    .map((word, at) => {
      const joint = at === 0 ? '' : word.isAttached ? ' <-> ' : ' & '
      return joint + oneOf(choices(word, { isFirst: false, isOnly: true }, known))
    })
    .join('')
}

/** What stands for the word in a name: itself, its beginning, its short form, initials, a place, a word it was meant for. */
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

/** About how many names the word finds; without end where that is not known. */
function namesOf(word: TypedWord, { counts, near, hasPlaces }: Known): number {
  const texts = [...new Set([word.text, word.spelled])]
  const own = texts.flatMap((text) => [text, ...(hasPlaces ? [SIGNS.place + text] : [])])
  const isBeginning = word.isOpen || word.isCut
  const unknown = word.spelled.length < RARE_BEGINNING_MIN ? Number.POSITIVE_INFINITY : 0
  const beginning = isBeginning ? (counts.get(beginningOf(word)) ?? unknown) : 0
  const others = [...own, ...(near?.get(word.text)?.keys() ?? [])]
  return beginning + others.reduce((sum, text) => sum + (counts.get(text) ?? 0), 0)
}

/** False where no name can have the word, neither as it is nor as a beginning, a place or initials. */
export function mayBeMet(
  word: TypedWord,
  { counts, isFirst, hasPlaces }: { counts: Counts; isFirst: boolean; hasPlaces: boolean },
): boolean {
  if (isFirst && mayBeInitials(word)) return true
  const texts = [...new Set([word.text, word.spelled])]
  if (texts.some((text) => counts.has(text) || (hasPlaces && counts.has(SIGNS.place + text)))) return true
  if (!word.isOpen && !word.isCut) return false
  // Of a short form the long one may be begun too, and places that begin so are not counted.
  return texts.length > 1 || counts.get(beginningOf(word)) !== 0 || (hasPlaces && word.isOpen)
}

/** Under this it is counted in how many names words are that begin as the word does. */
export const beginningOf = ({ spelled }: TypedWord) => `${spelled}*`

export const oneOf = (parts: readonly string[]) => (parts.length === 1 ? parts[0]! : `(${parts.join(' | ')})`)
