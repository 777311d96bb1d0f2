/** Prepares the sentences of a notice: names the filer "the Company", and removes definitions of terms. */

import { monthsFirst } from '../../../read/prose/dates.ts'
import { declaredIn, inDollars, rangesWhole } from '../../../read/prose/money.ts'
import { type Organization, organizationsIn } from '../../../read/prose/organizations.ts'
import type { Sentence } from '../../../read/prose/sentences.ts'
import { asCompany, dated, type Terms, termsOf } from '../officers/mask.ts'
import type { Part } from './parts.ts'

export interface Prepared {
  sentence: Part
  /**
   * The text without definitions. The filer is "the Company". Each end of a range has a dollar sign and a scale. If an
   * amount is stated in two currencies, only the amount in dollars is left. The month of a day stands first. Positions
   * in this text are not positions in the document.
   */
  said: string
}

export interface Section {
  /** First word of the filer's name. Names of the filer's subsidiaries may begin with the same word. */
  ownWord: string | null
  sentences: readonly Prepared[]
  /** Organizations by the short names that the text defines: “Tegic” is Tegic Communications, Inc. */
  shortNames: ReadonlyMap<string, string>
}

/** Number of characters at the beginning of an item that are searched for names. */
const NAMES_MAX = 20_000
const SHORT_NAMES_MAX = 60
/**
 * Matches terms that a text defines in brackets: (the “Merger Agreement”), (“Buyer” and, with Seller, the “Parties”).
 */
const DEFINITION =
  /\s?\((?:[^()“”"]{0,80}["“][^()“”"]{1,80}["”]){1,6}[^()“”"]{0,80}\)|\s\((?:NYSE|NASDAQ|Nasdaq|OTC|as defined|as amended)[^()]{0,80}\)/g
const TERM = /^[^()]{0,120}?\([^()“”"]{0,40}["“](?:the\s)?([^()“”"]{2,60}?),?["”]/
/** Matches "an agreement (the “Stock Purchase Agreement”)". Only the defined term says which agreement is meant. */
const CALLED = /(?<=\b(?:an?|definitive)) agreement\s\((?:the\s)?["“]((?:[A-Z][\w’&-]{0,24}\s){1,6}Agreement),?["”]\)/g
/** Words between a name and a bracket which show that the bracket defines a term for several names. */
const SEVERAL = /\b(?:collectively|together|each|and\s(?!an?\s|its?\s))/

/**
 * @param filer name in the header; null if unknown. If it is unknown, the first organization of the text counts as the
 *   filer, since an item begins with the filer.
 */
export function preparedFrom(sentences: readonly Part[], filer: string | null): Section {
  // Where emphasis was inside quotation marks or brackets, `sentencesOf` leaves blanks, which are removed here.
  const texts = sentences.map(({ text }) => text.replace(/\s/g, ' ').replace(/(?<=[“(]) {1,6}| {1,6}(?=[”)])/g, ''))
  const whole = texts.join(' ').slice(0, NAMES_MAX)
  const organizations = organizationsIn(whole)
  const terms = termsOf(whole, filer)
  const own = ownNames(whole, organizations, terms, filer)
  const shortNames = new Map<string, string>()
  for (const [i, { name, end }] of organizations.entries()) {
    if (shortNames.size >= SHORT_NAMES_MAX) break
    const rest = whole.slice(end, Math.min(organizations[i + 1]?.start ?? whole.length, end + 220))
    const term = TERM.exec(rest)
    if (!term || SEVERAL.test(term[0]) || own(name) !== name || isSubsidiary(rest)) continue
    if (!shortNames.has(term[1]!)) shortNames.set(term[1]!, name)
  }
  const inCurrency = declaredIn(whole)
  const money = (text: string) => rangesWhole(inDollars(inCurrency === null ? text : inCurrency(text)))
  const said = (text: string) =>
    monthsFirst(money(dated(own(text.replace(CALLED, ' $1').replace(DEFINITION, rateOf)), terms.days)))
      .replace(/ {2,}/g, ' ')
      .trim()
  const ownWord = /^(?:the\s)?([\p{L}\d-]{4,})/iu.exec(filer ?? '')?.[1]?.toLowerCase() ?? null
  return { ownWord, sentences: sentences.map((sentence, i) => ({ sentence, said: said(texts[i]!) })), shortNames }
}

/** Tests whether the words after a name describe a subsidiary. */
export const isSubsidiary = (rest: string): boolean =>
  /^(?:\s?\([^()]{0,80}\))?(?:,?\s(?:and\s)?(?:an?|its?|each|the Company[’']s)\s[^,;.]{0,110}){1,2}?\bsubsidiar(?:y|ies)\b/.test(
    rest.slice(0, 260),
  )

/** Returns the words after "subsidiary of" in the description of a subsidiary; null without them. */
export const subsidiaryOf = (rest: string): string | null =>
  /^[^;.]{0,240}?\bsubsidiar(?:y|ies)\sof\s(?:the\s)?(.{1,120})/.exec(rest.slice(0, 400))?.[1] ?? null

/** Returns a function that puts "the Company" in place of the names of the filer. */
function ownNames(
  whole: string,
  organizations: readonly Organization[],
  { own, alias }: Terms,
  filer: string | null,
): (text: string) => string {
  const isNamed = own !== null && whole.search(own.pattern) >= 0
  if (filer !== null || isNamed) {
    const patterns = [own, alias].filter((one) => one !== null)
    // A firm that the text defines as the Registrant is the filer too. The filer's name in the text may be older than
    // its name in the header.
    const called = organizations.find(({ end }) => TERM.exec(whole.slice(end, end + 160))?.[1] === 'Registrant')?.name
    return (text) => {
      const said = patterns.reduce(asCompany, text).replace(/\bthe Company\.(?:com|net|org)\b/g, 'the Company')
      return called ? replaced(said, called) : said
    }
  }
  const first = organizations[0]
  if (!first) return (text) => text
  const short = TERM.exec(whole.slice(first.end, first.end + 160))?.[1]
  const names = [first.name, ...(short && !/^(?:Company|Registrant|Corporation)$/.test(short) ? [short] : [])]
  return (text) => names.reduce((rest, name) => replaced(rest, name), text)
}

function replaced(text: string, name: string): string {
  let rest = ''
  let at = 0
  for (let found = text.indexOf(name); found >= 0; found = text.indexOf(name, at)) {
    const isWord =
      !/[\p{L}\d]$/u.test(text.slice(Math.max(0, found - 1), found)) &&
      !/^[\p{L}\d]/u.test(text.slice(found + name.length, found + name.length + 1))
    rest += text.slice(at, found) + (isWord ? 'the Company' : name)
    at = found + name.length
  }
  return rest + text.slice(at)
}

/**
 * Returns the words that replace a definition, such as " per share" for “the Per Share Price”. The term alone may say
 * that an amount is paid for one share.
 */
const rateOf = (definition: string): string =>
  /\bper\s(?:shares?|units?|ADS|warrants?|notes?|security)\b/i.test(definition) ? ' per share' : ''

/** Tests whether an item only refers to another item, so that it states nothing itself. */
export const isReference = (sentences: readonly Sentence[]): boolean =>
  sentences.length <= 2 &&
  sentences.every(({ text }) =>
    /\bincorporated\s(?:herein\s)?by\sreference\b|\b(?:[Ss]ee|refer\sto)\s(?:the\s[a-z]{1,20}\s(?:under|in)\s)?[Ii]tem\b|\bset\sforth\s(?:in|under)\s[Ii]tem/.test(
      text,
    ),
  )
