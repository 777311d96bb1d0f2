/**
 * Splits a name for the search into its words and the words of the legal form at its end. All spellings of a word
 * become the one spelling in which names are compared. Typed text is split by the same rules, so that it can match
 * names.
 */
import { fold, isAscii } from '../read/fold.ts'
import { IGNORED, LEGAL_FORMS, LONG_FORMS, SPELLED_FORMS, TAGS } from './spelling.ts'

/** One word of a name. */
export interface Word {
  /** The word as it is compared. */
  text: string
  /** The word as the name has it, folded. `spelled` differs from `text` if `text` is the long form of the word. */
  spelled: string
  /** Whether the word was joined from separate letters, as in "J. P." or "AT&T": each letter is an initial. */
  isInitials: boolean
  /** Whether the word is a state or another mark that EDGAR adds after a slash. */
  isTag: boolean
}

export interface Name {
  /** At least one word, unless the name has no letter and no digit. */
  core: readonly Word[]
  /** Legal form and EDGAR's tags, in the order of the name. */
  tail: readonly Word[]
}

/** Maximum number of words that are read; the longest name of a quarter of EDGAR has 28. */
const WORDS_MAX = 40

/** Letters that Unicode does not decompose into a base letter and an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h',
} // biome-ignore format: a table
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** Apostrophes within a word: O'Hare and McDonald's are each one word. */
const APOSTROPHE = /(?<=[\p{L}\p{N}])['’‘ʼ`´](?=\p{L})/gu

// PostgreSQL accepts no lexeme of more than 2,046 bytes, so a word of more than 200 letters becomes several.
const PIECE = /(?:([/\\])\s*)?([\p{L}\p{N}]{1,200}|[&+])/gu
// Nearly every name is ASCII, and is split in a third of the time if Unicode's tables are not used.
const ASCII_PIECE = /(?:([/\\])\s*)?([a-z0-9]{1,200}|[&+])/g

/** @param name as filed, or as typed */
export function nameOf(name: string): Name {
  const words = wordsOf(name)
  let end = words.length
  while (end > 1 && isForm(words[end - 1]!)) end--
  return { core: words.slice(0, end), tail: words.slice(end) }
}

/** The words of a name as they are compared, without its legal form. */
export const coreOf = (name: string): string[] => nameOf(name).core.map(({ text }) => text)

/** All words of a name in their order; "and" and "the" only if the name has no other words. */
export function wordsOf(name: string): Word[] {
  const pieces = piecesOf(name)
  const joined = pieces.some(isLetter) ? joinInitials(joinForm(pieces)) : pieces
  const words = joined.filter(({ text }) => !IGNORED.has(text))
  return words.length > 0 ? words : joined
}

/** Whether the word is a legal form or one of EDGAR's tags, which may be left out at the end of a name. */
export const isForm = ({ text, isTag }: Word) => isTag || LEGAL_FORMS.has(text)

/** The words joined without blanks: the same for "black rock" and "blackrock". */
export const squeezed = (words: readonly Word[]) => words.map(({ text }) => text).join('')

function piecesOf(name: string): Word[] {
  const folded = fold(/['’‘ʼ`´]/.test(name) ? name.replace(APOSTROPHE, '') : name)
  const plain = isAscii(folded) ? folded : folded.replace(LETTER, (letter) => LETTERS[letter]!)
  const pieces: Word[] = []
  // `matchAll` would make a new expression for each name, and making it takes as long as finding two words.
  const piece = isAscii(plain) ? ASCII_PIECE : PIECE
  piece.lastIndex = 0
  for (let found = piece.exec(plain); found !== null; found = piece.exec(plain)) {
    const spelled = found[2] === '&' || found[2] === '+' ? 'and' : found[2]!
    const isTag = found[1] !== undefined && TAGS.has(spelled)
    pieces.push({ text: isTag ? spelled : (LONG_FORMS.get(spelled) ?? spelled), spelled, isInitials: false, isTag })
    if (pieces.length === WORDS_MAX) break
  }
  // Signs alone are not a name.
  return pieces.every(({ text }) => text === 'and') && !/[\p{L}\p{N}]/u.test(plain) ? [] : pieces
}

const isLetter = (word: Word | undefined) =>
  word !== undefined && word.spelled.length <= 2 && /^\p{L}$/u.test(word.spelled)

const joinedTo = (words: readonly Word[], isInitials: boolean): Word => {
  const spelled = words.map((word) => word.spelled).join('')
  return { text: spelled, spelled, isInitials, isTag: false }
}

/**
 * Legal forms whose separate letters are joined even after another single letter: "FUND B, L.P.", "(U.S.), L.P.". The
 * letters of other forms are not joined there: "U.S.A." does not end in "S.A.".
 */
const SURE_FORMS = /^(l{1,3}[cp]|plc)$/

/**
 * Joins separate letters of a legal form ("L L C") at the end of a name, where only tags and other forms may follow.
 * Elsewhere such letters are initials.
 */
function joinForm(pieces: readonly Word[]): Word[] {
  let end = pieces.length
  while (end > 0 && !isLetter(pieces[end - 1]) && isForm(pieces[end - 1]!)) end--
  for (const length of [4, 3, 2]) {
    const letters = pieces.slice(Math.max(0, end - length), end)
    if (letters.length < length || !letters.every(isLetter)) continue
    const form = joinedTo(letters, false)
    const isApart = !isLetter(pieces[end - length - 1]) || SURE_FORMS.test(form.text)
    if (isApart && SPELLED_FORMS.has(form.text)) return [...pieces.slice(0, end - length), form, ...pieces.slice(end)]
  }
  return [...pieces]
}

const isAnd = (word: Word | undefined) => word?.text === 'and'
const isShort = (word: Word | undefined) =>
  word !== undefined && /^\p{L}{1,2}$/u.test(word.spelled) && !LEGAL_FORMS.has(word.text)

/**
 * Joins single letters in a row into one word, with or without "and" between them: "J. P.", "J & J". Also joins a word
 * of two letters and a single letter with an "and" between them, in either order: "AT&T", "GW&K".
 */
function joinInitials(pieces: readonly Word[]): Word[] {
  const words: Word[] = []
  for (let at = 0; at < pieces.length; ) {
    const run = [pieces[at]!]
    let next = at + 1
    for (;;) {
      const skipped = isAnd(pieces[next]) ? next + 1 : next
      const [before, after] = [run.at(-1)!, pieces[skipped]]
      const areLetters = isLetter(before) && isLetter(after)
      const areShort = skipped > next && isShort(before) && isShort(after) && (isLetter(before) || isLetter(after))
      if (!areLetters && !areShort) break
      run.push(after!)
      next = skipped + 1
    }
    words.push(run.length > 1 ? joinedTo(run, true) : run[0]!)
    at = next
  }
  return words
}
