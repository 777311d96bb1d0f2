/**
 * Reads votes next to the number of their proposal: in the proposal's row of a summary, or on the line below the
 * proposal's label.
 */
import { topicOf } from '../proposals/topics.ts'
import type { Proposals } from '../proposals.ts'
import type { Paragraph } from '../prose.ts'
import { frequencyIn, type Recommendation, recommendation } from './recommendation.ts'
import { cellsOf, RULE, voteAlone, voteOfCells } from './votes.ts'

/** Maximum length of a cell with only a frequency: "1 YEAR", "Every year". */
const FREQUENCY_MAX = 40

export function* nextToNumbers(
  paragraphs: readonly Paragraph[],
  { list, labels, points, tables }: Proposals,
): Generator<Recommendation> {
  const isFrequency = (number: number) => topicOf(list[number - 1]!.value) === 'frequency'
  for (const { number, last, cells, at, length } of labels) {
    if (last !== number || number > list.length) continue
    if (cells.length > 0) yield* inCells(paragraphs, at, number, isFrequency(number))
    else yield* below(paragraphs, at + length, number)
  }
  const places = new Map(paragraphs.map(({ start }, at) => [start, at]))
  // The points and tables may be other lists than `list`. If one has as many proposals as `list`, both number the
  // proposals in the same way.
  for (const { number, start } of [points, ...tables].filter(({ length }) => length === list.length).flat()) {
    const at = places.get(start)
    if (at !== undefined) yield* inCells(paragraphs, at, number, isFrequency(number))
  }
}

function* inCells(
  paragraphs: readonly Paragraph[],
  at: number,
  number: number,
  isFrequency: boolean,
): Generator<Recommendation> {
  const row = paragraphs[at]!
  const cells = requestCells(paragraphs, at)
  const years = cells.flatMap((cell) => (cell.length < FREQUENCY_MAX ? (frequencyIn(cell)?.[0] ?? []) : []))
  const words = isFrequency ? (years.length === 1 ? years[0]! : null) : voteOfCells(cells)
  if (words !== null) yield recommendation(number, words, row, { index: 0, 0: row.text })
}

/** Maximum number of rows between a row and the head of its table. No real summary has more rows. */
const ROWS_MAX = 80
/**
 * Words of other columns next to the board's recommendation: the required vote, and the effect of votes that are not
 * cast.
 */
const OF_COUNT = /\b(?:effect|abst|broker|withh|required|standard|needed|treat|non-?vot)/i
const SAYS_RECOMMENDED = /\brecommend/i
const CAPITAL = /\b(?:FOR|AGAINST|ABSTAIN|WITHHOLD)\b/

/** Returns the cells of a row that may have the board's recommendation, according to the head of the table. */
function requestCells(paragraphs: readonly Paragraph[], at: number): string[] {
  const cells = cellsOf(paragraphs[at]!.text)
  let rule = at
  while (
    rule > 0 &&
    at - rule < ROWS_MAX &&
    paragraphs[rule]!.text.startsWith('|') &&
    !RULE.test(paragraphs[rule]!.text)
  )
    rule--
  const top = RULE.test(paragraphs[rule]?.text ?? '') ? rule - 1 : at
  const head = top < at ? cellsOf(paragraphs[top]?.text ?? '') : []
  const before = paragraphs.slice(Math.max(0, top - 3), top).some(({ text }) => SAYS_RECOMMENDED.test(text))
  const isRecommendation = before || head.some((cell) => SAYS_RECOMMENDED.test(cell))
  const named = head.some((cell) => SAYS_RECOMMENDED.test(cell)) && head.some((cell) => OF_COUNT.test(cell))
  return cells.filter((cell, i) => {
    const over = head[i] ?? ''
    if (OF_COUNT.test(over) && !SAYS_RECOMMENDED.test(over)) return false
    // If the table has a column of recommendations, a vote in another column is part of a rule for counting votes.
    if (named && !SAYS_RECOMMENDED.test(over)) return false
    // "For" in lower case is a vote only if other words announce a recommendation.
    return isRecommendation || CAPITAL.test(cell)
  })
}

/**
 * Reads a vote on the line below a label. A proxy card lists all votes below each other, so only a single vote is the
 * recommended vote.
 */
function* below(paragraphs: readonly Paragraph[], at: number, number: number): Generator<Recommendation> {
  const [line, next] = [paragraphs[at], paragraphs[at + 1]]
  const vote = line && CAPITAL.test(line.text) ? voteAlone(line.text) : null
  if (line && vote && voteAlone(next?.text ?? '') === null)
    yield recommendation(number, vote, line, { index: 0, 0: line.text })
}
