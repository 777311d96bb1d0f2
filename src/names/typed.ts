/** Possible meanings of typed text: its words, and other ways to read them. */
import { IGNORED, LEGAL_FORMS, LONG_FORMS, NICKNAMES } from './spelling.ts'
import { isForm, wordsOf } from './words.ts'

/** A word of a reading. */
export interface TypedWord {
  /** In the spelling in which names are compared. */
  text: string
  /** As it was typed, folded. */
  spelled: string
  /** May be the beginning of a word: the last one, while somebody types. */
  isOpen: boolean
  /** May be cut short, since no name has the word as it is: "morg stanley". */
  isCut: boolean
  /** Decides nothing: it is a legal form at the end. */
  isOptional: boolean
  /** Typed as letters apart: "j&j", "a.i.g.". */
  isInitials: boolean
  /** Must follow the word before it in a name directly: both are parts of one typed word. */
  isAttached: boolean
}

/** One way to read typed text; the first of several is the plain one. */
export type Reading = readonly TypedWord[]

/** Only so many words of the typed text are looked at. */
const WORDS_MAX = 12
/** Text of more words is not read with two words joined: nobody who types so much leaves out a blank by mistake. */
const JOINED_WORDS_MAX = 10
/** A word that was cut short has at least this many letters left. */
const CUT_MIN = 3
/** From this many letters on the beginning of a nickname is taken for it. */
const NICKNAME_MIN = 3

/** The words typed, read as they are; none where there is neither letter nor digit. */
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
 * The plain reading; then the others: a last word that begins a legal form, "goldman sachs l", decides as little as the
 * whole form; a nickname spelled out; two words as one, "black rock".
 */
export function readingsOf(plain: Reading): Reading[] {
  return [plain, ...halfForm(plain), ...nicknames(plain), ...joinings(plain)]
}

/** Readings of text that a list is filtered by. Here a nickname counts only when it is typed in full. */
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
        typed.every(({ spelled, isOpen }, i) =>
          isOpen
            ? spelled.length >= Math.min(NICKNAME_MIN, parts[i]!.length) && parts[i]!.startsWith(spelled)
            : spelled === parts[i],
        )
      if (!isMeant) return []
      const words = meaning.split(' ').map((word) => required(word))
      return [[...plain.slice(0, at), ...words, ...plain.slice(at + parts.length)]]
    })
  })
}

const required = (spelled: string): TypedWord => ({
  text: LONG_FORMS.get(spelled) ?? spelled,
  spelled,
  isOpen: false,
  isCut: false,
  isOptional: false,
  isInitials: false,
  isAttached: false,
})

/** Joins two words: the reading at each place has the words at that place and the next as one. */
export function joinings(plain: Reading): Reading[] {
  if (plain.length > JOINED_WORDS_MAX) return []
  return plain.slice(1).map((second, at) => {
    const first = plain[at]!
    const spelled = first.spelled + second.spelled
    const word = {
      ...second,
      text: LONG_FORMS.get(spelled) ?? spelled,
      spelled,
      isOptional: first.isOptional,
      isInitials: false,
    }
    return [...plain.slice(0, at), word, ...plain.slice(at + 2)]
  })
}

/** The beginning of "dodge a" or "dodge an" on the way to "dodge and cox"; null if no "and" is begun. */
export function withoutHalfAnd(plain: Reading): Reading | null {
  return plain.length > 1 && /^an?$/.test(plain.at(-1)!.spelled) ? plain.slice(0, -1) : null
}

/** With fewer words, only a place can be one too many. */
const SHORTENED_MIN = 3

/**
 * The readings that leave one word out: "jp morgan chase" where only J.P. Morgan is there, "vanguard ny" where Vanguard
 * is elsewhere. Every word must be known from some name. An unknown word says that somebody is meant who is not here.
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

/** The reading with one of its words in parts, as the dictionary knows them: "jpmorgan" as "jp" and "morgan". */
export function splitReading(reading: Reading, at: number, parts: readonly string[]): Reading {
  const whole = reading[at]!
  const words = parts.flatMap((part, i) => {
    if (IGNORED.has(part)) return []
    const isAttached = i > 0 && !(i === 1 && IGNORED.has(parts[0]!))
    return [{ ...required(part), isOpen: whole.isOpen && i === parts.length - 1, isAttached }]
  })
  return [...reading.slice(0, at), ...words, ...reading.slice(at + 1)]
}

/** Initials are typed of two to six words. */
const INITIALS = /^\p{L}{2,6}$/u
export const mayBeInitials = ({ text }: TypedWord) => INITIALS.test(text)

/** The reading with the chosen words marked as cut short. */
export const cutReading = (reading: Reading, isChosen: (word: TypedWord) => boolean): Reading =>
  reading.map((word) => ({ ...word, isCut: !word.isOpen && word.spelled.length >= CUT_MIN && isChosen(word) }))

/**
 * "llc" alone: half of all names have it where it does not decide, so only names that begin so are meant. A form of two
 * letters may be the beginning of any word.
 */
export function isFormAlone(reading: Reading): boolean {
  const words = requiredOf(reading)
  return words.length === 1 && words[0]!.text.length > 2 && LEGAL_FORMS.has(words[0]!.text)
}

/** The words that a name must meet. */
export const requiredOf = (reading: Reading) => reading.filter(({ isOptional }) => !isOptional)
