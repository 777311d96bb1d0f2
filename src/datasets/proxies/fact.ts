/** One fact of a statement, with the position of its sentence. */

import type { Span } from '../../read/prose/sentences.ts'
import { sentenceAt } from '../../read/prose/sentences.ts'
import { type Paragraph, spanIn } from './prose.ts'
import type { FACTS } from './tables-words.ts'

export type FactName = (typeof FACTS)[number]

export interface Fact extends Span {
  name: FactName
  value: string
}

export interface Proposal extends Fact {
  number: number
}

/** @param match position of the words in the paragraph */
export function factOf(name: FactName, value: string, paragraph: Paragraph, match: { index: number; 0: string }): Fact {
  const first = sentenceAt(paragraph.text, match.index)
  const last = sentenceAt(paragraph.text, match.index + Math.max(0, match[0].length - 1))
  return { name, value, ...spanIn(paragraph, Math.min(first.start, match.index), last.end) }
}
