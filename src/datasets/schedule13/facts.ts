/** Facts that the text of a Schedule 13D or 13G says, and what it says that is not certain. */
import { oneLine, type Span } from './legible.ts'
import type { FACTS } from './tables-words.ts'

export type FactName = (typeof FACTS)[number]

export interface Fact extends Span {
  name: FactName
  /** As the column has it that it fills: a number without commas, a day, a code. */
  value: string
  /** Place of the cover page of the person, from 0; null for the cover of the schedule. */
  person: number | null
}

/** A fact of which something is said that was not certain. */
export interface LeftOut {
  name: FactName
  person: number | null
  /** What stands there. */
  text: string
}

/** What a reader of one value found: its value and where it ends in the text, nothing said, or nothing certain. */
export type Found = { value: string; end: number } | 'blank' | 'uncertain'

export type Read = Fact | LeftOut

/** A fact of the cover, which is of no person. */
export const coverFact = (name: FactName, value: string, { start, end }: Span): Fact => ({ name, value, person: null, start, end }) // biome-ignore format: one line

const SAID_MAX = 200

export const leftOut = (name: FactName, said: string, person: number | null = null): LeftOut => ({
  name,
  person,
  text: oneLine(said.slice(0, 2 * SAID_MAX)).slice(0, SAID_MAX),
})
