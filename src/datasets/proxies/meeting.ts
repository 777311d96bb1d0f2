/** When the meeting is, of which kind, and whose shares have a vote: read from words that can mean nothing else. */

import { sentenceAt } from '../../read/sentences.ts'
import { namedDay } from '../../read/values.ts'
import { DAY, type Paragraph, type Span, spanIn } from './prose.ts'
import type { FACTS, MEETING_KINDS } from './tables-words.ts'

export type FactName = (typeof FACTS)[number]

export interface Fact extends Span {
  name: FactName
  value: string
}

export interface Found {
  facts: Fact[]
  /** Facts of which the statement says two that disagree. */
  leftOut: FactName[]
}

/** The notice and the first pages; behind them other meetings are told of, past and to come. */
const FRONT_MAX = 60_000
/** A longer paragraph is a list that was not told apart. */
const PARAGRAPH_MAX = 6_000

/** A meeting is announced some weeks before it, and a year before it by no one. */
const MEETING_DAYS = { before: 30, after: 400 }
/** Rules of states and of the SEC allow some seventy days between record date and meeting. */
const RECORD_DAYS = 120

const HELD = new RegExp(
  `\\b(?:(annual|special|extraordinary)\\s{1,3}(?:general\\s{1,3})?)?meeting\\b[^;]{0,220}?\\b(?:(?:will|to)\\s{1,3}be\\s{1,3}held|scheduled\\s{1,3}(?:for|on))\\b` +
    `(?:(?!record|\\bheld\\b|adjourn|mailed|furnish|\\bdated\\b|submit|receive)[^;]){0,260}?\\b${DAY}`,
  'gi',
)
/** A line of its own below "Notice of annual meeting of shareholders". */
const HELD_ALONE = new RegExp(
  `^\\W*to\\s{1,3}be\\s{1,3}held\\s{1,3}(?:on\\s{1,3})?(?:\\w{6,9}day,?\\s{1,3})?${DAY}`,
  'i',
)
/** "originally scheduled for May 1, 2020, has been postponed to June 12": the first day is no longer that of the meeting. */
const MOVED =
  /\b(?:(?:has|have|had) been|was|were) (?:postponed|cancell?ed|rescheduled|adjourned|changed|moved)\b|\b(?:originally|previously|initially) scheduled\b/i
const IS_NOTICE = /\bnotice\b[\s\S]{0,80}\bmeeting\b/i
const LABEL = /^\W*(?:date|when|date\s+(?:and|&)\s+time|meeting\s+date|time\s+and\s+date)\W*$/i
const DAY_FIRST = new RegExp(`^\\W*(?:\\w{6,9}day,?\\s{1,3})?${DAY}`, 'i')

const RECORD = [
  new RegExp(`\\bof\\s{1,3}record\\b[^.;]{0,60}?\\bclose\\s{1,3}of\\s{1,3}business,?\\s{1,3}(?:on|of)?\\s{0,3}${DAY}`, 'gi'),
  new RegExp(`\\bclose\\s{1,3}of\\s{1,3}business,?\\s{1,3}(?:on|of)?\\s{0,3}(?:\\w{6,9}day,?\\s{1,3})?${DAY}[^.;]{0,80}?\\brecord\\s{1,3}date\\b`, 'gi'),
  new RegExp(`\\b(?:fixed|set|established|selected)\\s[^.;]{0,40}?${DAY},?\\s{1,3}(?:as|to\\s{1,3}be)\\s{1,3}the\\s{1,3}[“"]?record\\s{1,3}date\\b`, 'gi'),
  new RegExp(`\\brecord\\s{1,3}date\\b(?:(?!dividend|split|distribution|right)[^.;]){0,160}?(?:\\b(?:is|was|of|as)\\b|[,:(])\\s{0,3}(?:the\\s{1,3})?(?:close\\s{1,3}of\\s{1,3}business\\s{1,3}on\\s{1,3})?${DAY}`, 'gi'),
] // biome-ignore format: one line each
const RECORD_LABEL = /^\W*record\s+date\W*$/i
const DAY_OF_RECORD = new RegExp(`^\\W*(?:close\\s+of\\s+business\\s+on\\s+)?${DAY}\\W*$`, 'i')
/** A date of record for money or a split is another. */
const OF_OTHERS = /\b(?:dividend|split|distribution)\b/i
const IS_VOTED = /\bvot(?:e|ing)\b/i

/**
 * @param filedDate `YYYY-MM-DD`: days far from it are of other meetings
 * @param period of EDGAR's header, which filers are asked to give as the day of the meeting: of two days it decides
 */
