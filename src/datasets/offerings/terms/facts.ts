/** The facts that a filing of an offering can state. */
import type { FACTS } from '../tables-words.ts'
import type { Span } from './cover.ts'

export type FactName = (typeof FACTS)[number]

export interface Fact extends Span {
  name: FactName
  /**
   * A number has no commas and no currency sign. A security is in lower case. An exchange (`exchange`, `listed`) has
   * its usual name. `initial`, `no_market` and `spac` have the value `true`. Other values are as written.
   */
  value: string
}

export interface Terms {
  facts: Fact[]
  /** Names of facts that the cover states ambiguously. */
  leftOut: FactName[]
}

/** Writes an amount or a count without commas, and with a digit before the decimal point: ".03" becomes "0.03". */
export const figure = (text: string) => text.replaceAll(',', '').replace(/^\./, '0.')

/**
 * Maximum length of a line in a head or a table. Patterns that search up to the end of a line skip longer lines, which
 * are paragraphs.
 */
export const LINE_MAX = 300
