/** What items on auditors, restatements, bankruptcies, incidents and listings say, sentence by sentence. */
import { DAY, dayOf } from './days.ts'
import { type Sentence, type Span, sentencesOf } from './prose.ts'
import type { FACTS, REASONS } from './tables-words.ts'

export type FactName = (typeof FACTS)[number]

export interface Fact extends Span {
  name: FactName
  value: string
}

/** The facts of the items that have any, by number; the others tell by their text alone. */
const READERS: Readonly<Record<string, (sentence: Sentence) => Fact[]>> = {
  '1.03': bankruptcy,
  '1.05': incident,
  '3.01': listing,
  '4.01': auditors,
  '4.02': nonReliance,
  // The items of the numbering before 2004-08-23 that became 1.03 and 4.01.
  '3': bankruptcy,
  '4': auditors,
}

/**
 * @param section text of the item behind its heading
 * @returns in the order of the text; of a fact that is said twice the first
 */
export function factsOf(item: string, markdown: string, section: Span): Fact[] {
  const read = READERS[item]
  if (!read) return []
  const facts = sentencesOf(markdown, section).sentences.flatMap(read)
  return facts.filter(
    (one, at) => facts.findIndex(({ name, value }) => name === one.name && value === one.value) === at,
  )
}

const fact = ({ start, end }: Sentence, name: FactName, value: string | null | undefined): Fact[] =>
  value ? [{ name, value, start, end }] : []

const ON = new RegExp(`\\b[Oo]n\\s${DAY}`)
const dayIn = (text: string): string | null => dayOf(ON.exec(text)?.[1])

const CHAPTER = /\bchapter\s(7|9|11|12|13|15)\b/i
const COURT =
  /\b(?:United States |U\.S\. )?Bankruptcy Court,? (?:for the )?((?:[A-Z][a-z]+ ){0,3}District of [A-Z][a-z]+(?: [A-Z][a-z]+)?)/
const CASE = /\bCase Nos?\.?\s?(\d[\w:-]{2,24}(?:\s?\([A-Z]{2,4}\))?)/

/** Not "filed a motion to dismiss the case", nor "has not filed a petition". */
const PETITION =
  /(?<!\bnot )\b(?:filed|commenced|filing of)\b(?:(?!\b(?:motion|plan|objection|dismiss\w*)\b)[^.;]){0,120}?\b(?:petitions?|cases?|proceedings?|relief|reorganization)\b/i
const PETITION_DATE = new RegExp(`\\b[Oo]n\\s${DAY}[^.;]{0,12}Petition Date`)

/** The only day of the sentence, or the one that it calls so: an order of the court has a day too. */
function petitionDay(text: string): string | null {
  const said = PETITION_DATE.exec(text)?.[1]
  if (said) return dayOf(said)
  return [...text.matchAll(new RegExp(DAY, 'g'))].length === 1 ? dayIn(text) : null
}

function bankruptcy(sentence: Sentence): Fact[] {
  const { text } = sentence
  const isPetition = CHAPTER.test(text) && PETITION.test(text)
  return [
    ...fact(sentence, 'court', COURT.exec(text)?.[1]),
    ...fact(sentence, 'case_number', CASE.exec(text)?.[1]),
    ...fact(sentence, 'chapter', CHAPTER.exec(text)?.[1]),
    ...(isPetition ? fact(sentence, 'petition_date', petitionDay(text)) : []),
  ]
}

function incident(sentence: Sentence): Fact[] {
  const { text } = sentence
  const isFound = /\b(?:discovered|identified|detected|became aware|learned)\b/i.test(text)
  if (/\b(?:not|yet to|no|unlikely|neither)\b[^.;]{0,60}\b(?:determined|material)\b/i.test(text)) return []
  const isDetermined = /\bdetermined\b[^.;]{0,120}\bmaterial\b/i.test(text)
  const day = dayIn(text)
  if (isDetermined) return fact(sentence, 'incident_determined', day)
  return isFound ? fact(sentence, 'incident_discovered', day) : []
}