export function meetingOf(paragraphs: readonly Paragraph[], filedDate: string, period: string | null): Found {
  const front = paragraphs.filter(({ start, text }) => start < FRONT_MAX && text.length <= PARAGRAPH_MAX)
  const dates: Fact[] = []
  const kinds: Fact[] = []
  const records: Fact[] = []
  for (const [at, paragraph] of front.entries()) {
    const next = front[at + 1]
    dates.push(...heldIn(paragraph, front[at - 1], next))
    for (const match of paragraph.text.matchAll(HELD)) {
      const kind = match[1]?.toLowerCase()
      if (kind) kinds.push(factOf('meeting_kind', kind === 'annual' ? 'annual' : 'special', paragraph, match))
    }
    records.push(...recordIn(paragraph, next))
  }
  const found: Found = { facts: [], leftOut: [] }
  const near = dates.filter(({ value }) => isNear(value, filedDate, MEETING_DAYS))
  const told = near.filter(({ value }) => value === period)
  const meeting = agreed(told.length > 0 ? told : near, found)
  agreed(kinds.filter((kind) => near.length === 0 || near.some(({ start, end }) => start < kind.end && kind.start < end)), found) // biome-ignore format: one line
  const last = meeting?.value ?? null
  agreed(
    records.filter(({ value }) => (last ? value <= last && daysBetween(value, last) <= RECORD_DAYS : isNear(value, filedDate, { before: RECORD_DAYS, after: RECORD_DAYS }))), // biome-ignore format: one line
    found,
  )
  return found
}

export type MeetingKind = (typeof MEETING_KINDS)[number]

function* heldIn(paragraph: Paragraph, before: Paragraph | undefined, next: Paragraph | undefined): Generator<Fact> {
  const { text } = paragraph
  for (const match of text.matchAll(HELD)) {
    const sentence = sentenceAt(text, match.index + match[0].length - 1)
    if (MOVED.test(text.slice(sentence.start, sentence.end))) continue
    yield* dayFact('meeting_date', paragraph, match, match.slice(2))
  }
  const alone = HELD_ALONE.exec(text)
  if (alone && before && IS_NOTICE.test(before.text)) yield* dayFact('meeting_date', paragraph, alone, alone.slice(1))
  const labelled = LABEL.test(text) && next ? DAY_FIRST.exec(next.text) : null
  if (labelled) yield* dayFact('meeting_date', next!, labelled, labelled.slice(1))
  const [label = '', value = ''] = cellsOf(text)
  const cell = LABEL.test(label) ? DAY_FIRST.exec(value) : null
  if (cell) yield* dayFact('meeting_date', paragraph, { index: 0, 0: text }, cell.slice(1))
}

function* recordIn(paragraph: Paragraph, next: Paragraph | undefined): Generator<Fact> {
  const { text } = paragraph
  for (const match of RECORD.flatMap((pattern) => [...text.matchAll(pattern)])) {
    const sentence = sentenceAt(text, match.index)
    const words = text.slice(sentence.start, sentence.end)
    if (OF_OTHERS.test(words) && !IS_VOTED.test(words)) continue
    yield* dayFact('record_date', paragraph, match, match.slice(1))
  }
  const labelled = RECORD_LABEL.test(text) && next ? DAY_OF_RECORD.exec(next.text) : null
  if (labelled) yield* dayFact('record_date', next!, labelled, labelled.slice(1))
  const [label = '', value = ''] = cellsOf(text)
  const cell = RECORD_LABEL.test(label) ? DAY_OF_RECORD.exec(value) : null
  if (cell) yield* dayFact('record_date', paragraph, { index: 0, 0: text }, cell.slice(1))
}

const cellsOf = (text: string): string[] => (text.startsWith('|') ? text.split('|', 4).slice(1).map((cell) => cell.trim()) : []) // biome-ignore format: one line

type Match = Pick<RegExpMatchArray, 0> & { index: number }

/** A fact with the sentence around what was matched; nothing for what is no day. */
function* dayFact(name: FactName, paragraph: Paragraph, match: Match, [month, day, year]: string[]): Generator<Fact> {
  const value = namedDay(year, month, day)
  if (value !== null) yield factOf(name, value, paragraph, match)
}

export function factOf(name: FactName, value: string, paragraph: Paragraph, match: Match): Fact {
  const first = sentenceAt(paragraph.text, match.index)
  const last = sentenceAt(paragraph.text, match.index + Math.max(0, match[0].length - 1))
  return { name, value, ...spanIn(paragraph, Math.min(first.start, match.index), last.end) }
}

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

function isNear(day: string, filedDate: string, { before, after }: typeof MEETING_DAYS): boolean {
  const days = daysBetween(filedDate, day)
  return days >= -before && days <= after
}

/** The first of facts that all say the same is kept; of others nothing but their name. */
function agreed(facts: readonly Fact[], found: Found): Fact | null {
  const [first] = facts
  if (!first) return null
  if (facts.some(({ value }) => value !== first.value)) {
    found.leftOut.push(first.name)
    return null
  }
  found.facts.push(first)
  return first
}
