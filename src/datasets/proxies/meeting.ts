/** Finds the day and kind of the meeting and the record date, if all mentions agree. */
import { type Held, heldIn, isOfVote, noticeIn, recordIn } from './days.ts'
import type { Fact, FactName } from './fact.ts'
import type { Paragraph } from './prose.ts'

export interface MeetingFacts {
  facts: Fact[]
  /** Names of facts about which the text has contradictory statements. */
  leftOut: FactName[]
}

/** Length of the front: the notice and the first pages. Later pages mention other meetings, past and future. */
const FRONT_MAX = 60_000
/** Maximum length of a paragraph that is read. A longer paragraph is a list that was not split. */
const PARAGRAPH_MAX = 6_000

/**
 * Maximum number of days between the filing date and the meeting, before and after the filing. A meeting is announced
 * some weeks ahead, and never much more than a year ahead.
 */
const MEETING_DAYS = { before: 30, after: 400 }
/** Maximum number of days between the record date and the meeting. State law and SEC rules allow about seventy days. */
const RECORD_DAYS = 120

/**
 * @param filedDate `YYYY-MM-DD`. Days that are far from the filing date belong to other meetings
 * @param period period in EDGAR's header. Filers are asked to give the day of the meeting there, so it decides between
 *   two days
 */
export function meetingOf(paragraphs: readonly Paragraph[], filedDate: string, period: string | null): MeetingFacts {
  const read = paragraphs.filter(({ text }) => text.length <= PARAGRAPH_MAX)
  const first = read.findIndex(({ start }) => start >= FRONT_MAX)
  const front = first < 0 ? read.length : first
  const found: MeetingFacts = { facts: [], leftOut: [] }
  const isNearDay = ({ date }: Held) => isBetween(date.value, filedDate, MEETING_DAYS)
  const inFront = heldBetween(read, 0, front, filedDate)
  const near = withoutNext(inFront.filter(isNearDay))
  // Statements that describe the meeting only in questions and answers do so after the front.
  const held = near.length > 0 ? near : withoutNext(heldAfter(read, front, filedDate).filter(isNearDay))
  const onPeriod = held.filter(({ date }) => date.value === period)
  const meeting = agreed(
    (onPeriod.length > 0 ? onPeriod : held).map(({ date }) => date),
    found,
  )
  // A notice always names the day of its meeting. If there is a notice, but no day was found, the day is reported as
  // left out.
  if (held.length === 0 && read.slice(0, front).some(isNotice)) found.leftOut.push('meeting_date')
  const notices = () => read.slice(0, front).flatMap((paragraph) => [...noticeIn(paragraph)])
  const kinds = [kindsOf(held), notices(), kindsOf(inFront)].find(({ length }) => length > 0) ?? []
  agreed(kinds, found)
  const isNear = ({ value }: Fact) =>
    meeting
      ? isBetween(value, meeting.value, { before: RECORD_DAYS, after: -1 })
      : isBetween(value, filedDate, { before: RECORD_DAYS, after: RECORD_DAYS })
  const records = read.slice(0, front).flatMap((_, at) => [...recordIn(read, at)].filter(isNear))
  agreed(records.length > 0 ? records : recordsAfter(read, front).filter(isNear), found)
  return found
}

const isNotice = (paragraph: Paragraph) =>
  /\bnotice\s{1,3}is\s{1,3}(?:hereby\s{1,3})?given\b/i.test(paragraph.text) || !noticeIn(paragraph).next().done

/** Minimum number of days from one annual meeting to the next. */
const NEXT_DAYS = 300

/**
 * Removes days of the next annual meeting. A statement names that meeting because holders may send proposals for it.
 */
function withoutNext(held: Held[]): Held[] {
  const [first = ''] = held.map(({ date }) => date.value).sort()
  return held.filter(({ date }) => isBetween(date.value, first, { before: 0, after: NEXT_DAYS }))
}

const heldBetween = (paragraphs: readonly Paragraph[], from: number, to: number, filedDate: string): Held[] =>
  paragraphs.slice(from, to).flatMap((_, i) => [...heldIn(paragraphs, from + i, filedDate)])

/**
 * Maximum number of paragraphs after the front that are searched for the day. The cost grows with the number of their
 * words.
 */
const AFTER_FRONT_MAX = 200

function heldAfter(paragraphs: readonly Paragraph[], from: number, filedDate: string): Held[] {
  const found: Held[] = []
  let read = 0
  for (let at = from; at < paragraphs.length && read < AFTER_FRONT_MAX; at++) {
    if (!/\bmeeting\b/i.test(paragraphs[at]!.text) || !/\d{4}/.test(paragraphs[at]!.text)) continue
    read++
    found.push(...heldIn(paragraphs, at, filedDate))
  }
  return found
}

const kindsOf = (held: readonly Held[]): Fact[] => held.flatMap(({ kind }) => kind ?? [])

/**
 * Finds record dates after the front. There a record date may concern a dividend or a mailing, so it counts only if its
 * sentence is about votes.
 */
const recordsAfter = (paragraphs: readonly Paragraph[], from: number): Fact[] =>
  paragraphs
    .slice(from)
    .flatMap((paragraph, i) => [...recordIn(paragraphs, from + i)].filter((fact) => isOfVote(fact, paragraph)))

function isBetween(day: string, around: string, { before, after }: typeof MEETING_DAYS): boolean {
  const days = (Date.parse(day) - Date.parse(around)) / 86_400_000
  return days >= -before && days <= after
}

/** Adds the first of several facts if all of them agree. Otherwise adds only the name of the fact, as left out. */
function agreed(facts: readonly Fact[], found: MeetingFacts): Fact | null {
  const [first] = facts
  if (!first) return null
  if (facts.some(({ value }) => value !== first.value)) {
    found.leftOut.push(first.name)
    return null
  }
  found.facts.push(first)
  return first
}
