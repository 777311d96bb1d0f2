/** Possible meanings of typed text: its words, and other ways to read them. */
import { IGNORED, LEGAL_FORMS, LONG_FORMS, NICKNAMES } from './spelling.ts'
import { isForm, wordsOf } from './words.ts'

/** A word of one reading of a query. */
export interface TypedWord {
  /** The word in the spelling in which names are compared. */
  text: string
  /** The word as it was typed, folded. */
  spelled: string
  /** Whether the word may be unfinished. This is true for the last word, which the person may still be typing. */
  isOpen: boolean
  /** Whether the word may be cut short, since no name has the word as typed: "morg" in "morg stanley". */
  isCut: boolean
  /** Whether the word does not decide a match, because it is a legal form at the end. */
  isOptional: boolean
  /** Whether the word was typed as separate letters: "j&j", "a.i.g.". */
  isInitials: boolean
  /** Whether the word must directly follow the previous word in a name, since both are parts of one typed word. */
  isAttached: boolean
}

/** One way to read typed text. The first of several readings is the text as typed. */
export type Reading = readonly TypedWord[]

/** Maximum number of words of the typed text that are read. */
const WORDS_MAX = 12
/**
 * In text with more words than this, no two words are read as one: a person who types so many words rarely inserts a
 * blank by mistake.
 */
const JOINED_WORDS_MAX = 10
/** Minimum number of letters of a word that is read as cut short. */
const CUT_MIN = 3
/** Minimum number of letters of a nickname's prefix that is treated as the nickname. */
const NICKNAME_MIN = 3

/** The typed words, read as they are; none if the text has neither letter nor digit. */
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

/** The legal forms that an unfinished last word may begin. */
const FORMS = 'inc incorporated llc lp llp ltd limited corp corporation co company plc'.split(' ')
const beginsForm = (spelled: string) => FORMS.some((form) => form.startsWith(spelled))

/**
 * The plain reading, then the other readings. Some take the last word for the beginning of a legal form ("goldman sachs
 * l"). Some spell out a nickname. Some join two words ("black rock").
 */
export function readingsOf(plain: Reading): Reading[] {
  return [plain, ...halfForm(plain), ...nicknames(plain), ...joinings(plain)]
}

/** Readings of text by which a list is filtered. Here a nickname counts only if it is typed in full. */
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

/** Joins two words: the reading at place n has the words at n and n + 1 as one word. */
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

/**
 * The reading without a last word "a" or "an". That word may be an unfinished "and": "dodge an" on the way to "dodge
 * and cox". Null if the last word is neither of the two.
 */
export function withoutHalfAnd(plain: Reading): Reading | null {
  return plain.length > 1 && /^an?$/.test(plain.at(-1)!.spelled) ? plain.slice(0, -1) : null
}

/**
 * Minimum number of typed words for a search that may leave out any one of them. If fewer words are typed, only the
 * name of a place may be left out.
 */
const SHORTENED_MIN = 3

/**
 * The readings that leave one word out: "jp morgan chase" if only J.P. Morgan is stored, "vanguard ny" if Vanguard is
 * elsewhere. Each of the words must occur in some name. An unknown word shows that the person means a name that is not
 * stored.
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

/** The reading with one of its words split into words of the dictionary: "jpmorgan" into "jp" and "morgan". */
export function splitReading(reading: Reading, at: number, parts: readonly string[]): Reading {
  const whole = reading[at]!
  const words = parts.flatMap((part, i) => {
    if (IGNORED.has(part)) return []
    const isAttached = i > 0 && !(i === 1 && IGNORED.has(parts[0]!))
    return [{ ...required(part), isOpen: whole.isOpen && i === parts.length - 1, isAttached }]
  })
  return [...reading.slice(0, at), ...words, ...reading.slice(at + 1)]
}

/** Matches a word that may be the initials of two to six words. */
const INITIALS = /^\p{L}{2,6}$/u
export const mayBeInitials = ({ text }: TypedWord) => INITIALS.test(text)

/**
 * Returns the reading with the chosen words marked as cut short. A last word and a word of fewer than CUT_MIN letters
 * are never marked.
 */
export const cutReading = (reading: Reading, isChosen: (word: TypedWord) => boolean): Reading =>
  reading.map((word) => ({ ...word, isCut: !word.isOpen && word.spelled.length >= CUT_MIN && isChosen(word) }))

/**
 * Whether the reading is a legal form alone, such as "llc". Half of all names end with a legal form, so such a search
 * finds only the names that begin with it. A form of two letters is excluded: it may be the beginning of any word.
 */
export function isFormAlone(reading: Reading): boolean {
  const words = requiredOf(reading)
  return words.length === 1 && words[0]!.text.length > 2 && LEGAL_FORMS.has(words[0]!.text)
}

/** The words that a name must match. */
export const requiredOf = (reading: Reading) => reading.filter(({ isOptional }) => !isOptional)
