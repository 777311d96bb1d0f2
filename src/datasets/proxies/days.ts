/** Reads the meeting date and the record date, from words that can mean nothing else. */
import { ANY_DAY, dayInFigures, dayOf } from '../../read/prose/dates.ts'
import { sentenceAt } from '../../read/prose/sentences.ts'
import { type Fact, type FactName, factOf } from './fact.ts'
import type { Paragraph } from './prose.ts'
import { cellsOf, RULE } from './recommendations/votes.ts'

/**
 * Pattern of a day in words, or in figures: "06/12/2026", "2026-06-12". Figures with full stops may have the day first,
 * so they are not read.
 */
const SOME_DAY = `(${ANY_DAY.slice(1, -1)}|\\d{1,2}/\\d{1,2}/(?:20)?\\d\\d(?![\\d/])|20\\d\\d-\\d\\d-\\d\\d(?!\\d))`
/** Pattern of an optional weekday before the day. */
const WEEKDAY = '(?:(?:\\w{3,6}day|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\\.?,?\\s{1,3})?'
const HOLDERS = "(?:(?:share|stock|unit)(?:holder|owner)s?['’]?s?['’]?\\s{1,3})"
/** Pattern of a meeting, with one group: the kind of meeting. */
const MEETING = `\\b(?:(annual(?:\\s{1,3}general)?\\s{1,3}and\\s{1,3}special|annual|special|extraordinary)\\s{1,3}(?:general\\s{1,3})?${HOLDERS}?)?meeting\\b`
/**
 * Words which show that a later day in the sentence is not the day of the meeting. It is a record date, a deadline, the
 * end of a year or the day of another event.
 */
const OTHERS =
  'record|\\bheld\\b|adjourn|mailed|furnish|\\bdated\\b|submit|receive|\\bend(?:ing|ed)\\b|\\buntil\\b|deadline|\\blater\\s{1,3}than\\b|\\bor\\s{1,3}before\\b|expect|\\bby\\s{1,3}(?:\\w{3,6}day,?\\s{1,3})?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)'

/** Pattern of a character within a sentence. The full stops of "Corp." and "9 a.m." do not end a sentence. */
const WITHIN = '(?!(?<=[a-z]{5}|\\d|\\))[.!?]["”)]?\\s{1,3}[a-z])[^;]'

const HELD = new RegExp(
  `${MEETING}(?:${WITHIN}){0,220}?\\b(?:(?:will|to)\\s{1,3}(?:be\\s{1,3}(?:held|convened)|take\\s{1,3}place|convene)|scheduled\\s{1,3}(?:for|on))\\b(?:(?!${OTHERS})${WITHIN}){0,260}?\\b${SOME_DAY}`,
  'gi',
)
/**
 * Matches "our Annual Meeting of Stockholders on May 2". Only words about the company may come between "meeting" and
 * "on".
 */
