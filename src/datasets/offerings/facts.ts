/** The facts that a filing of an offering can state. */
import type { Span } from './cover.ts'
import type { FACTS } from './tables-words.ts'

export type FactName = (typeof FACTS)[number]

export interface Fact extends Span {
  name: FactName
  /** A number without commas and signs of money; a name as it stands; of the others what `FACTS` means by it. */
  value: string
}

export interface Terms {
  facts: Fact[]
  /** Facts of which the cover says something that was not certain. */
  leftOut: FactName[]
}

/** An amount or count without its commas: ".03" is "0.03". */
export const figure = (text: string) => text.replaceAll(',', '').replace(/^\./, '0.')

/** Lines of a head or a table are short; patterns that look for their ends are not asked of paragraphs. */
export const LINE_MAX = 300