const FIRM = String.raw`((?:[A-Z][\p{L}’'.-]{0,24}(?:,\s|\s(?:&\s|and\s)?)){1,6}(?:LLP|L\.L\.P\.|LLC|PLLC|P\.C\.|PC|CPAs?(?:,\sP\.?C\.?)?|P\.A\.|PA|Chartered))(?![\p{L}])`
const KNOWN = '(?:(?:Deloitte(?: & Touche)?|Ernst & Young|PricewaterhouseCoopers|KPMG(?: Peat Marwick)?|Arthur Andersen|Grant Thornton|BDO(?: Seidman| USA)?|Marcum|Crowe Horwath|RSM US)(?:,? LLP)?)' // biome-ignore format: one line
const AUDITOR = `(?:${FIRM}|(${KNOWN}))`
const DISMISSED = new RegExp(String.raw`\b(?:dismiss(?:ed|al of)|terminated|replaced|resignation of)\s(?:the engagement of\s|its (?:independent )?auditors?,?\s)?${AUDITOR}`, 'u') // biome-ignore format: one line
const WAS_DISMISSED = new RegExp(String.raw`${AUDITOR}(?:\s\([^()]{1,40}\))?,?\s(?:was dismissed|has been dismissed|resigned|declined to stand|(?:notified|informed)\s[^.;]{1,200}?\b(?:resign|declin))`, 'u') // biome-ignore format: one line
const ENGAGED = new RegExp(String.raw`\b(?:engaged|appointed|retained|selected|hired|engagement of|appointment of)\s${AUDITOR}`, 'u') // biome-ignore format: one line

function auditors(sentence: Sentence): Fact[] {
  const { text } = sentence
  const former = DISMISSED.exec(text) ?? WAS_DISMISSED.exec(text)
  const engaged = ENGAGED.exec(text)
  // "the Company had not engaged …" before; holders ratify whom the company has.
  const isEngaged =
    engaged && !/\b(?:not|neither|nor|consult\w*|prior to|ratif\w*)\b/i.test(text.slice(0, engaged.index))
  return [
    ...(former ? [...fact(sentence, 'former_auditor', former[1] ?? former[2]), ...fact(sentence, 'dismissal_date', dayIn(text))] : []), // biome-ignore format: one line
    ...(isEngaged ? [...fact(sentence, 'new_auditor', engaged[1] ?? engaged[2]), ...fact(sentence, 'engagement_date', dayIn(text))] : []), // biome-ignore format: one line
  ]
}

function nonReliance(sentence: Sentence): Fact[] {
  const { text } = sentence
  if (/\b(?:did|does|do|has|have) not (?:conclude|determine|believe)d?\b/i.test(text)) return []
  const relied = /\b(?:(?:should|can|may) (?:no longer|not) be relied|no longer be relied)\b/i.exec(text)
  if (!relied) return []
  const [, ended = ''] = /\bended\b([^;]{0,300}?)\b(?:should|can|may|no longer)\b/.exec(text) ?? []
  return [...ended.matchAll(new RegExp(DAY, 'g'))].flatMap(([, day]) =>
    fact(sentence, 'non_reliance_period', dayOf(day)),
  )
}

