/**
 * Replaces the names in a sentence with placeholders, and removes words around them: honorifics, ages, degrees, defined
 * terms.
 */
import { PROSE_FORM } from '../../../read/legal-forms.ts'
import { HONORIFICS } from '../../../read/prose/abbreviations.ts'
import { DAY, MONTH_NAMES, monthsFirst } from '../../../read/prose/dates.ts'
import type { Mention } from '../../../read/prose/people.ts'
import { CLOSE, OPEN, type Sentence } from '../../../read/prose/sentences.ts'
import { type Apposition, withoutAppositions } from './apposition.ts'
import type { Trace } from './vetoes.ts'

/** A sentence with masked names, and the data for reading it. */
export interface MaskedSentence {
  sentence: Sentence
  /** Text with placeholders for names, and without the appositions to names. */
  masked: string
  mentions: readonly Mention[]
  /** The apposition to each mention; null if it has none. */
  appositions: readonly (Apposition | null)[]
  /** Start of the evidence: the sentence, or the previous sentence if a pronoun refers to a person named there. */
  start: number
  end: number
  /** Receives what the reading finds and drops; absent unless the caller gave a trace. */
  trace?: Trace | undefined
}

/** A name of the filer. */
interface Name {
  pattern: RegExp
  /**
   * First word of the name in lower case. Sentences without this word are skipped, because the first use of a new
   * pattern is slow.
   */
  head: string
}

/** Terms that a text defines for the filer and for days. */
export interface Terms {
  own: Name | null
  /** Short name of the filer, such as “MTI” after the name of Micro Therapeutics. */
  alias: Name | null
  /** Days by the names that the text defines for them, such as “Separation Date”. */
  days: ReadonlyMap<string, string>
}

/** Collects the terms of one text. */
export const termsOf = (text: string, company: string | null): Terms => ({
  ...ownTerms(text, company),
  days: new Map([...text.matchAll(NAMED_DAY)].map(([, day, name]) => [name!, day!])),
})
const NAMED_DAY = new RegExp(`${DAY}\\s\\([^()“”"]{0,20}[“"]([A-Z][A-Za-z -]{2,40} Date)[”"]\\)`, 'g')

/** Replaces "the Separation Date" in "effective as of the Separation Date" with its day. */
export const dated = (masked: string, days: ReadonlyMap<string, string>): string =>
  masked.replace(/\bthe ((?:[A-Z][a-z]+[ -]){1,4}Date)\b/g, (term, name: string) => days.get(name) ?? term)

/** Pattern of a placeholder. */
export const P = `${OPEN}\\d{1,4}${CLOSE}`

