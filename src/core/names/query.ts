/** Readings of typed text as the text of a tsquery over the words stored of names. */
import type { Near } from './score.ts'
import { lexeme, SIGNS, WHOLE_MAX } from './stored.ts'
import { mayBeInitials, type Reading, requiredOf, type TypedWord } from './typed.ts'

/** In how many names a word is; one that is not there is in none. */
export type Counts = ReadonlyMap<string, number>

export interface WordsQuery {
  /** What the index is asked for. */
  indexed: string
  /** What is tested on the names that it finds; null for nothing. */
  tested: string | null
}

/** Names that are tested one by one sooner than another word of theirs is looked up. */
const MANY = 1000

/**
 * The index puts together the names of all words that begin as an open one does, 36 ms for one letter at a million names: where
 * they are so many, the word is tested and another is looked up.
 */
const MANY_BEGUN = 20_000

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

const spellings = (word: TypedWord) =>
  [...new Set([word.text, word.spelled])].map((text) => lexeme(text) + (word.isOpen || word.isCut ? ':*' : ''))

export interface Known {
  counts: Counts
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
      names: namesOf(word, known),
      isBegun: word.isOpen || word.isCut,
    }))
    .sort((a, b) => a.names - b.names)
  const isIndexed = ({ names, isBegun }: (typeof parts)[number], at: number) =>
    at === 0 || (parts[0]!.names > MANY && !(isBegun && names > MANY_BEGUN))
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
  { near, hasPlaces }: Known,
): string[] {
  const texts = [...new Set([word.text, word.spelled])]
  const found = spellings(word)
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

/** Under this it is counted in how many names words are that begin as the word does. */
export const beginningOf = ({ spelled }: TypedWord) => `${spelled}*`

export const oneOf = (parts: readonly string[]) => (parts.length === 1 ? parts[0]! : `(${parts.join(' | ')})`)