const EXCHANGES: readonly (readonly [RegExp, string])[] = [
  [/\bNYSE American\b|\bNYSE MKT\b/i, 'NYSE American'],
  [/\bNYSE Amex\b|\bAmerican Stock Exchange\b|\bAMEX\b/i, 'American Stock Exchange'],
  [/\bNYSE Arca\b/i, 'NYSE Arca'],
  [/\bNew York Stock Exchange\b|\bNYSE\b(?! (?:American|MKT|Amex|Arca))/i, 'NYSE'],
  [/\bNasdaq\b/i, 'Nasdaq'],
  [/\bCboe BZX\b/i, 'Cboe BZX'],
]
const TOLD = /\b(?:receiv\w+|notif\w+|notice|letter|determin\w+|advised|informed|deficien\w+|compliance)\b/i
const RULE = /\b(?:Rules?|Sections?)\s(\d{3,4}(?:\.\d{2})?[A-Z]?(?:\([A-Za-z0-9]{1,3}\)){0,4})/g
const REASON: readonly (readonly [RegExp, (typeof REASONS)[number]])[] = [
  [/\bbid price\b|\b(?:average )?closing price\b[^.;]{0,60}\$1\.00/i, 'price'],
  [/\bmarket value of (?:publicly held|listed|its publicly)|\bmarket capitalization\b/i, 'market_value'],
  [/\bstockholders[’'] equity\b|\bshareholders[’'] equity\b/i, 'equity'],
  [
    /\b(?:not|failure to|failed to|delay in|did not) (?:timely |yet )?(?:file|filing|filed)\b|\btimely fil/i,
    'late_report',
  ],
  [/\baudit committee\b/i, 'audit_committee'],
  [/\bmajority of (?:the )?(?:board|directors)|\bindependent directors? requirement/i, 'independent_directors'],
  [/\bannual meeting\b[^.;]{0,80}\b(?:requirement|hold|held)\b/i, 'annual_meeting'],
  [/\bvoluntar\w+\b[^.;]{0,80}\b(?:delist|transfer|withdraw)|\btransfer (?:of )?(?:its|the) listing\b/i, 'voluntary'],
  [
    /\b(?:Form 25|Effective Time|Merger)\b[^.;]{0,160}\bdelist|\bdelist\w*[^.;]{0,160}\b(?:Merger|Form 25)\b/i,
    'merger',
  ],
]
/** "Nasdaq notified the Company that it has regained compliance", which is no notice of a deficiency. */
const REGAINED =
  /^(?!.*\b(?:if|unless|until|whether|not|once|when)\b.{0,120}\bregained compliance\b).*\bregained compliance\b/is
const DEADLINE = new RegExp(`\\b(?:until|by|no later than|or before|or until|through),?\\s${DAY}`)

function listing(sentence: Sentence): Fact[] {
  const { text } = sentence
  if (!TOLD.test(text) && !/\bdelist|\blisting\b/i.test(text)) return []
  const exchanges = EXCHANGES.filter(([pattern]) => pattern.test(text)).map(([, name]) => name)
  const rules = /\b(?:Listing|Marketplace|Nasdaq|NYSE|Manual|Guide|Rules?)\b/.test(text) ? [...text.matchAll(RULE)].map(([, rule]) => rule!) : [] // biome-ignore format: one line
  const reason = REGAINED.test(text) ? 'compliance_regained' : REASON.find(([pattern]) => pattern.test(text))?.[1]
  const isTerm = /\b(?:regain|compliance|cure|plan)\b/i.test(text)
  const isNotice = /\b(?:receiv\w+|notif\w+|(?:gave|provided|delivered) (?:written )?notice)\b/i.test(text)
  return [
    ...(exchanges.length === 1 ? fact(sentence, 'exchange', exchanges[0]) : []),
    // Rule 12b-2 and Section 102 of other laws are not the exchange's.
    ...rules.flatMap((rule) => fact(sentence, 'rule', rule)),
    ...fact(sentence, 'reason', reason),
    ...(isTerm ? fact(sentence, 'deadline', dayOf(DEADLINE.exec(text)?.[1])) : []),
    ...(isNotice ? fact(sentence, 'notice_date', noticeDay(text)) : []),
  ]
}

/** The day of the letter: behind the verb, else before it (0000939057-08-000253: "announced on July 18 … a letter on July 15"). */
const noticeDay = (text: string): string | null => {
  const at = /\b(?:received|notified)\b/i.exec(text)?.index ?? 0
  return dayOf(ON.exec(text.slice(at, at + 120))?.[1]) ?? dayIn(text)
}
