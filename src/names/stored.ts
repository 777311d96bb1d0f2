/**
 * The stored form of a name. The search finds a name by `words`: a tsvector of the name's words at their positions, in
 * both spellings if a word has two. Some entries of `words` begin with a sign that no word has. Then `key` decides how
 * well the name matches.
 */
import { STATES } from './spelling.ts'
import { type Name, nameOf, squeezed, type Word, wordsOf } from './words.ts'

/** Signs of entries in `words` that are not words of the name. */
export const SIGNS = {
  /** The initials of the name's words: "gsam" for Goldman Sachs Asset Management. */
  initials: '!',
  /**
   * The words of the name joined without blanks and without the legal form: one look-up finds all names that begin with
   * a text.
   */
  whole: '~',
  /** A word of the place. */
  place: '@',
} as const

/** Maximum number of letters of the whole name that are stored; the remaining letters are compared by `key`. */
export const WHOLE_MAX = 40

/**
 * Maximum number of letters of the name in a key, since an index accepts keys of at most 2,704 bytes. Forms allow names
 * of 150 letters. The rest of the key is short: at most 40 words of the legal form, all from a known list, and at most
 * 40 initials.
 */
const KEY_MAX = 500

export interface StoredName {
  /** The words of the name, the words of its legal form, and its initials, separated by bars. */
  key: string
  /** Text of a tsvector. */
  words: string
  /** The words that the dictionary counts: each word of the name once. */
  counted: readonly string[]
}

/** @param name as filed */
export function storedName(name: string): StoredName {
  const { core, tail } = nameOf(name)
  if (core.length === 0) return { key: '||', words: '', counted: [] }
  const counted = [...core, ...tail].flatMap(({ text, spelled }) => (spelled === text ? text : [text, spelled]))
  return {
    key: `${textOf(core).slice(0, KEY_MAX).toWellFormed().trimEnd()}|${textOf(tail)}|${initialsOf(core)}`,
    words: lexemesOf({ core, tail }, 0),
    counted: [...new Set(counted)],
  }
}

const textOf = (words: readonly Word[]) => words.map(({ text }) => text).join(' ')

/** @param before the position before the first word */
function lexemesOf({ core, tail }: Name, before: number): string {
  const initials = initialsOf(core)
  let words = lexeme(SIGNS.whole + squeezed(core).slice(0, WHOLE_MAX))
  if (initials) words += ` ${lexeme(SIGNS.initials + initials)}`
  let place = before
  for (const part of [core, tail]) {
    for (const { text, spelled } of part) {
      place++
      words += ` ${lexeme(text)}:${place}`
      if (spelled !== text) words += ` ${lexeme(spelled)}:${place}`
    }
  }
  return words
}

/**
 * The `words` of an owner with several names. The search finds the owner by any of the names.
 *
 * @param names as filed
 */
export const wordsOfNames = (names: readonly string[]): string =>
  names.map((name, at) => wordsFrom(nameOf(name), at)).join(' ')

/** Does the same as `wordsOfNames`, but skips names without a word, so that such a name takes no positions. */
export const wordsOfNamesWithWords = (names: readonly string[]): string =>
  names
    .map(nameOf)
    .filter(({ core }) => core.length > 0)
    .map(wordsFrom)
    .join(' ')

const wordsFrom = (apart: Name, at: number): string =>
  apart.core.length === 0 ? '' : lexemesOf(apart, at * NAME_APART)

/**
 * Distance in positions between two names, so that the last word of one name is never next to the first word of the
 * next name.
 */
const NAME_APART = 100

/** Words have only letters and digits, so they need no escaping. */
export const lexeme = (word: string) => `'${word}'`

/** The initials of a name; none if the name has a single word. */
function initialsOf(core: readonly Word[]): string {
  if (core.length < 2) return ''
  let initials = ''
  for (const { text, isInitials } of core) initials += isInitials ? text : String.fromCodePoint(text.codePointAt(0)!)
  return initials
}

/**
 * Words of the owner's place, if the owner has a place.
 *
 * @returns the words by which a match is judged, the text of a tsvector, and the words that the dictionary counts
 */
export function storedPlace(city: string | null, state: string | null): { place: string } & Omit<StoredName, 'key'> {
  const code = state?.toLowerCase() ?? ''
  const named = [city ?? '', code, STATES.get(code) ?? ''].flatMap((part) => wordsOf(part))
  const words = [...new Set(named.flatMap(({ text, spelled }) => [text, spelled]))]
  const counted = words.map((word) => SIGNS.place + word)
  return { place: words.join(' '), words: counted.map(lexeme).join(' '), counted }
}
