/**
 * Splits one line of a text table into words with positions. Recognizes CUSIPs, numbers, discretion, votes and managers
 * among the words.
 */
import { cusipFlag } from '../../../../read/securityid.ts'
import type { Holding } from '../types.ts'
import { DISCRETION } from '../values.ts'
import { type Columns, columnOf } from './columns.ts'
import { type Head, headOf, type VoteHeads, type VoteKind } from './head.ts'
import { digitsOf, isAmount, isPair, looksLikeNumber, type Pair, pricedAt } from './number.ts'
import { type Word, wordsOf } from './words.ts'

/** The part of a line that decides whether it is a holding: a CUSIP followed by two numbers, or two numbers alone. */
export interface Numbers {
  /** Words before the CUSIP, or before the value if there is no CUSIP. */
  before: Word[]
  cusip: string | null
  value: Word
  amount: Word
  after: Word[]
}

/**
 * Tests for a run of dashes. Depending on its position, it is a rule above a total (0000950150-00-000938), or means no
 * votes.
 */
export const isRule = ({ text }: Word): boolean => /^-{3,}$/.test(text)

/**
 * Removes rules from the words. Dashes to the right of the amount above are votes, unless other dashes stand to its
 * left: then all dashes are one rule.
 *
 * @param amount the amount of the holding above, if there is one
 */
export const withoutRules = (words: readonly Word[], amount: Word | undefined): readonly Word[] =>
  amount === undefined || words.some((word) => isRule(word) && word.start <= amount.end)
    ? words.filter((word) => !isRule(word))
    : words

/** Tests for a CUSIP followed by a number, which makes any line a holding. */
export function hasCusip(words: readonly Word[]): boolean {
  const at = words.findIndex(({ text }, n) => text.length === 9 && isCusip([text], n))
  return at >= 0 && words.slice(at + 1).some(({ text }) => looksLikeNumber(text))
}

/**
 * Finds the CUSIP of a line and its two numbers. A CUSIP is one word of nine letters and digits (or of eight, with a
 * flag), or three words such as `025816 10 9`. A CUSIP has digits, and two numbers follow it; words of names never have
 * both.
 *
 * @param isPlaced tests whether a word is in the column of CUSIPs. The column is needed because one in ten numbers of
 *   eight digits has the check digit of a CUSIP by chance
 */
export function numbersOf(words: readonly Word[], isPlaced: (word: Word) => boolean): Numbers | null {
  for (let at = 0; at < words.length; at++) {
    for (const length of [3, 2, 1]) {
      const parts = words.slice(at, at + length).map(({ text }) => text)
      if (parts.length < length || !isCusip(parts, at)) continue
      if (length === 1 && /^\d{7,8}$/.test(parts[0]!) && (!isPlaced(words[at]!) || isParted(words, at))) continue
      const found = pairAt(words, at + length)
      if (found !== null) return { before: words.slice(0, at), cusip: joinedCusip(parts), ...found }
    }
  }
  return cusipFirst(words)
}

/**
 * Tests whether the next word may complete a CUSIP: one blank separates them, and together they have nine characters.
 */
const isParted = (words: readonly Word[], at: number): boolean => {
  const [one, next] = [words[at]!, words[at + 1]]
  return next !== undefined && next.start === one.end + 1 && one.text.length + next.text.length === 9
}

function pairAt(words: readonly Word[], at: number): Pair | null {
  const priced = pricedAt(words, at)
  if (priced !== null) return priced
  const [value, amount, next] = words.slice(at, at + 3)
  if (!value || !amount || !isPair(value.text, amount.text, next?.text)) return null
  return { value, amount, after: words.slice(at + 2) }
}

/** Maximum number of words of a name after a CUSIP. */
const NAME_WORDS = 12

/** Reads a line that begins with its CUSIP, followed by issuer and title. */
function cusipFirst(words: readonly Word[]): Numbers | null {
  const lengths = [3, 2, 1].filter((length) => {
    const parts = words.slice(0, length).map(({ text }) => text)
    return parts.length === length && isCusip(parts, 1) && cusipFlag(joinedCusip(parts)) === null
  })
  for (const length of lengths) {
    for (let at = length + 1; at < Math.min(words.length - 1, length + NAME_WORDS); at++) {
      const found = pairAt(words, at)
      if (found === null) continue
      const cusip = joinedCusip(words.slice(0, length).map(({ text }) => text))
      return { before: words.slice(length, at), cusip, ...found }
    }
  }
  return null
}

/** Returns the CUSIP as filed, without blanks between its parts and without zeros that only fill its column. */
export const joinedCusip = (parts: readonly string[]): string => {
  const text = parts.join('')
  return isFilled(text) ? text.slice(-9) : text
}

