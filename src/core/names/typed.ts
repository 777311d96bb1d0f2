/** What a person may mean by the text typed: its words, and other ways to read them. */
import { IGNORED, LEGAL_FORMS, LONG_FORMS, NICKNAMES } from './spelling.ts'
import { isForm, wordsOf } from './words.ts'

/** A word of a reading. */
export interface TypedWord {
  /** As names are compared. */
  text: string
  /** As it was typed, folded. */
  spelled: string
  /** May be the beginning of a word: the last one, while somebody types. */
  isOpen: boolean
  /** May be a word cut short, since no name has it as it is: "morg stanley". */
  isCut: boolean
  /** Never decides: a legal form at the end. */
  isOptional: boolean
  /** Typed as letters apart: "j&j", "a.i.g.". */
  isInitials: boolean
  /** In a name it stands right behind the word before: both are parts of one typed word. */
  isAttached: boolean
}

/** One way to read typed text; the first of several is the plain one. */
export type Reading = readonly TypedWord[]

/** Words of typed text looked at. */
const WORDS_MAX = 12
/** With more words nobody leaves out a blank by thinking of two words as one. */
const JOINED_WORDS_MAX = 10
/** Letters that a word cut short has left. */
const CUT_MIN = 3
/** Letters of a nickname after which it is taken for one. */
const NICKNAME_MIN = 3

/** The words typed, without other readings of them; none when there is neither letter nor digit. */
export function plainReading(typed: string): Reading {
  const words = wordsOf(typed).slice(0, WORDS_MAX)
  let required = words.length
  while (required > 1 && isForm(words[required - 1]!)) required--
  const last = words.length - 1
  return words.map(({ text, spelled, isInitials }, at) => ({
    text,
    spelled,
    isInitials,
    isOpen: at === last,
    isCut: false,
    isOptional: at >= required,
    isAttached: false,
  }))
}

/** The legal forms that people spell out. */
const FORMS = 'inc incorporated llc lp llp ltd limited corp corporation co company plc'.split(' ')
const beginsForm = (spelled: string) => FORMS.some((form) => form.startsWith(spelled))

/**
 * The plain reading; then with a last word that is the beginning of a legal form, "goldman sachs l", which decides as little
 * as all of it; with a nickname spelled out; with two words as one, "black rock".
 */
export function readingsOf(plain: Reading): Reading[] {
  return [plain, ...halfForm(plain), ...nicknames(plain), ...joinings(plain)]
}

/** Readings of text that a list is filtered by: nicknames count only as a whole. */
export function filterReadings(plain: Reading): Reading[] {
  return [plain, ...nicknames(plain.map((word) => ({ ...word, isOpen: false }))), ...joinings(plain)]
}

function halfForm(plain: Reading): Reading[] {
  const last = plain.at(-1)!
  if (plain.length < 2 || last.isOptional || !beginsForm(last.spelled)) return []
  return [[...plain.slice(0, -1), { ...last, isOptional: true }]]
}

function nicknames(plain: Reading): Reading[] {
  return Object.entries(NICKNAMES).flatMap(([nickname, meaning]) => {
    const parts = nickname.split(' ')
    return plain.flatMap((_, at) => {
      const typed = plain.slice(at, at + parts.length)
      const isMeant =
        typed.length === parts.length &&
        typed.every(
          ({ spelled, isOpen }, i) =>
          isOpen ? spelled.length >= Math.min(NICKNAME_MIN, parts[i]!.length) && parts[i]!.startsWith(spelled) : spelled === parts[i], // biome-ignore format: one line
        )
      if (!isMeant) return []
      const words = meaning.split(' ').map((word) => required(word))
      return [[...plain.slice(0, at), ...words, ...plain.slice(at + parts.length)]]
    })
  })
}

const required = (spelled: string): TypedWord => ({
  text: LONG_FORMS[spelled] ?? spelled,
  spelled,
  isOpen: false,
  isCut: false,
  isOptional: false,
  isInitials: false,
  isAttached: false,
})

/** Two words as one: in the reading at each place, the words at that place and the next. */
export function joinings(plain: Reading): Reading[] {
  if (plain.length > JOINED_WORDS_MAX) return []
  return plain.slice(1).map((second, at) => {
    const first = plain[at]!
    const spelled = first.spelled + second.spelled
    const word = {
      ...second,
      text: LONG_FORMS[spelled] ?? spelled,
      spelled,
      isOptional: first.isOptional,
      isInitials: false,
    }
    return [...plain.slice(0, at), word, ...plain.slice(at + 2)]
  })
}

/** What is left of "dodge a" or "dodge an" on the way to "dodge and cox"; null where no "and" is begun. */
export function withoutHalfAnd(plain: Reading): Reading | null {
  return plain.length > 1 && /^an?$/.test(plain.at(-1)!.spelled) ? plain.slice(0, -1) : null
}

/** Of fewer words none is one too many, but for the place. */
const SHORTENED_MIN = 3

/**
 * The readings that leave one word out: "jp morgan chase" where there is J.P. Morgan alone, "vanguard ny" where it is elsewhere.
 * Every word must be one of a name: with a word that nobody knows somebody is meant who is not here.
 */
export function shorterReadings(
  plain: Reading,
  isKnown: (word: TypedWord) => boolean,
  isPlace: (word: TypedWord) => boolean,
): Reading[] {
  const words = requiredOf(plain)
  if (!words.every(isKnown)) return []
  return words
    .map((word) => plain.filter((other) => other !== word))
    .filter((left, at) => words.length >= SHORTENED_MIN || (left.length > 0 && words.length > 1 && isPlace(words[at]!)))
}

/** The reading with one of its words in parts, as a dictionary knows them: "jpmorgan" as "jp" and "morgan". */
export function splitReading(reading: Reading, at: number, parts: readonly string[]): Reading {
  const whole = reading[at]!
  const words = parts.flatMap((part, i) => {
    if (IGNORED.has(part)) return []
    const isAttached = i > 0 && !(i === 1 && IGNORED.has(parts[0]!))
    return [{ ...required(part), isOpen: whole.isOpen && i === parts.length - 1, isAttached }]
  })
  return [...reading.slice(0, at), ...words, ...reading.slice(at + 1)]
}

/** Initials of as many words are typed. */
const INITIALS = /^\p{L}{2,6}$/u
export const mayBeInitials = ({ text }: TypedWord) => INITIALS.test(text)

/** The reading with those words cut short that are chosen. */
export const cutReading = (reading: Reading, isChosen: (word: TypedWord) => boolean): Reading =>
  reading.map((word) => ({ ...word, isCut: !word.isOpen && word.spelled.length >= CUT_MIN && isChosen(word) }))

/**
 * "llc" alone: half of all names have it where it does not decide, and only those that begin so are meant. Of two letters it may
 * be the beginning of any word.
 */
export function isFormAlone(reading: Reading): boolean {
  const words = requiredOf(reading)
  return words.length === 1 && words[0]!.text.length > 2 && LEGAL_FORMS.has(words[0]!.text)
}

/** Words without which no name is meant. */
export const requiredOf = (reading: Reading) => reading.filter(({ isOptional }) => !isOptional)
