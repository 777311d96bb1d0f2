/** Facts in the text of a Schedule 13D or 13G, and statements that are left out as uncertain. */

import type { Span } from '../../../read/prose/sentences.ts'
import type { FACTS } from '../tables-words.ts'
import { oneLine } from './plain-text.ts'

export type FactName = (typeof FACTS)[number]

export interface Fact extends Span {
  name: FactName
  /** As the column stores it: a number without commas, a day, or a code. */
  value: string
  /** Index of the person's cover page, from 0; null for the cover of the schedule. */
  person: number | null
}

/** A fact that is left out because its statement is ambiguous. */
export interface LeftOut {
  name: FactName
  person: number | null
  /** The text as written. */
  text: string
}

/** Result of reading one value: the value with its end in the text, `blank`, or `uncertain`. */
export type ReadValue = { value: string; end: number } | 'blank' | 'uncertain'

export type FactOrGap = Fact | LeftOut

/** Makes a fact of the cover, which belongs to no person. */
export const coverFact = (name: FactName, value: string, { start, end }: Span): Fact => ({
  name,
  value,
  person: null,
  start,
  end,
})

const TEXT_MAX = 200

export const leftOut = (name: FactName, text: string, person: number | null = null): LeftOut => ({
  name,
  person,
  text: oneLine(text.slice(0, 2 * TEXT_MAX)).slice(0, TEXT_MAX),
})
