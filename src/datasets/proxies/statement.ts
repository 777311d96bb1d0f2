/** Reads a statement's facts about its meeting: each with its place, and the names of uncertain ones. */
import type { Fact, FactName } from './fact.ts'
import { meetingOf } from './meeting.ts'
import { proposalsOf } from './proposals.ts'
import { paragraphsOf } from './prose.ts'
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

export interface About {
  /** `YYYY-MM-DD` */
  filedDate: string
  /** The period of EDGAR's header. */
  period?: string | null
  /** True if the company solicits, false if a party against its board does: a dissident makes recommendations too. */
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
  // A number beyond the list proves that the list is incomplete, so it is not given.
  const isWhole = !recommendations.some(({ number }) => number > read.list.length)
  if (!isWhole || (read.list.length === 0 && read.count > 0)) left.add('proposal')
  const proposals = (isWhole ? read.list : []).map((title) => {
    const own = byBoard.filter(({ number }) => number === title.number)
    const isAgreed = own.every(({ value }) => value === own[0]!.value)
    if (!isAgreed) left.add('recommendation')
    return { number: title.number, title, recommendation: (isAgreed && own[0]) || null }
  })
  return { facts, proposals, leftOut: [...left] }
}