const ON = new RegExp(
  `${MEETING}(?:\\s{1,3}of\\s{1,3}[^;.(),]{2,100}?)?(?:,?\\s{1,3}(?:inc|corp|co|ltd|llc|plc)\\b\\.?,?)?(?:,?\\s{1,3}an?\\s{1,3}[^,;.()]{4,60},?)?(?:\\s{0,3}\\([^)]{0,160}\\),?)?\\s{1,3}(?:virtually\\s{1,3})?on\\s{1,3}${WEEKDAY}${SOME_DAY}`,
  'gi',
)
/** Matches "To be held on May 2, 2024", in a separate paragraph below "Notice of annual meeting of shareholders". */
const HELD_ALONE = new RegExp(`^\\W*to\\s{1,3}be\\s{1,3}held\\s{1,3}(?:on\\s{1,3})?${WEEKDAY}${SOME_DAY}`, 'i')
/** Matches a day below the heading of a notice, in a separate line, cell or paragraph, with or without the hour. */
const BELOW_HEADING = new RegExp(
  `^\\W*(?:(?:meeting\\s{1,3})?(?:date|when)(?:\\s{1,3}(?:and|&)\\s{1,3}time)?\\W{0,4})?(?:(?:will\\s{1,3}be\\s{1,3}|to\\s{1,3}be\\s{1,3})?held\\s{1,3})?(?:\\d{1,2}(?::\\d{2})?\\s?[ap]\\.?m\\.?,?\\s{1,3}(?:[a-z]{2,10}\\s{1,3}(?:[a-z]{2,10}\\s{1,3})?time,?\\s{1,3})?)?(?:on\\s{1,3})?${WEEKDAY}${SOME_DAY}`,
  'i',
)
/** Matches a day within the heading of a notice: "Notice of 2026 Annual Meeting – June 12, 2026". */
const IN_HEADING = new RegExp(
  `\\bnotice\\b[^.;]{0,80}?${MEETING}(?:\\s{1,3}of\\s{1,3}[a-z]{4,14}['’]?)?[\\s:,|–—-]{0,6}(?:to\\s{1,3}be\\s{1,3}held\\s{1,3})?(?:on\\s{1,3})?${WEEKDAY}${SOME_DAY}`,
  'i',
)
const HEADING_MAX = 200
/**
 * Maximum distance of a day below the heading, in paragraphs. A line with the company's name may come between the two.
 */
const HEADING_WITHIN = 3
/**
 * Words that move a meeting to another day, as in "originally scheduled for May 1, 2020, has been postponed to June
 * 12". No day of such a sentence is read as the day of the meeting. It may be the original day, on which the meeting is
 * not held.
 */
