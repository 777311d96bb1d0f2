/** What a statement says of its meeting: each fact with its place, and what was not certain. */
import type { Recommendation } from './asked.ts'
import type { Fact, FactName } from './fact.ts'
import { meetingOf } from './meeting.ts'
import { proposalsOf } from './proposals.ts'
import { paragraphsOf } from './prose.ts'
import { recommendationsOf } from './recommendations.ts'

export interface Statement {
  facts: Fact[]
  proposals: { number: number; title: Fact; recommendation: Recommendation | null }[]
  leftOut: FactName[]
}

/** The longest real one has 1.2 million characters; what is made up of names of proposals takes 0.4 s for a million. */
const READ_MAX = 8_000_000

export interface About {
  /** `YYYY-MM-DD` */
  filedDate: string
  /** The period of EDGAR's header. */
  period?: string | null
  /** The company solicits, and not somebody against its board: who contests an election recommends as well. */
  isOfCompany?: boolean
}

/** What a statement says of its meeting. */
export function statementOf(markdown: string, { filedDate, period = null, isOfCompany = true }: About): Statement {
  const paragraphs = paragraphsOf(markdown.slice(0, READ_MAX))
  const { facts, leftOut } = meetingOf(paragraphs, filedDate, period)
  const read = proposalsOf(paragraphs)
  const said = read.list.length > 0 ? recommendationsOf(paragraphs, read) : []
  const byBoard = isOfCompany ? said : []
  const left = new Set(leftOut)
  // A number that the list lacks: it is not all that is voted on, and not given.
  const isWhole = !said.some(({ number }) => number > read.list.length)
  if (!isWhole || (read.list.length === 0 && read.count > 0)) left.add('proposal')
  const proposals = (isWhole ? read.list : []).map((title) => {
    const own = byBoard.filter(({ number }) => number === title.number)
    const isAgreed = own.every(({ value }) => value === own[0]!.value)
    if (!isAgreed) left.add('recommendation')
    return { number: title.number, title, recommendation: (isAgreed && own[0]) || null }
  })
  return { facts, proposals, leftOut: [...left] }
}
