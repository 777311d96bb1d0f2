/** When the meeting is, of which kind, and whose shares have a vote: what all mentions agree on. */
import { type Held, heldIn, isOfVote, noticeIn, recordIn } from './days.ts'
import type { Fact, FactName } from './fact.ts'
import type { Paragraph } from './prose.ts'

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

/**
 * @param filedDate `YYYY-MM-DD`: days far from it are of other meetings
 * @param period of EDGAR's header, which filers are asked to give as the day of the meeting: of two days it decides
 */
export function meetingOf(paragraphs: readonly Paragraph[], filedDate: string, period: string | null): Found {
  const read = paragraphs.filter(({ text }) => text.length <= PARAGRAPH_MAX)
  const first = read.findIndex(({ start }) => start >= FRONT_MAX)
  const front = first < 0 ? read.length : first
  const found: Found = { facts: [], leftOut: [] }
  const isNearDay = ({ date }: Held) => isBetween(date.value, filedDate, MEETING_DAYS)
  const inFront = heldBetween(read, 0, front, filedDate)
  const near = inFront.filter(isNearDay)
  // Who tells of the meeting in questions and answers alone tells of it behind all else.
  const held = near.length > 0 ? near : heldBehind(read, front, filedDate).filter(isNearDay)
  const told = held.filter(({ date }) => date.value === period)
  const meeting = agreed((told.length > 0 ? told : held).map(({ date }) => date), found) // biome-ignore format: one line
  // A notice of a meeting has its day, which was not found.
  if (held.length === 0 && read.slice(0, front).some((each) => !noticeIn(each).next().done)) found.leftOut.push('meeting_date') // biome-ignore format: one line
  const notices = () => read.slice(0, front).flatMap((paragraph) => [...noticeIn(paragraph)])
  const kinds = [kindsOf(held), notices(), kindsOf(inFront)].find(({ length }) => length > 0) ?? []
  agreed(kinds, found)
  const isNear = ({ value }: Fact) => (meeting ? isBetween(value, meeting.value, { before: RECORD_DAYS, after: 0 }) : isBetween(value, filedDate, { before: RECORD_DAYS, after: RECORD_DAYS })) // biome-ignore format: one line
  const records = read.slice(0, front).flatMap((_, at) => [...recordIn(read, at)].filter(isNear))
  agreed(records.length > 0 ? records : recordsBehind(read, front).filter(isNear), found)
  return found
}

const heldBetween = (paragraphs: readonly Paragraph[], from: number, to: number, filedDate: string): Held[] =>
  paragraphs.slice(from, to).flatMap((_, i) => [...heldIn(paragraphs, from + i, filedDate)])

/** At most so many paragraphs behind the front are looked through for the day: each costs as much as its words can. */
const BEHIND_MAX = 200

function heldBehind(paragraphs: readonly Paragraph[], from: number, filedDate: string): Held[] {
  const found: Held[] = []
  let read = 0
  for (let at = from; at < paragraphs.length && read < BEHIND_MAX; at++) {
    if (!/\bmeeting\b/i.test(paragraphs[at]!.text) || !/\d{4}/.test(paragraphs[at]!.text)) continue
    read++
    found.push(...heldIn(paragraphs, at, filedDate))
  }
  return found
}

const kindsOf = (held: readonly Held[]): Fact[] => held.flatMap(({ kind }) => kind ?? [])

/** Behind the front other days of record are told of: only a sentence about votes counts. */
const recordsBehind = (paragraphs: readonly Paragraph[], from: number): Fact[] =>
  paragraphs.slice(from).flatMap((paragraph, i) => [...recordIn(paragraphs, from + i)].filter((fact) => isOfVote(fact, paragraph))) // biome-ignore format: one line

function isBetween(day: string, around: string, { before, after }: typeof MEETING_DAYS): boolean {
  const days = (Date.parse(day) - Date.parse(around)) / 86_400_000
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