const MOVED =
  /\b(?:(?:has|have|had) been|was|were) (?:postponed|cancell?ed|rescheduled|adjourned|changed|moved)\b|\b(?:originally|previously|initially) scheduled\b|\b(?:postponed|cancell?ed|rescheduled|adjourned|changed|moved)\s{1,3}(?:(?:the|its|our)\s{1,3})(?:[\w’'-]{1,20}\s{1,3}){0,6}meeting\b|\b(?:determined|decided|elected|agreed|voted)\s{1,3}to\s{1,3}(?:postpone|cancel|reschedule|adjourn|move|change)\b/i
const OF_LETTER = /^\W{0,4}(?:dear|sincerely|yours|cordially|respectfully|by\s{1,3}order\s{1,3}of|very\s{1,3}truly)\b/i
const IS_NOTICE = /\bnotice\b[\s\S]{0,80}\bmeeting\b/i
const LABEL =
  /^\W*(?:meeting\s+)?(?:date|when|date\s*(?:and|&|\/)\s*time|time\s*(?:and|&|\/)\s*date)(?:\s+of\s+(?:the\s+)?(?:annual\s+|special\s+)?meeting)?\W*$/i
/** Matches the first day in a labelled cell or line. The hour may come before the day. */
const DAY_FIRST = new RegExp(`^[^;]{0,60}?\\b${WEEKDAY}${SOME_DAY}`, 'i')

const CLOSE = 'close\\s{1,3}of\\s{1,3}business\\b,?'
const RECORD = [
  new RegExp(
    `\\bof\\s{1,3}record\\b[^.;]{0,60}?\\b${CLOSE}[^;]{0,45}?\\b(?:on|of)?\\s{0,3}${WEEKDAY}${SOME_DAY}`,
    'gi',
  ),
  new RegExp(
    `\\b(?:(?:share|stock|unit)?(?:holders?|owners?)|members?)\\s{1,3}of\\s{1,3}record\\s{1,3}(?:as\\s{1,3}of|on|at)\\s{1,3}${WEEKDAY}${SOME_DAY}`,
    'gi',
  ),
  new RegExp(
    `\\b${CLOSE}[^;]{0,45}?\\b(?:on|of)?\\s{0,3}${WEEKDAY}${SOME_DAY}[^.;]{0,80}?\\brecord\\s{1,3}date\\b`,
    'gi',
  ),
  new RegExp(
    `\\b(?:fixed|set|established|selected)\\s[^.;]{0,40}?${SOME_DAY},?\\s{1,3}(?:as|to\\s{1,3}be)\\s{1,3}the\\s{1,3}[“"]?record\\s{1,3}date\\b`,
    'gi',
  ),
  new RegExp(
    `\\brecord\\s{1,3}date\\b(?:(?!dividend|split|distribution|right)[^.;]){0,160}?(?:\\b(?:is|was|of|as)\\b|[,:(])\\s{0,3}(?:the\\s{1,3})?(?:${CLOSE}\\s{1,3}on\\s{1,3})?${WEEKDAY}${SOME_DAY}`,
    'gi',
  ),
]
const RECORD_LABEL = /^\W*record\s+date\W*$/i
const DAY_OF_RECORD = new RegExp(`^\\W*(?:close\\s+of\\s+business\\s+on\\s+)?${WEEKDAY}${SOME_DAY}\\W*$`, 'i')
/** Words about record dates that do not concern votes, but a dividend, a split or a distribution. */
const OF_OTHERS = /\b(?:dividend|split|distribution)\b/i
const IS_VOTED = /\bvot(?:e|ing)\b/i
/** Matches the end of a sentence within a text. "Inc." and "a.m." do not end a sentence. */
const CROSSES = /(?:[a-z]{4}|\d|\))[.!?]["”)]?\s+[A-Z]/

/** A mention of the meeting with its day. */
export interface Held {
  date: Fact
  /** Kind of meeting, if the words name one. */
  kind: Fact | null
}

/**
 * @param filedDate `YYYY-MM-DD`. A meeting before this day is a past meeting, unless words of the future describe it
 */
export function* heldIn(paragraphs: readonly Paragraph[], at: number, filedDate: string): Generator<Held> {
  const paragraph = paragraphs[at]!
  const { text } = paragraph
  for (const pattern of [HELD, ON])
    for (const match of text.matchAll(pattern)) {
      const sentence = sentenceAt(text, match.index + match[0].length - 1)
      if (MOVED.test(text.slice(sentence.start, sentence.end))) continue
      const date = dayFact('meeting_date', paragraph, match, match[2])
      if (!date || (pattern === ON && date.value < filedDate)) continue
      yield { date, kind: kindFact(match[1], paragraph, match) }
    }
  const alone = HELD_ALONE.exec(text)
  if (alone && IS_NOTICE.test(paragraphs[at - 1]?.text ?? ''))
    yield* only(dayFact('meeting_date', paragraph, alone, alone[1]))
  yield* headed(paragraphs, at, filedDate)
  yield* labelled('meeting_date', paragraphs, at, LABEL, DAY_FIRST).map((date) => ({ date, kind: null }))
}

export function* recordIn(paragraphs: readonly Paragraph[], at: number): Generator<Fact> {
  const paragraph = paragraphs[at]!
  const { text } = paragraph
  for (const match of RECORD.flatMap((pattern) => [...text.matchAll(pattern)])) {
    if (CROSSES.test(match[0])) continue
    const sentence = sentenceAt(text, match.index)
    const words = text.slice(sentence.start, sentence.end)
    if (OF_OTHERS.test(words) && !IS_VOTED.test(words)) continue
    const fact = dayFact('record_date', paragraph, match, match[1])
    if (fact) yield fact
  }
  yield* labelled('record_date', paragraphs, at, RECORD_LABEL, DAY_OF_RECORD)
}

/** Tests whether the sentence of a record date is about votes. Other record dates decide who receives money. */
export const isOfVote = ({ start, end }: Fact, paragraph: Paragraph): boolean =>
  IS_VOTED.test(paragraph.text.slice(start - paragraph.start, end - paragraph.start))

/**
 * Yields a day after the filing date, in the heading of a notice or below the heading. A day up to the filing date is
 * the date of a letter.
 */
function* headed(paragraphs: readonly Paragraph[], at: number, filedDate: string): Generator<Held> {
  const paragraph = paragraphs[at]!
  const { text } = paragraph
  if (text.length > HEADING_MAX) return
  const above = paragraphs.slice(Math.max(0, at - HEADING_WITHIN), at)
  const from = above.findLastIndex((each) => each.text.length <= HEADING_MAX && IS_NOTICE.test(each.text))
  // A day next to the salutation or the signature of a letter is the day of the letter.
  const isOfLetter = [...above.slice(from + 1), ...paragraphs.slice(at + 1, at + 2)].some((each) =>
    OF_LETTER.test(each.text),
  )
  const isBelow = from >= 0 && !isOfLetter
  const inside = IN_HEADING.exec(text)
  const match = inside ?? (isBelow ? BELOW_HEADING.exec(text) : null)
  const date = match && dayFact('meeting_date', paragraph, match, match[inside ? 2 : 1])
  if (date && date.value > filedDate) yield { date, kind: inside ? kindFact(inside[1], paragraph, inside) : null }
}

function* only(date: Fact | null): Generator<Held> {
  if (date) yield { date, kind: null }
}

/** Returns a day below its label, next to the label in a row, or in the row below the label of the column. */
function labelled(name: FactName, paragraphs: readonly Paragraph[], at: number, label: RegExp, day: RegExp): Fact[] {
  const { text } = paragraphs[at]!
  const next = paragraphs[at + 1]
  const found: (Fact | null)[] = []
  const read = (paragraph: Paragraph, sentence: string) => {
    const match = day.exec(sentence)
    if (match) found.push(dayFact(name, paragraph, { index: 0, 0: paragraph.text }, match[1]))
  }
  if (label.test(text) && next) read(next, next.text)
  const cells = cellsOf(text)
  if (label.test(cells[0] ?? '')) read(paragraphs[at]!, cells[1] ?? '')
  const values = next && RULE.test(next.text) ? paragraphs[at + 2] : next
  const below = values ? cellsOf(values.text) : []
  for (const [i, cell] of cells.entries()) if (values && i > 0 && label.test(cell)) read(values, below[i] ?? '')
  if (values && label.test(cells[0] ?? '') && day.exec(cells[1] ?? '') === null) read(values, below[0] ?? '')
  return found.filter((fact) => fact !== null)
}

type Match = Pick<RegExpMatchArray, 0> & { index: number }

/**
 * Latest day that a day in figures with a year of two digits can mean: 70 to 99 are 1970 to 1999. EDGAR’s statements
 * begin in 1993.
 */
const LATEST = '2069-12-31'

/** Returns a fact with the sentence around the match; null if the day is invalid. */
function dayFact(name: FactName, paragraph: Paragraph, match: Match, day: string | undefined): Fact | null {
  const value = dayOf(day) ?? dayInFigures(day ?? '', LATEST)
  return value === null ? null : factOf(name, value, paragraph, match)
}

/**
 * Returns the kind of meeting. Returns null for a meeting that is annual and special at once, since its kind is
 * ambiguous.
 */
function kindFact(word: string | undefined, paragraph: Paragraph, match: Match): Fact | null {
  const kind = word?.toLowerCase() ?? ''
  if (kind === '' || kind.includes('and')) return null
  return factOf('meeting_kind', kind === 'annual' ? 'annual' : 'special', paragraph, match)
}

const NOTICE = new RegExp(`\\bnotice\\s{1,3}of\\s{1,3}(?:(?:the|our|an?)\\s{1,3})?(?:\\d{4}\\s{1,3})?${MEETING}`, 'gi')

/** Yields the kind of meeting that the words "notice of … meeting" name. */
export function* noticeIn(paragraph: Paragraph): Generator<Fact> {
  for (const match of paragraph.text.matchAll(NOTICE)) {
    const kind = kindFact(match[1], paragraph, match)
    if (kind) yield kind
  }
}
