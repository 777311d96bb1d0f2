/** Reads facts from items on auditors, restatements, bankruptcies, incidents and listings, sentence by sentence. */

import { DAY, dayOf, MONTH_NAMES, monthsFirst } from '../../read/prose/dates.ts'
import { type Sentence, type Span, sentencesOf } from '../../read/prose/sentences.ts'
import { eventDateOf, onDay } from './days.ts'
import { auditorsIn } from './facts/auditors.ts'
import { dividends } from './facts/dividends.ts'
import type { Fact, FactName } from './facts/fact.ts'
import type { REASONS } from './tables-words.ts'

type Reader = (sentence: Sentence, before: Sentence | undefined) => Fact[]

/**
 * Readers by item number. Other files read officers, results and votes, and `notices.ts` reads the notices of further
 * items.
 */
const READERS: Readonly<Record<string, (sentences: readonly Sentence[]) => Reader>> = {
  '1.03': () => bankruptcy,
  '1.05': () => incident,
  '3.01': listings,
  '4.01': changes,
  '4.02': () => nonReliance,
  '7.01': () => dividends,
  '8.01': () => dividends,
  // Items 3 and 4 of the numbering before 2004-08-23 became 1.03 and 4.01.
  '3': () => bankruptcy,
  '4': changes,
  // Item 5 of that numbering was for other events, as item 8.01 is now.
  '5': () => dividends,
}

function changes(sentences: readonly Sentence[]): Reader {
  const facts = auditorsIn(sentences)
  const bySentence = new Map(sentences.map((sentence, i) => [sentence, facts[i]!]))
  return (sentence) => bySentence.get(sentence)!
}

/**
 * @param section text of the item after its heading
 * @returns facts in the order of the text; only the first of repeated facts
 */
export function factsOf(item: string, markdown: string, section: Span): Fact[] {
  const readers = READERS[item]
  if (!readers) return []
  const sentences = sentencesOf(markdown, section).sentences.map((one) => ({ ...one, text: monthsFirst(one.text) }))
  const read = readers(sentences)
  const facts = sentences.flatMap((sentence, i) => read(sentence, sentences[i - 1]))
  return facts.filter(
    (one, at) => facts.findIndex(({ name, value }) => name === one.name && value === one.value) === at,
  )
}

const fact = ({ start, end }: Sentence, name: FactName, value: string | null | undefined): Fact[] =>
  value ? [{ name, value, start, end }] : []

const CHAPTER = /\bchapter\s(7|9|11|12|13|15)\b/i
const COURT =
  /\b(?:United States |U\.S\. )?Bankruptcy Court,? (?:for the )?((?:[A-Z][a-z]+ ){0,3}District of [A-Z][a-z]+(?: [A-Z][a-z]+)?)/
