/** Finds names of organizations in prose, word by word. */
import { DOTTED_FORM, PROSE_FORM } from '../legal-forms.ts'
import { isOpener } from './openers.ts'

export interface Organization {
  /** The name as the text writes it, with its legal form. */
  name: string
  start: number
  end: number
}

/** Character that replaces a blank within a name or a legal form. */
const JOINT = '\ue003'
/**
 * Legal forms, with `JOINT` in place of their blanks. `FORM` also has the nouns Company and Partnership, which end a
 * name as legal forms do.
 */
const [FORMS, DOTTED] = [PROSE_FORM, DOTTED_FORM].map((one) => one.replaceAll('\\s', JOINT)) as [string, string]
const FORM = new RegExp(`^(?:${FORMS}|${FORMS.toUpperCase()}|Company|COMPANY|Partnership)$`)
const SHORT = new RegExp(`^(?:${DOTTED}|${DOTTED.toUpperCase()})$`)
/** Words that occur only in names of organizations. */
const NOUN =
  /^(?:Bank|Bancorp|Bancshares|Trust|University|Fund|Funds|Partners|Securities|Association|Authority|Agency|Department|Institute|Foundation|Holdings|Group|Capital|Insurance|Technologies|Pharmaceuticals|Therapeutics|Industries|Systems|Energy|Resources|Laboratories|Ventures|Markets|Enterprises|International|Communications|Brands|Foods|Union|Commission|Ministry|Republic|Steel|Motors|Airlines|Networks|Sciences|Biosciences|Entertainment)$/
/**
 * Names that the word-by-word search would cut, because they contain commas, "and" or "+", or because no legal form
 * ends them.
 */
const LONG_NAMES = [
  ...['Merrill Lynch, Pierce, Fenner & Smith', 'Goldman, Sachs & Co', 'Keefe, Bruyette & Woods', 'Stifel, Nicolaus &'],
  ...['Friedman, Billings, Ramsey &', 'Donaldson, Lufkin & Jenrette', 'Bear, Stearns &', 'Thomas Weisel Partners'],
  ...['Banco Bilbao Vizcaya Argentaria, S.A', 'Manufacturers and Traders Trust', 'Branch Banking and Trust'],
  ...['Sandler O’Neill + Partners', 'Brown Brothers Harriman &', 'Johnson and Johnson'],
]
/** Words of roles, documents and places. Capitalized words that contain one of them are not a party. */
const ROLE =
  /\b(?:Agents?|Lenders?|Trustees?|Borrowers?|Guarantors?|Arrangers?|Bookrunners?|Managers?|Purchasers?|Buyers?|Sellers?|Parent|Sub|Company|Registrant|Issuers?|Corporation|Representatives?|Underwriters?|Holders?|Part(?:y|ies)|Agreements?|Amendments?|Indentures?|Notes?|Debentures?|Bonds|Series|Article|Section|Exhibit|Item|Form|Act|Stockholders?|Shareholders?|Investors?|Subsidiar(?:y|ies)|Affiliates?|Merger|Transactions?|Closing|Date|Facilit(?:y|ies)|Loans?|Commitments?|Leases?|Letter|Plan|Officer|President|Chair(?:man|woman|person)?|Director|Board|Committee|Securities Act|Exchange Act|Regulation|Rule|Current Report|Shares?|Stock|Warrants?|Court|District|Executive|Employee|Depositary|Registrar|Counterparty|State|General Partner|Operating Partnership)\b/
const LINKS = new Set(['&', '+', 'of', 'for', 'de', 'du', 'la', 'del', 'von', 'van', 'der', 'e', 'y'])
/** Words after which a capitalized term is a place or a role: "a New York corporation", "as Administrative Agent". */
const NOT_BEFORE_NAME = /^(?:an?|as|the|its|our|their|his|her|such|each|any|under|at|in|on|this|said)$/
/** Words after which a party is named. */
const FIRST = /^(?:with|and|among|between|from|to|by|officers?|directors?|employees?|executives?)$/
const WORD_MAX = 14

interface Word {
  text: string
  start: number
  end: number
  /** Punctuation after the word: a comma or a bracket ends a name. */
  after: string
}

/**
 * Splits text into words without the punctuation around them. Each of the `LONG_NAMES` is one word here, since `joined`
 * has replaced its blanks.
 */