const HONORIFIC = new RegExp(
  String.raw`(?:\b(?:(?:(?:[Tt]he\s)?(?:Hon|Rev)|${HONORIFICS})\.?|Rear|Vice|Miss|Professor|General|Admiral|Colonel|Captain|Ambassador|Senator|Governor|Judge|Rabbi|Sir|Dame|Lord|(?:[Tt]he\s)?(?:Honorable|Reverend))\s){1,3}(?:(?:de|del|della|di|da|dos|la|van|von|der|den|ter|bin|al)\s){0,3}$`,
)
const DEGREE = String.raw`,?\s(?:M\.?D|Ph\.?\s?D|D\.?O|J\.?D|M\.?B\.?A|C\.?P\.?A|C\.?F\.?A|Esq|D\.?V\.?M|Pharm\.?\s?D|Sc\.?D|R\.?N|P\.?E|M\.?P\.?H|LL\.?[BM]|M\.?Sc?|B\.?Sc?|CBE|OBE|DDS|FACP|FACS|USN|USAF|USMC|USCG)\.?(?=[,;.\s)]|$)|,?\s\(?Ret(?:ired|\.)?\)?(?=[,;.\s])`
const AGE = String.raw`,?\s\(?(?:age[sd]?\s|who is\s)?\d{2}(?:\syears\s(?:old|of\sage))?\)?(?=[,;.)]|\s(?:and|as|to|was|were|has|is|will)\b)`
const DEGREE_OR_AGE = new RegExp(`(${P})(?:${DEGREE}|${AGE}){1,6}`, 'g')
/** Matches definitions of terms and ticker symbols in brackets: (the “Board”), (“Mr. Sample”), (NYSE: SMP). */
const DEFINED =
  /\s?\([^()“”"]{0,40}["“][^()“”"]{1,60}["”](?:[^()“”"]{0,20}["“][^()“”"]{1,60}["”]){0,2}[^()“”"]{0,20}\)|\s\((?:NYSE|NASDAQ|Nasdaq|OTC)[^()]{0,30}\)/g

/** Matches "June 3, 2019: Ada Sample was appointed" */
const DAY_ALONE = new RegExp(`^((?:${MONTH_NAMES})\\s\\d{1,2},\\s\\d{4})\\s?[:,–—-]\\s`)

/** Matches "as amended and restated as of May 4, 2017": the day of a document, which is not the day of an event. */
const AMENDED_DAY = new RegExp(
  `\\b(amended|restated)(?:,?\\s(?:and|restated|amended|as|of|on|effective|through|most|recently|last)){0,8},?\\s${DAY}`,
  'g',
)
const PAPER =
  '(?:[Pp]lans?|[Aa]greements?|[Pp]rograms?|[Pp]olic(?:y|ies)|[Bb]y-?[Ll]aws|[Ii]ncorporation|[Cc]harter|[Ii]ndenture|[Gg]uidelines|[Aa]rrangements?|[Cc]ontract)'
const PAPER_DAY = new RegExp(
  `\\b(${PAPER},?\\s(?:(?:which|that)\\s(?:was|is|were|are|had been|became)\\s|as\\s)?(?:(?:first|last|most recently|originally|previously|initially)\\s)?(?:adopted|dated|approved|executed|entered into|made|in effect|modified|supplemented|renewed|filed))(?:\\s(?:and|as|of|on|effective|by|with|the|Board|Company|stockholders|shareholders)){0,8},?\\s${DAY}|\\b(${PAPER},?\\s(?:which|that)\\s(?:was|is|were|are|became))\\seffective(?:\\s(?:as|of|on)){0,2}\\s${DAY}`,
  'g',
)

/** Matches abbreviations whose full stop does not end a sentence. */
const SHORT = /\b(Mr|Ms|Mrs|Dr|Inc|Corp|Co|Ltd|No)\.(?=[\s,)])/g

/**
 * @param from start of the text in the Markdown. Offsets of the sentence are positions in the Markdown; offsets of
 *   mentions are positions in the text
 * @param terms names of the filer, and named days
 */
export function readOf(
  sentence: Sentence,
  found: readonly Mention[],
  from: number,
  { own, alias, days }: Terms,
): MaskedSentence {
  const mentions = found.filter(
    ({ start, end }) =>
      from + start >= sentence.start &&
      from + end <= sentence.end &&
      // `joinedList` puts blanks in place of what the points of a list say about other persons, so these persons are
      // left out here.
      sentence.text.slice(from + start - sentence.start, from + end - sentence.start).trim() !== '',
  )
  const named = ofCompany(maskedOf(sentence, mentions, from), own)
  const whole = dated(alias && !named.includes(' | ') ? asCompany(named, alias) : named, days)
  return { sentence, mentions, ...withoutAppositions(whole, mentions.length), start: sentence.start, end: sentence.end }
}

/** Matches "She will also serve as", "On May 1, 2020, he resigned", "His resignation" */
const PRONOUN =
  /^((?:\(?[a-z]\)\s)?(?:(?:In addition|Additionally|Also|Further|Accordingly|(?:On|Effective|As of|At|In connection with|Following|Upon|Until)\s[^.;\ue000]{3,80}?),\s)?)(?:(?:[Hh]e|[Ss]he)(?=\s[a-z])|([Hh]is|[Hh]er)(?=\s(?:[a-z]+\s){0,2}(?:resignation|retirement|departure|appointment|election|promotion|last day|employment|salary)\b))/

/** Replaces a pronoun at the beginning of a sentence with the only person of the previous sentence in the paragraph. */
export function withPronoun(read: MaskedSentence, before: MaskedSentence | undefined): MaskedSentence {
  const persons = new Set(before?.mentions.map(({ name }) => name))
  const found = persons.size === 1 && !read.sentence.isFirst ? PRONOUN.exec(read.masked) : null
  if (!before || !found) return read
  const sign = `${OPEN}${read.mentions.length}${CLOSE}`
  const masked = `${found[1]}${sign}${found[2] ? '’s' : ''}${read.masked.slice(found[0].length)}`
  const mentions = [...read.mentions, { ...before.mentions.at(-1)! }]
  return { ...read, masked, mentions, appositions: [...read.appositions, null], start: before.start }
}

function maskedOf(sentence: Sentence, mentions: readonly Mention[], from: number): string {
  let masked = ''
  let at = 0
  for (const [i, { start, end }] of mentions.entries()) {
    const own = from + start - sentence.start
    masked += `${sentence.text.slice(at, own).replace(HONORIFIC, '')}${OPEN}${i}${CLOSE}`
    at = from + end - sentence.start
  }
  const plain = (masked + sentence.text.slice(at))
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,;])/g, '')
    .replace(/(?<![,;])[,;]+(?=;)|(?<=[;,] and);/g, '')
    .replace(DEFINED, '')
    .replace(/[“”"]/g, '')
    .replace(SHORT, '$1')
  const whole = monthsFirst(plain)
    .replace(DAY_ALONE, 'On $1, ')
    .replace(AMENDED_DAY, '$1')
    .replace(PAPER_DAY, (_, known: string | undefined, __, other: string | undefined) => known ?? other ?? '')
  return whole.replace(DEGREE_OR_AGE, '$1')
}

/** Returns the indexes of the persons whose placeholders are in a part of a masked sentence. */
export const numbersIn = (masked: string): number[] =>
  [...masked.matchAll(new RegExp(`${OPEN}(\\d+)${CLOSE}`, 'g'))].map(([, i]) => Number(i))

export const placeOf = (masked: string, i: number): number => masked.indexOf(`${OPEN}${i}${CLOSE}`)
export const endOf = (masked: string, i: number): number => placeOf(masked, i) + `${OPEN}${i}${CLOSE}`.length

const LEGAL = `(?:${PROSE_FORM}|Company)`
/** Matches "of AFC Gamma, Inc.": if the filer's name is unknown, any company with a legal form counts as the filer. */
const ANY_COMPANY = new RegExp(`\\sof\\s(?:the\\s)?(?:\\p{Lu}[\\p{L}\\d&-]{0,24},?\\s){1,6}${LEGAL}\\b\\.?`, 'gu')
/** Common first words of company names, which do not identify a company alone. */
const COMMON =
  /^(?:first|american|national|general|united|new|north|south|east|west|northern|southern|eastern|western|great|old|global|international|us|u|american|central|community|capital|public|home|one|advanced|applied|standard|universal|royal|sun|blue|green|red|black|white|golden|silver|pacific|atlantic|great)$/i
const SUFFIX = new RegExp(`^(?:${LEGAL}|\\/\\w{2,3}\\/?|de|md|nv|the)$`, 'i')

/**
 * Letters of names, for patterns that are compiled for each filing. EDGAR's names have only Latin letters. Patterns
 * with `\p{L}`, which covers all scripts, would take 4 ms per filing to compile, four times as long as reading the
 * filing.
 */
const [UPPER, LOWER] = ['A-Z\\u00c0-\\u00de', 'a-z\\u00df-\\u00ff']
const LETTER = `${UPPER}${LOWER}\\u0100-\\u024f`

/**
 * Returns a pattern of the filer's name in its own text. The pattern has the first word (the first two if the first
 * word is common), and as many further words of the name as follow in the text. Returns null if there is no usable
 * name.
 */
function companyName(company: string | null): Name | null {
  const words =
    (company ?? '').match(/[\p{L}\d/][\p{L}\d&/-]*/gu)?.filter((word, i) => !(i === 0 && /^the$/i.test(word))) ?? []
  while (words.length > 1 && SUFFIX.test(words.at(-1)!)) words.pop()
  const least = COMMON.test(words[0] ?? '') ? 2 : 1
  if (words.length < least || words[0]!.length < 2) return null
  const known = words.slice(0, 8).map(written)
  const more = known.slice(least).reduceRight((rest, word) => `(?:[\\s,.&/]{1,3}${word}${rest})?`, '')
  const pattern = new RegExp(
    `(?<![${LETTER}\\d])(?:[Tt]he\\s)?${known.slice(0, least).join('[\\s,.&/]{1,3}')}${more}(?:,?\\s(?:&\\s)?${LEGAL}\\b\\.?){0,2}(?![${LETTER}\\d-])(?!\\s(?!${FOLLOWS})[${UPPER}][${LOWER}])`,
    'g',
  )
  return { pattern, head: words[0]!.toLowerCase().replace(/s$/, '') }
}

/**
 * Matches the name that the text defines as the Company: "Sample Holdings, Inc., a Delaware corporation (the
 * “Company”)". This name may differ from EDGAR's name, for example if the company later changed its name.
 */
const CALLED_COMPANY = new RegExp(
  `((?:\\p{Lu}[\\p{L}\\d&’'-]{0,24},?\\s){1,6}${LEGAL})\\.?(?:,\\s[^()“”"]{0,60})?\\s\\([^()“”"]{0,24}[“"](?:the\\s)?(?:Company|Corporation|Registrant)[”"]`,
  'u',
)

/** Matches a short form in brackets: (the “MTI”) */
const SHORT_FORM = new RegExp(
  `\\s\\((?:the\\s|or\\s)?[“"]((?!(?:Company|Corporation|Registrant|Board)\\b)[${UPPER}][${LETTER}\\d&.’-]{1,24})[”"]`,
  'g',
)
/** Maximum length of a name (of eight words) plus the text between the name and its short form. */
const NAME_MAX = 400

/**
 * Returns the filer's name, and the short form that the text defines after it. The name is EDGAR’s name, or the name
 * that the text defines as the Company.
 */
function ownTerms(text: string, company: string | null): Pick<Terms, 'own' | 'alias'> {
  const named = companyName(company)
  const isNamed = named !== null && text.toLowerCase().includes(named.head) && text.search(named.pattern) >= 0
  const own = isNamed ? named : (companyName(CALLED_COMPANY.exec(text)?.[1] ?? null) ?? named)
  const short = own && shortForm(text, own)
  if (!short) return { own, alias: null }
  const pattern = new RegExp(
    `(?<![${LETTER}\\d])(?:[Tt]he\\s)?${short.replace(/[.&-]/g, '\\$&')}(?![${LETTER}\\d-])(?!\\s(?!${FOLLOWS})[${UPPER}][${LOWER}])`,
    'g',
  )
  return { own, alias: { pattern, head: short.toLowerCase() } }
}

/** Returns the short form of the filer’s name: “MTI” in "Micro Therapeutics, Inc., a Delaware corporation (“MTI”)" */
function shortForm(text: string, { pattern, head }: Name): string | undefined {
  let before: RegExp | undefined
  for (const { index, 1: short } of text.matchAll(SHORT_FORM)) {
    const words = text.slice(Math.max(0, index - NAME_MAX), index)
    if (!words.toLowerCase().includes(head)) continue
    before ??= new RegExp(`${pattern.source}(?:,\\s[^()“”"]{0,60})?$`)
    if (before.test(words)) return short
  }
  return undefined
}

/**
 * Words that may follow the name of a company without being part of another name: "Sample Chief Executive Officer …".
 */
const FOLLOWS =
  '(?:Chief|President|Vice|Executive|Senior|Chair|Director|Board|General|Treasurer|Secretary|Controller|Interim|Mr|Ms|Mrs|Dr)|(?:On|In|At|As|He|His|She|Her|It|Its|The|This|There|They|An?|For|Upon|Following|Prior|If|No|Under|Pursuant|Since|From|Effective|Before|After|Prior|Each|Both|All|Such|We|Our)\\b'

/**
 * Returns a pattern that matches a word in any case, so that "MCDONALDS" matches "McDonald’s". The word has only
 * letters and digits, no special characters of patterns.
 */
function written(word: string): string {
  const [first, ...rest] = [...word]
  const letters = rest.map((letter) =>
    /\p{L}/u.test(letter) ? `[${letter.toLowerCase()}${letter.toUpperCase()}]` : letter,
  )
  if (/s/i.test(rest.at(-1) ?? '')) letters.splice(-1, 0, "[’']?")
  return first!.toUpperCase() + letters.join('')
}

/** Replaces the filer’s own name with "the Company", except in a table, where the name is part of a title. */
function ofCompany(masked: string, own: Name | null): string {
  if (masked.includes(' | ')) return masked
  return own ? asCompany(masked, own) : masked.replace(ANY_COMPANY, ' of the Company')
}

/** Maximum length of the rest of a firm's name. */
const REST_MAX = 60
/**
 * Matches the rest of the name of a firm that is named after the filer: "Sample of Ohio, LLC". In "the acquisition by
 * Sample of Delta, LLC", the rest is another firm. The name of the filer then stays too, since the readers of deals find
 * the firm after "by" and a name.
 */
const OF_FIRM = new RegExp(
  String.raw`^ of (?:the )?(?:\p{Lu}\p{Ll}{1,24}\s?){1,3}?(?:,?\s|(?<=\s))${LEGAL}(?![\p{L}\d])`,
  'u',
)

/** Replaces a name of the filer with "the Company", but not within the name of a subsidiary. */
export const asCompany = (masked: string, { pattern, head }: Name): string =>
  masked.toLowerCase().includes(head)
    ? masked.replace(pattern, (name: string, at: number) =>
        OF_FIRM.test(masked.slice(at + name.length, at + name.length + REST_MAX)) ? name : 'the Company',
      )
    : masked
