/**
 * Reads a statement's facts about its meeting, each with its position. Also returns the names of facts that are left
 * out because they are uncertain.
 */
import type { Fact, FactName } from './fact.ts'
import { meetingOf } from './meeting.ts'
import { proposalsOf } from './proposals.ts'
import { type Paragraph, paragraphsOf } from './prose.ts'
import type { Recommendation } from './recommendations/recommendation.ts'
import { recommendationsOf } from './recommendations.ts'

export interface Statement {
  facts: Fact[]
  proposals: { number: number; title: Fact; recommendation: Recommendation | null }[]
  leftOut: FactName[]
}

/**
 * Maximum length that is read. The longest real statement has 1.2 million characters; a million characters of labels
 * take 0.4 s.
 */
const READ_MAX = 8_000_000

/** Length of the front, where a notice says what its meeting is for. */
const FRONT_MAX = 60_000
const PARAGRAPH_MAX = 6_000
const PURPOSES =
  /\bmeeting\b(?:[^.;]|\.(?!\s{1,3}[A-Z])){0,300}?\bfor\s{1,3}(?:the\s{1,3}(?:following\s{1,3}purposes?|purposes?\s{1,3}(?:of|(?:[a-z]{1,12}\s{1,3}){0,2}below))|these\s{1,3}purposes?)\b/i

/**
 * Tests whether a notice announces the purposes of its meeting. If it does, and no list of proposals was found, the
 * proposals are reported as left out.
 */
const announces = ({ start, text }: Paragraph) =>
  start < FRONT_MAX && text.length <= PARAGRAPH_MAX && PURPOSES.test(text)

export interface About {
  /** `YYYY-MM-DD` */
  filedDate: string
  /** The period in EDGAR's header. */
  period?: string | null
  /**
   * Whether the company solicits. False if a party that opposes the board solicits, since the recommendations are then
   * those of that party.
   */
  isOfCompany?: boolean
}

/** Reads a statement's facts about its meeting. */
export function statementOf(markdown: string, { filedDate, period = null, isOfCompany = true }: About): Statement {
  const paragraphs = paragraphsOf(markdown.slice(0, READ_MAX))
  const { facts, leftOut } = meetingOf(paragraphs, filedDate, period)
  const read = proposalsOf(paragraphs)
  const recommendations = read.list.length > 0 ? recommendationsOf(paragraphs, read) : []
  const byBoard = isOfCompany ? recommendations : []
  const left = new Set(leftOut)
  // A recommendation on a number beyond the list proves that the list is incomplete. Then the list is not returned.
  const isWhole = !recommendations.some(({ number }) => number > read.list.length)
  const isUnread = read.list.length === 0 && (read.count > 0 || paragraphs.some(announces))
  if (!isWhole || isUnread) left.add('proposal')
  const proposals = (isWhole ? read.list : []).map((title) => {
    const own = byBoard.filter(({ number }) => number === title.number)
    const isAgreed = own.every(({ value }) => value === own[0]!.value)
    if (!isAgreed) left.add('recommendation')
    return { number: title.number, title, recommendation: (isAgreed && own[0]) || null }
  })
  return { facts, proposals, leftOut: [...left] }
}