const CASE = /\bCase\s?(?:Nos?\.?|Numbers?:?|#)\s?(\d[\w:-]{2,24}(?:\s?\([A-Z]{2,4}\))?)/

/**
 * Matches the text after the first number in "Case Nos. 26-3027 through 26-3091". The first number of a range is not
 * the number of the case.
 */
const FURTHER_CASE =
  /^(?:\s?\([^()]{1,20}\))?,?\s?(?:through|to|and|&|[–—/-])?,?\s?(?:Case\s)?(?:Nos?\.?\s?)?\d{1,4}[-–:]\d{2}/

function caseNumber(text: string): string | null {
  const found = CASE.exec(text)
  return found && !FURTHER_CASE.test(text.slice(found.index + found[0].length)) ? found[1]! : null
}

/** Matches the filing of a petition, but not "filed a motion to dismiss the case" or "has not filed a petition". */
const PETITION =
  /(?<!\bnot )\b(?:filed|commenced|filing of)\b(?:(?!\b(?:motion|plan|objection|dismiss\w*)\b)[^.;]){0,120}?\b(?:petitions?|cases?|proceedings?|relief|reorganization)\b/i
const PETITION_DATE = new RegExp(`\\b[Oo]n\\s${DAY}[^.;]{0,12}Petition Date`)

/**
 * Returns the day that the sentence calls the petition date, or else the only day in the sentence. If a sentence has
 * several days, one of them may be the day of a court order.
 */
function petitionDay(text: string): string | null {
  const said = PETITION_DATE.exec(text)?.[1]
  if (said) return dayOf(said)
  return [...text.matchAll(new RegExp(DAY, 'g'))].length === 1 ? onDay(text) : null
}

function bankruptcy(sentence: Sentence): Fact[] {
  const { text } = sentence
  const isPetition = CHAPTER.test(text) && PETITION.test(text)
  return [
    ...fact(sentence, 'court', COURT.exec(text)?.[1]),
    ...fact(sentence, 'case_number', caseNumber(text)),
    ...fact(sentence, 'chapter', CHAPTER.exec(text)?.[1]),
    ...(isPetition ? fact(sentence, 'petition_date', petitionDay(text)) : []),
  ]
}

const FOUND =
  /\b(?:discover(?:ed|ing)|identif(?:ied|ying)|detect(?:ed|ing)|became aware|becoming aware|learn(?:ed|ing))\b/i
const FOUND_MATERIAL = /\b(?:determined|concluded)\b(?=[^.;]{0,120}\bmaterial\b)/i

function incident(sentence: Sentence): Fact[] {
  const text = sentence.text.replace(/\s/g, ' ')
  if (/\b(?:not|yet to|no|unlikely|neither)\b[^.;]{0,60}\b(?:determined|concluded|material)\b/i.test(text)) return []
  const determined = FOUND_MATERIAL.exec(text)?.index
  const end = determined ?? text.length
  const found = FOUND.exec(text.slice(0, end))
  // Searches after the verb, but not in the next clause: "detected it; on April 6, …".
  const rest = found ? text.slice(found.index, Math.min(end, found.index + 80)).split(/[;,] (?:and )?(?=on )/)[0]! : ''
  const discovered = found ? (onDay(rest) ?? onDay(text.slice(0, found.index))) : null
  if (determined === undefined) return fact(sentence, 'incident_discovered', discovered ?? (found ? onDay(text) : null))
  // "detected on May 2 …; on May 9 … determined": the nearest day belongs to the verb.
  const before = [...text.slice(0, determined).matchAll(ON_DAY)].at(-1)?.[1]
  const day = onDay(text.slice(determined, determined + 40)) ?? dayOf(before)
  return [...fact(sentence, 'incident_discovered', discovered), ...fact(sentence, 'incident_determined', day)]
}

/** Matches "should no longer be relied upon" */
const RELIED =
  /\b(?:(?:should|can|could|may|must) (?:no longer|not) be relied|no longer be relied|reliance should (?:no longer|not) be placed)\b/i
/**
 * Words before the last day of a reporting period. The day on which the filer came to its conclusion follows "on"
 * instead.
 */
const OF_PERIOD = /\b(?:ended|ending|as of|as at|at)\s$/
const NEXT_PERIOD = /^(?:,|\s|and|or|\([^()]{1,40}\)){1,6}$/
const MORE_YEARS = /^(?:,?\s(?:and\s)?((?:19|20)\d\d)(?!\d))/

/**
 * Pattern of a day without its year. `ONE_YEAR` matches a list of such days: "March 31, June 30 and September 30,
 * 2021".
 */
const MONTH_DAY = `(?:${MONTH_NAMES}) \\d{1,2}`
const ONE_YEAR = new RegExp(`((?:${MONTH_DAY}(?:, and |, | and )){1,4})(${MONTH_DAY}, (\\d{4}))`, 'g')
const EACH_MONTH_DAY = new RegExp(MONTH_DAY, 'g')

function nonReliance(sentence: Sentence): Fact[] {
  const text = sentence.text
    .replace(/\s/g, ' ')
    .replace(
      ONE_YEAR,
      (_, list: string, last: string, year: string) => list.replace(EACH_MONTH_DAY, `$&, ${year}`) + last,
    )
  if (/\b(?:did|does|do|has|have) not (?:conclude|determine|believe)d?\b/i.test(text) || !RELIED.test(text)) return []
  const periods: string[] = []
  let end = -1
  for (const { index, 0: whole, 1: day } of text.matchAll(new RegExp(DAY, 'g'))) {
    const isOfPeriod = OF_PERIOD.test(text.slice(0, index)) || (end >= 0 && NEXT_PERIOD.test(text.slice(end, index)))
    const iso = dayOf(day)
    if (!isOfPeriod || !iso) continue
    periods.push(iso)
    end = index + whole.length
    for (
      let more = MORE_YEARS.exec(text.slice(end, end + 12));
      more;
      more = MORE_YEARS.exec(text.slice(end, end + 12))
    ) {
      periods.push(`${more[1]}${iso.slice(4)}`)
      end += more[0].length
    }
  }
  const concluded = /\b(?:conclu|determin|decid|advis|inform|notif)\w*\b/i.test(text) ? eventDateOf(text) : null
  return [
    ...fact(sentence, 'non_reliance_date', concluded),
    ...periods.flatMap((day) => fact(sentence, 'non_reliance_period', day)),
  ]
}

const EXCHANGES: readonly (readonly [RegExp, string])[] = [
  [/\bNYSE American\b|\bNYSE MKT\b/i, 'NYSE American'],
  [/\bNYSE Amex\b|\bAmerican Stock Exchange\b|\bAMEX\b/i, 'American Stock Exchange'],
  [/\bNYSE Arca\b/i, 'NYSE Arca'],
  [/\bNew York Stock Exchange\b|\bNYSE\b(?! (?:American|MKT|Amex|Arca))/i, 'NYSE'],
  [/\bNasdaq\b/i, 'Nasdaq'],
  [/\bCboe BZX\b/i, 'Cboe BZX'],
]
const NOTIFIED =
  /\b(?:receiv\w+|notif\w+|notice|letter|determin\w+|advised|informed|deficien\w+|(?:non-?)?complian\w+|comply)\b/i
const RULE_NUMBER = String.raw`(?:IM-)?\d{3,4}[A-Z]?(?:\.\d{2})?[A-Z]?(?:\([A-Za-z0-9]{1,3}\)){0,4}(?:-\d{1,2})?(?![\w.]?\d|\sSeries)`
/** Matches "Listing Rules 5101, 5110(b) and IM-5101-1" */
const RULES = new RegExp(
  String.raw`(?<!\bSEC |\bAct )\b(?:Rules?|Sections?)\s(${RULE_NUMBER}(?:(?:,\s(?:and\s|or\s)?|\s(?:and|or|&)\s)${RULE_NUMBER}){0,9})(?!,?\s(?:of|under)\sthe\s(?:Securities|Exchange)\b)`,
  'g',
)
const EACH_RULE = new RegExp(RULE_NUMBER, 'g')
const REASON: readonly (readonly [RegExp, (typeof REASONS)[number]])[] = [
  [
    /\bbid price\b|\bclosing (?:share |sale |stock )?price\b[^.;]{0,60}\$1\.00|\$1\.00[^;]{0,40}\bprice requirement\b|\b(?:share |stock )price (?:rule|criteri\w+|condition|standard|requirement)\b|\blow (?:selling )?price\b/i,
    'price',
  ],
  [
    /\bmarket value of (?:(?:our|its|the Company[’']s) )?(?:publicly held|listed|publicly|common)\b|\bmarket capitalization\b/i,
    'market_value',
  ],
  [/\b(?:stock|share)holders[’'] equity\b|\bequity balance\b/i, 'equity'],
  [
    /\b(?:not|failure to|failed to|delay in|did not) (?:timely |yet )?(?:file|filing|filed)\b|\btimely fil/i,
    'late_report',
  ],
  [/\baudit committees?\b/i, 'audit_committee'],
  [
    /\bmajority of (?:the |its |our )?(?:board|directors|independent)|\bindependent directors? requirement/i,
    'independent_directors',
  ],
  [
    /\bannual meeting\b[^.;]{0,80}\b(?:requirement|hold|held)\b|\b(?:hold|held|holding) (?:an|its|the) annual meeting\b/i,
    'annual_meeting',
  ],
  [/\bvoluntar\w+\b[^.;]{0,80}\b(?:delist|transfer|withdraw)|\btransfer (?:of )?(?:its|the) listing\b/i, 'voluntary'],
  [
    /\b(?:Form 25|Effective Time|Merger)\b[^.;]{0,160}\bdelist|\bdelist\w*[^.;]{0,160}\b(?:Merger|Form 25)\b/i,
    'merger',
  ],
  [/\bbankruptcy\b|\bchapter 11\b|\bvoluntary petitions?\b/i, 'bankruptcy'],
]
/** Returns the first reason in a sentence: "a majority of independent directors and an audit committee". */
function reasonIn(text: string): (typeof REASONS)[number] | undefined {
  const found = REASON.map(([pattern, reason]) => ({ at: pattern.exec(text)?.index ?? -1, reason })).filter(
    ({ at }) => at >= 0,
  )
  return found.sort((a, b) => a.at - b.at)[0]?.reason
}
/** Words of a general requirement of the exchange, which is not a deficiency. */
const IN_GENERAL = /\b(?:an issuer|a listed company|a company)\b/
/** Matches "Nasdaq notified the Company that it has regained compliance": not a notice of a deficiency. */
const REGAINED =
  /^(?!.*\b(?:if|unless|until|whether|not|once|when)\b.{0,120}\bregained compliance\b).*\b(?:regained compliance|(?:is|are) now in compliance|now complies|matter (?:is|has been) (?:now )?closed)\b/is
const DEADLINE = new RegExp(`\\b(?:until|by|no later than|or before|or until|through),?\\s${DAY}`)
/** Words before the last day to request a hearing, which is not a deadline for regaining compliance. */
const OF_HEARING = /\b(?:hearing|appeals?|request(?:s|ed)?)\b[^.;]{0,80}$/i

/** Reads "the NYSE" as NYSE American if the item names NYSE American and not the New York Stock Exchange. */
function listings(sentences: readonly Sentence[]): Reader {
  const isAmerican =
    sentences.some(({ text }) => /\bNYSE (?:American|MKT)\b/i.test(text)) &&
    !sentences.some(({ text }) => /\bNew York Stock Exchange\b/i.test(text))
  return (sentence) => listing(sentence, isAmerican)
}

function listing(sentence: Sentence, isAmerican: boolean): Fact[] {
  const text = sentence.text.replace(/\s/g, ' ')
  // A section of a law is not a rule of an exchange, so the sentence must also name an exchange, a rule or a manual.
  const isOfExchange = /\b(?:Listing|Marketplace|Nasdaq|NYSE|Manual|Guide|Rules?)\b/.test(text)
  const rules = isOfExchange ? [...text.matchAll(RULES)].flatMap(([, list]) => list!.match(EACH_RULE) ?? []) : []
  const ruled = rules.flatMap((rule) => fact(sentence, 'rule', rule))
  if (!NOTIFIED.test(text) && !/\bdelist|\blisting\b/i.test(text)) return ruled
  const all = EXCHANGES.filter(([pattern]) => pattern.test(text)).map(([, name]) => name)
  const exchanges = isAmerican ? all.filter((name) => name !== 'NYSE') : all
  const reason = REGAINED.test(text) ? 'compliance_regained' : IN_GENERAL.test(text) ? undefined : reasonIn(text)
  const until =
    /\b(?:regain|complian|cure|plan\b)/i.test(text) || /noncomplian/i.test(text) ? DEADLINE.exec(text) : null
  const isTerm = until !== null && !OF_HEARING.test(text.slice(0, until.index))
  const isNotice = /\b(?:receiv\w+|notif\w+|(?:gave|provided|delivered) (?:written )?notice)\b/i.test(text)
  return [
    ...(exchanges.length === 1 ? fact(sentence, 'exchange', exchanges[0]) : []),
    ...ruled,
    ...fact(sentence, 'reason', reason),
    ...(isTerm ? fact(sentence, 'deadline', dayOf(until[1])) : []),
    ...(isNotice ? fact(sentence, 'notice_date', noticeDay(text)) : []),
  ]
}

/**
 * Returns the day of the letter. The day follows "received" or "notified", or else precedes these words
 * (0000939057-08-000253: "announced on July 18 … a letter on July 15").
 */
const noticeDay = (text: string): string | null => {
  const at = /\b(?:received|notified)\b/i.exec(text)?.index ?? 0
  // Days in the content of the letter do not count: "notified us that trading would be suspended on".
  const end = /\b(?:that|unless|if|informing|stating|indicating|advising|because)\b/i.exec(text.slice(at))?.index
  const said = text.slice(0, end === undefined ? at + NOTICE_MAX : at + end)
  const before = [...said.slice(0, at).matchAll(ON_DAY)].filter(({ index }) => !OTHER_DAY.test(said.slice(0, index)))
  return onDay(said.slice(at)) ?? dayOf(before.at(-1)?.[1]) ?? onDay(said)
}
const NOTICE_MAX = 120
const OTHER_DAY = /\b(?:filed|furnished|dated|issued|disclosed) $/i
const ON_DAY = new RegExp(`\\b[Oo]n ${DAY}`, 'g')
