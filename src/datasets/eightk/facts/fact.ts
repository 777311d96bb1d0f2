/** One fact of a current report, with its sentence. */
import type { Span } from '../../../read/prose/sentences.ts'
import type { FACTS, PERIODS } from '../tables-words.ts'

export type FactName = (typeof FACTS)[number]

export interface Fact extends Span {
  name: FactName
  value: string
  /** Period that a figure of results covers. */
  period?: (typeof PERIODS)[number] | null
}