function wordsOf(text: string): Word[] {
  return [...text.matchAll(/\S{1,80}/g)].map(({ 0: raw, index }) => {
    // A place in brackets is a word of the name: "HSBC Securities (USA) Inc."
    if (/^\([A-Z][A-Za-z.]{1,12}\)$/.test(raw))
      return { text: raw.slice(1), start: index, end: index + raw.length, after: '' }
    const head = /^["“‘'([]{0,4}/.exec(raw)![0].length
    const bare = raw.slice(head).replace(/(?<=\.)\.$|["”’')\],;:]{1,6}$/, '')
    return { text: bare, start: index + head, end: index + head + bare.length, after: raw.slice(head + bare.length) }
  })
}

/** Joins the words of the `LONG_NAMES`, and of legal forms of two words. The length of the text stays the same. */
function joined(text: string): string {
  let plain = text.replace(/\b(National) (Association)\b|\b(S\.à) (r\.l)\b/g, (form) => form.replace(' ', JOINT))
  for (const name of LONG_NAMES) {
    if (plain.includes(name)) plain = plain.replaceAll(name, name.replaceAll(' ', JOINT))
  }
  return plain
}

const isForm = (word: Word | undefined) => word !== undefined && FORM.test(word.text.replace(/\.$/, ''))
/** Tests for a capitalized word. "eBay" counts as capitalized too. */
const isCapital = (word: Word) => /^(?:\p{Ll}{0,2}\p{Lu}|\d{1,2}(?:st|nd|rd|th)\b|\d[\p{L}\d]*\p{Lu})/u.test(word.text)

/**
 * Returns names with a legal form. From a list of parties, also returns capitalized names of two or more words at
 * positions where a party can be named.
 *
 * @param isList whether the text lists parties, so that a capitalized name between two separators is a party
 */
export function organizationsIn(text: string, { isList = false }: { isList?: boolean } = {}): Organization[] {
  const words = wordsOf(joined(text))
  const found: Organization[] = []
  for (let i = 0; i < words.length; ) {
    const run = isOpener(words[i]!.text, text, words[i]!.start) ? null : runAt(words, i)
    if (!run) {
      i++
      continue
    }
    const [first, last] = [words[i]!, words[run.last]!]
    const name = text.slice(first.start, last.end + (text[last.end] === '.' && SHORT.test(last.text) ? 1 : 0))
    const one = { name: trimmed(name, last), start: first.start, end: last.end }
    if (run.hasForm ? !isOnlyForm(words, i, run.last) : isList && isParty(words, i, run.last, one.name)) found.push(one)
    i = run.last + 1
  }
  return found
}

/** Removes punctuation after a name, and the full stop of the sentence, but not the full stop of "Inc." */
const trimmed = (name: string, { text }: Word): string => {
  const own = name.replace(/[,;:]{1,3}$/, '').replaceAll(JOINT, ' ')
  return SHORT.test(text.replace(/\.$/, '')) || SHORT.test((text.split(JOINT).at(-1) ?? '').replace(/\.$/, ''))
    ? own
    : own.replace(/\.$/, '')
}

/**
 * Tests for words that are not a name, because they are only a legal form with or without an article: "The Company",
 * "Limited".
 */
const isOnlyForm = (words: readonly Word[], from: number, to: number) =>
  words.slice(from, to + 1).every((word) => isForm(word) || /^(?:The|This|Such|Each)$/.test(word.text))

/**
 * Returns the longest run of capitalized words that begins at a position. A legal form ends the run. Returns null if
 * the word at the position is not capitalized.
 */
function runAt(words: readonly Word[], from: number): { last: number; hasForm: boolean } | null {
  if (!isCapital(words[from]!)) return null
  let last = from
  for (let i = from; i < words.length && i - from < WORD_MAX; i++) {
    const word = words[i]!
    if (word.text.includes(JOINT)) return { last: withMoreForms(words, i), hasForm: true }
    if (isForm(word) && (i > from || !isCapital(words[i + 1] ?? word)))
      return { last: withMoreForms(words, i), hasForm: true }
    if (isCapital(word)) last = i
    else if (!LINKS.has(word.text) || !words[i + 1] || !isCapital(words[i + 1]!)) break
    if (/[,;:)\]”]/.test(word.after)) {
      // "Alpha, Inc." has a comma before its form, so this comma does not end the name.
      if (/^,$/.test(word.after) && isForm(words[i + 1])) continue
      break
    }
  }
  return { last, hasForm: false }
}

/**
 * Returns the position of the last word of a name that has its first legal form at `at`. Further forms and a branch
 * belong to the name: "& Co. LLC", "Bank, N.A.", "AG, Stamford Branch".
 */
function withMoreForms(words: readonly Word[], at: number): number {
  let last = at
  while (/^,?$/.test(words[last]!.after) && isForm(words[last + 1])) last++
  // The words after "Company of" belong to the name: "The Sample Insurance Company of America".
  if (
    words[last]!.after === '' &&
    words[last + 1]?.text === 'of' &&
    isCapital(words[last + 2] ?? words[last]!) &&
    words[last]!.text === 'Company'
  ) {
    last += 2
    while (words[last]!.after === '' && words[last + 1] && isCapital(words[last + 1]!) && !isForm(words[last + 1]))
      last++
  }
  // A branch belongs to the name: "Bank AG, Stamford Branch", "Bank AG New York Branch".
  const branch = words.slice(last + 1, last + 4).findIndex(({ text }) => text === 'Branch')
  if (branch > 0 && /^,?$/.test(words[last]!.after) && words.slice(last + 1, last + 1 + branch).every(isCapital))
    last += branch + 1
  return last
}

/** Tests whether capitalized words without a legal form name a party of a list. */
function isParty(words: readonly Word[], from: number, to: number, name: string): boolean {
  const hasNoun = words.slice(from, to + 1).some(({ text }) => NOUN.test(text))
  // "the Department of Labor": an article may come before a name that contains a word such as Department or Agency.
  const before = words[from - 1]?.text === 'the' && hasNoun ? words[from - 2] : words[from - 1]
  const isOpen = before === undefined || !NOT_BEFORE_NAME.test(before.text) || before.after !== ''
  const isFirst = before === undefined || before.after.includes(',') || FIRST.test(before.text)
  const next = words[to + 1]
  const isLast =
    next === undefined ||
    words[to]!.after !== '' ||
    /^(?:and|as|relating|pursuant|for|to|on|dated|was|were|\()/.test(next.text)
  return (
    to > from &&
    isOpen &&
    isFirst &&
    isLast &&
    (hasNoun || to - from < 4) &&
    !ROLE.test(name) &&
    !/\bBranch$/.test(name)
  )
}
