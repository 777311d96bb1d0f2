/** Reads a summary whose rows have a proposal and the vote that the board recommends, but no number. */
import type { Proposal } from '../fact.ts'
import type { Paragraph } from '../prose.ts'
import { frequencyIn } from '../recommendations/recommendation.ts'
import { cellsOf, RULE, voteAlone, voteOfCells } from '../recommendations/votes.ts'
import type { Builder } from './enumerated.ts'
import { PROPOSALS_MAX } from './numbers.ts'

const OF_PROPOSALS = /\b(?:proposals?|matters?|items?|agenda|business|voting)\b/i
const OF_BOARD = /\brecommend/i
/** Matches the mark of a row: "A." in "A. Election of directors", "(a)", "I." */
const MARK = /^\(?(?:[A-Za-z]|[IVXivx]{1,4})[.)]\s{1,3}(?=\S)/
const HAS_WORDS = /[A-Za-z]{3}/
/** Maximum length of a cell such as "1 YEAR". */
const FREQUENCY_MAX = 40

/**
 * Returns the longest list in the front of a statement. The head of the list's table names a column of proposals and a
 * column of recommendations, and each row has one vote. If any row lacks its vote or its words, the table is not a list
 * of proposals.
 *
 * @param front paragraphs of the front; each row of a table is one paragraph
 * @param build returns null if the words request nothing
 */
export function summarizedIn(front: readonly Paragraph[], build: Builder): Proposal[] {
  let longest: Proposal[] = []
  for (const [at, { text }] of front.entries()) {
    if (!RULE.test(front[at + 1]?.text ?? '') || !isHead(cellsOf(text))) continue
    const list = rowsFrom(front, at + 2, build)
    if (list.length > longest.length) longest = list
  }
  return longest
}

const isHead = (cells: readonly string[]) =>
  cells.some((cell) => OF_BOARD.test(cell)) && cells.some((cell) => OF_PROPOSALS.test(cell) && !OF_BOARD.test(cell))

function rowsFrom(front: readonly Paragraph[], from: number, build: Builder): Proposal[] {
  const list: Proposal[] = []
  for (let at = from; front[at]?.text.startsWith('|') && list.length < PROPOSALS_MAX; at++) {
    const paragraph = front[at]!
    const proposal = rowOf(paragraph, list.length + 1, build)
    if (proposal === null) return []
    list.push(proposal)
  }
  return list.length < 2 ? [] : list
}

function rowOf(paragraph: Paragraph, number: number, build: Builder): Proposal | null {
  const cells = cellsOf(paragraph.text).filter((cell) => cell !== '')
  const isVote = (cell: string) =>
    voteAlone(cell) !== null || (cell.length < FREQUENCY_MAX && frequencyIn(cell) !== null)
  const title = cells.find((cell) => HAS_WORDS.test(cell) && !isVote(cell))
  const others = cells.filter((cell) => cell !== title)
  if (title === undefined || (voteOfCells(others) === null && !others.some(isVote))) return null
  const start = paragraph.text.indexOf(title)
  return build(paragraph, number, start + (MARK.exec(title)?.[0].length ?? 0), start + title.length)
}
