/**
 * What is stored of a name. `key` is what a match is judged by. `words` is what it is found by, a tsvector: its words at
 * their places, in both spellings where there are two, and some that begin with a sign which no word has.
 */
import { STATES } from './spelling.ts'
import { nameOf, squeezed, type Word, wordsOf } from './words.ts'

/** Signs of what is in `words` besides the words of the name. */
export const SIGNS = {
  /** The initials of its words: gsam of Goldman Sachs Asset Management. */
  initials: '!',
  /** Its words without spaces, legal form left out: where a name begins so, it is found in one look. */
  whole: '~',
  /** A word of the place. */
  place: '@',
} as const

/** Longer beginnings are compared by `key`. */
export const WHOLE_MAX = 40

export interface StoredName {
  /** The words of the name, those of its legal form and its initials, with a bar between. */
  key: string
  /** Text of a tsvector. */
  words: string
  /** Each of its words once, as the dictionary counts them. */
  counted: readonly string[]
}

/** @param name as filed */
export function storedName(name: string): StoredName {
  const { core, tail } = nameOf(name)
  if (core.length === 0) return { key: '||', words: '', counted: [] }
  const initials = core.length > 1 ? initialsOf(core) : ''
  const counted = new Set<string>()
  let words = `${lexeme(SIGNS.whole + squeezed(core).slice(0, WHOLE_MAX))}`
  if (initials) words += ` ${lexeme(SIGNS.initials + initials)}`
  let place = 0
  for (const { text, spelled } of [...core, ...tail]) {
    place++
    counted.add(text)
    words += ` ${lexeme(text)}:${place}`
    if (spelled === text) continue
    counted.add(spelled)
    words += ` ${lexeme(spelled)}:${place}`
  }
  return { key: `${textOf(core)}|${textOf(tail)}|${initials}`, words, counted: [...counted] }
}

const textOf = (words: readonly Word[]) => words.map(({ text }) => text).join(' ')

/**
 * The `words` of something with several names: any of them finds it.
 *
 * @param names as filed
 */
export function wordsOfNames(names: readonly string[]): string {
  const apart = (words: string, at: number) =>
    words.replace(/(?<=:)\d+/g, (place) => String(Number(place) + at * NAME_APART))
  return names.map((name, at) => apart(storedName(name).words, at)).join(' ')
}

/** So far apart that the last word of a name is never next to the first of another. */
const NAME_APART = 100

/** Words have letters and digits alone, so there is nothing in them to escape. */
export const lexeme = (word: string) => `'${word}'`

const initialsOf = (core: readonly Word[]) => core.map(({ text, isInitials }) => (isInitials ? text : [...text][0])).join('') // biome-ignore format: one line

/**
 * Words of a place, for a thing that has one.
 *
 * @returns the words, as a match is judged by; the text of a tsvector; and what the dictionary counts
 */
export function storedPlace(city: string | null, state: string | null): { place: string } & Omit<StoredName, 'key'> {
  const code = state?.toLowerCase() ?? ''
  const named = [city ?? '', code, STATES[code] ?? ''].flatMap((part) => wordsOf(part))
  const words = [...new Set(named.flatMap(({ text, spelled }) => [text, spelled]))]
  const counted = words.map((word) => SIGNS.place + word)
  return { place: words.join(' '), words: counted.map(lexeme).join(' '), counted }
}
