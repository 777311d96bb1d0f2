/** What the board asks for: one recommendation with its place. */
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
