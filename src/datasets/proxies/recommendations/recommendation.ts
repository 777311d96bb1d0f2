/** Reads one recommendation of the board: a vote with its position. */
import { sentenceAt } from '../../../read/prose/sentences.ts'
import { type Fact, type FactName, factOf } from '../fact.ts'
import type { Paragraph } from '../prose.ts'
import { RECOMMENDATIONS } from '../tables-words.ts'

export interface Recommendation extends Fact {
  number: number
  value: (typeof RECOMMENDATIONS)[number]
}

const NAME: FactName = 'recommendation'

const YEARS =
  /\b(?:(one|two|three|1|2|3)[\s-]{1,2}years?\b|every\s{1,2}(?:(two|three|2|3)\s{1,2}years|other\s{1,2}year|year)\b|(?:each\s{1,2}year|annually|annual\s{1,2}(?:advisory|basis|vote|frequency))\b)/gi

/**
 * Returns the only frequency in the words, with its position. Returns null if the words name no frequency, or several
 * frequencies to choose from.
 */
export function frequencyIn(text: string): RegExpExecArray | null {
  const found = [...text.matchAll(YEARS)]
  const [first] = found
  return first && found.every(([words]) => yearsOf(words) === yearsOf(first[0])) ? first : null
}

function yearsOf(words: string): '1 year' | '2 years' | '3 years' {
  if (/\b(?:two|2|other)\b/i.test(words)) return '2 years'
  return /\b(?:three|3)\b/i.test(words) ? '3 years' : '1 year'
}

/** @param words a vote, or the words of a frequency */
export function recommendation(
  number: number,
  words: string,
  paragraph: Paragraph,
  match: { index: number; 0: string },
): Recommendation {
  const vote = RECOMMENDATIONS.find((value) => value === words.toLowerCase())
  const value = vote ?? yearsOf(words)
  return { ...factOf(NAME, value, paragraph, match), number, value }
}

/** Matches "does not recommend that you vote FOR", "makes no recommendation", "recommends against voting FOR" */
const DENIED =
  /\b(?:not (?:to )?(?:make|making|recommend|recommending|vote|voting|be voted)|no recommendation|against voting|neither)\b[^.;]{0,200}$/i
/** Matches recommendations of other parties: advisers of holders, and proponents of a proposal. */
const OTHERS =
  /\b(?:ISS|Glass,? Lewis|Institutional Shareholder Services|proxy advis[eo]rs?|proxy advisory firms?|proponents?|dissidents?)\b(?:(?!\bboard\b|\bdirectors\b)[^.;]){0,160}\brecommend/i

/**
 * Matches words on how votes are counted, and on what holders may choose: "abstentions have the effect of a vote
 * AGAINST Proposal 2".
 */
const COUNTED =
  /\b(?:(?:same|an?|the)\s{1,3}effect|effectively|count(?:ed|s)?|treated|equivalent|abstentions?|non-?votes?|(?:may|can|could|must|if\s{1,3}you|wish(?:es)?\s{1,3}to)\s{1,3}(?:either\s{1,3})?vote)\b(?:(?!recommend)[^.;]){0,200}$/i

/**
 * Tests whether the vote at a position is a recommendation of the board. The words before the vote may instead deny the
 * recommendation, name another party, or say how votes are counted.
 */
export function isOfBoard(text: string, at: number): boolean {
  const before = text.slice(sentenceAt(text, at).start, at)
  return !DENIED.test(before) && !OTHERS.test(before) && !COUNTED.test(before)
}