/** Tests for a CUSIP of nine characters after one to three zeros. */
const isFilled = (text: string): boolean =>
  text.length > 9 && text.length <= 12 && /^0+$/.test(text.slice(0, -9)) && cusipFlag(text.slice(-9)) === null

/**
 * Tests for a CUSIP. If the check digit fits, seven or eight digits are a CUSIP whose leading zeros a spreadsheet
 * dropped. Branches: each branch excludes words that only look like a CUSIP.
 *
 * @param at number of words before it: one word of nine characters with a wrong check digit is a CUSIP only after a
 * name
 */
export function isCusip(parts: readonly string[], at: number): boolean {
  const text = parts.join('')
  if (parts.length === 1 && isFilled(text)) return true
  if (!/^[0-9A-Za-z*@#]{7,10}$/.test(text) || (text.match(/\d/g) ?? []).length < 3) return false
  if (parts.length === 1 && /^\d{7,8}$/.test(text)) return at > 0 && cusipFlag(text.padStart(9, '0')) === null
  if (text.length < 8) return false
  if (parts.length === 1)
    return text.length === 9 ? at > 0 || cusipFlag(text) === null : /\d$/.test(text) && /[A-Za-z]/.test(text)
  // Accepts seven characters in place of six: `949773V 10 7` (0000950134-07-018234).
  const lengths = parts.map(({ length }) => length).join(' ')
  if (/^([5-7] 2 1|6 3|8 1)$/.test(lengths)) return true
  if (lengths === '3 3 3') return at > 0 && parts.every((part) => /\d.?\d/.test(part)) && cusipFlag(text) === null
  // A CUSIP that is split at any other place (`0378331 00`) needs a correct check digit.
  return (parts[0]!.match(/\d/g) ?? []).length >= 3 && parts[0]!.length >= 5 && cusipFlag(text) === null
}

/** Returns the end positions of CUSIPs of a table that are one word of nine characters. */
export function cusipEnds(table: string): ReadonlySet<number> {
  const ends = new Set<number>()
  for (const line of table.split('\n')) {
    const words = wordsOf(line)
    const cusip = words.find(({ text }, at) => text.length === 9 && at > 0 && isCusip([text], at))
    if (cusip !== undefined) ends.add(cusip.end)
  }
  return ends
}

/** The meaning of an `X` and of numbers of votes, according to the headings of a table. */
export interface Heads {
  discretion: readonly Head[]
  votes: VoteHeads
}

export const NO_HEADS: Heads = { discretion: [], votes: null }

type Tail = Pick<Holding, 'kind' | 'putCall' | 'discretion' | 'managers' | 'sole' | 'shared' | 'none'>

/**
 * Reads the words after the amount. Reads votes if there are three, or if the column tags of the table assign them;
 * otherwise they are null. Discretion is null for an `X` under unknown headings.
 *
 * @param heads meaning of the columns, from the headings above them
 */
export function tailOf(words: readonly Word[], amount: Word, columns: Columns, heads: Heads = NO_HEADS): Tail {
  const rest = [...words]
  const take = (pattern: RegExp) => (rest[0] && pattern.test(rest[0].text) ? rest.shift()!.text.toUpperCase() : null)
  // "SHR" is the kind if another word for discretion follows ("SHR SOLE"). In "SHR DFND", "SHR" begins the discretion.
  const isKind = /^(SOLE|SHARED|SHRD|PUT|CALL|X)$/i.test(rest[1]?.text ?? '')
  const kind = take(/^(SH|SHS|SHRS|SHARES?|PRN)$/i) ?? (isKind ? take(/^SHR$/i) : null)
  const option = take(/^(PUT|CALL)$/i)
  const tail: Tail = {
    kind: kind === null ? null : kind === 'PRN' ? 'PRN' : 'SH',
    putCall: optionOf(option ?? /\([pc]\)$/i.exec(amount.text)?.[0]),
    discretion: null,
    managers: null,
    sole: null,
    shared: null,
    none: null,
  }
  tail.discretion = discretionIn(rest, amount, columns, heads.discretion)
  const votes = votesIn(rest, columns, heads.votes)
  const listed = managersIn(rest)
  return { ...tail, ...votes, managers: listed !== null && isSumOf(listed, amount) ? null : listed }
}

/** Tests whether a word after the amount repeats the amount, although no votes were read. */
export const holdsUnplacedVotes = (words: readonly Word[], amount: Word, { sole, shared, none }: Tail): boolean =>
  (sole ?? shared ?? none) === null &&
  words.some(({ text }) => isAmount(text) && digitsOf(text) === digitsOf(amount.text))

/**
 * Tests for numbers that add up to the amount: such numbers are votes outside of the columns of votes, and not
 * managers.
 */
const isSumOf = (list: string, { text }: Word): boolean =>
  list.split(',').reduce((sum, number) => sum + Number(number), 0) === Number(digitsOf(text))

const optionOf = (mark: string | undefined): 'Put' | 'Call' | null =>
  mark === undefined ? null : /^\(?p/i.test(mark) ? 'Put' : 'Call'

/** Tests for a word that means shared discretion, without the kind (as defined, or otherwise). */
export const isShared = ({ text }: Word): boolean => /^(?:shared|shrd|shr)$/i.test(text)

/** Returns the discretion that a word names: `SHR-DFND`, `Shared/Other`, `DEFINED-SHARED`. */
function discretionOf(text: string): Holding['discretion'] | undefined {
  const words = text
    .toUpperCase()
    .replaceAll('/', '-')
    .replace(/^(?:SHRD|SHR)-/, 'SHARED-')
    .replace(/^(DEFINED|DFND|DEF|OTHER|OTR)-(?:SHARED|SHRD|SHR)$/, 'SHARED-$1')
    .replace(/-(?:DFND|DEF)$/, '-DEFINED')
    .replace(/-OTR$/, '-OTHER')
  return DISCRETION.get(words)
}

function discretionIn(rest: Word[], amount: Word, columns: Columns, heads: readonly Head[]): Holding['discretion'] {
  const [first, second] = rest
  if (first === undefined) return null
  const two = second === undefined ? undefined : discretionOf(`${first.text}-${second.text}`)
  const one = discretionOf(first.text)
  if (two !== undefined || one !== undefined) {
    rest.splice(0, two === undefined ? 1 : 2)
    return two ?? one!
  }
  // The word alone does not show which of the two kinds of shared discretion is meant, so no kind is returned. The
  // numbers after the word are still those of the managers.
  if (isShared(first)) {
    rest.shift()
    return null
  }
  if (!/^X{1,2}$/i.test(first.text)) return null
  rest.shift()
  const headed = headOf(first, amount, heads)
  if (headed !== null) return headed
  if (columns === null) return null
  // Sole, shared as defined, and shared otherwise have a column each. Managers and three votes follow in the line, or
  // are in a table below (0001095811-01-000839).
  const before = columnOf(amount, columns)
  const after = columns.length - 1 - before
  if (after !== 7 && after !== 4 && after !== 3) return null
  return (['SOLE', 'DFND', 'OTR'] as const)[columnOf(first, columns) - before - 1] ?? null
}

/** Takes the votes from the end of the words. */
function votesIn(rest: Word[], columns: Columns, heads: VoteHeads): Pick<Holding, 'sole' | 'shared' | 'none'> {
  const none = { sole: null, shared: null, none: null }
  const isVote = ({ text }: Word) => isAmount(text) || /^(?:[-–—]+|[-–—]0[-–—])$/.test(text)
  const read = ({ text }: Word) => (isAmount(text) ? digitsOf(text) : '0')
  const kinds: VoteHeads = heads?.slice(-3) ?? USUAL
  const last = rest.slice(-3)
  const before = rest.at(-4)
  // Three numbers are the votes, unless the first number continues a list of managers.
  if (!kinds.includes(null) && last.length === 3 && last.every(isVote) && !before?.text.endsWith(',')) {
    rest.splice(-3)
    return Object.fromEntries(kinds.map((kind, at) => [kind, read(last[at]!)])) as typeof none
  }
  if (columns === null || columns.length < 8) return none
  const found: Pick<Holding, 'sole' | 'shared' | 'none'> = { ...none }
  for (let word = rest.at(-1); word !== undefined && isVote(word); word = rest.at(-1)) {
    const at: number = columnOf(word, columns) - (columns.length - 3)
    // `4, 3, 14, 1,943,100`: the list continues below, and the number here is a vote (0000950150-01-500764).
    const isListed = rest.at(-2)?.text.endsWith(',') === true && word.text.length <= 3
    const name = kinds[at] ?? null
    if (name === null || isListed || found[name] !== null) break
    found[name] = read(word)
    rest.pop()
  }
  return found
}

const USUAL: readonly VoteKind[] = ['sole', 'shared', 'none']

/**
 * Returns the numbers of managers, joined by commas, if the words are nothing but a list of such numbers; otherwise
 * null.
 */
export function managersIn(rest: readonly Word[]): string | null {
  if (rest.some(({ text }) => /\d,\d{3}/.test(text))) return null
  const list = rest
    .map(({ text }) => text)
    .join(',')
    .replace(/,+/g, ',')
    .replace(/^,|,$/g, '')
  return /^\d{1,3}(,\d{1,3})*$/.test(list) ? list : null
}
