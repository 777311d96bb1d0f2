/** What the board asks for: one recommendation with its place. */
import { sentenceAt } from '../../read/sentences.ts'
import { type Fact, type FactName, factOf } from './meeting.ts'
import { numberOf } from './proposals.ts'
import type { Paragraph } from './prose.ts'
import type { RECOMMENDATIONS } from './tables-words.ts'

export interface Recommendation extends Fact {
  number: number
  value: (typeof RECOMMENDATIONS)[number]
}

const NAME: FactName = 'recommendation'

/** One, two or three years. */
export const FREQUENCY =
  /\b(?:(one|two|three|1|2|3)[\s-]{1,2}years?\b|every\s{1,2}(?:(two|three|2|3)\s{1,2}years|year)\b)/i

export function recommendation(
  number: number,
  said: string,
  paragraph: Paragraph,
  match: { index: number; 0: string },
): Recommendation {
  const value = askedBy(said)
  return { ...factOf(NAME, value, paragraph, match), number, value }
}

function askedBy(said: string): Recommendation['value'] {
  const years = FREQUENCY.exec(said)
  if (!years) return said.toLowerCase() as Recommendation['value']
  const count = numberOf(years[1] ?? years[2] ?? '1')
  return count === 3 ? '3 years' : count === 2 ? '2 years' : '1 year'
}

/** "does not recommend that you vote FOR", "makes no recommendation", "recommends against voting FOR" */
const DENIED =
  /\b(?:not (?:to )?(?:make|making|recommend|recommending|vote|voting|be voted)|no recommendation|against voting|neither)\b[^.;]{0,200}$/i
/** Advisers of holders and who makes a proposal recommend as well. */
const OTHERS =
  /\b(?:ISS|Glass,? Lewis|Institutional Shareholder Services|proxy advis[eo]rs?|proxy advisory firms?|proponents?|dissidents?)\b(?:(?!\bboard\b|\bdirectors\b)[^.;]){0,160}\brecommend/i

/** Whether the vote at a place is what the board recommends: not the reverse of it, and not what another recommends. */
export function isOfBoard(text: string, at: number): boolean {
  const before = text.slice(sentenceAt(text, at).start, at)
  return !DENIED.test(before) && !OTHERS.test(before)
}
