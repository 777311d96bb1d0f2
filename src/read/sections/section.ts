/** A section of a report or prospectus, and the confidence that it begins and ends at the right places. */
import { allOf, type Signal, sumOf } from '../signals.ts'

export interface Section {
  /** `1A` of a 10-K, `II-1A` of a 10-Q, `5.02` of an 8-K, `risk-factors` of a prospectus. */
  id: string
  /** The heading as the text has it. */
  title: string
  /** Start of the line of the heading. */
  start: number
  /** The exclusive end: the start of the next section, or of text that belongs to no section. */
  end: number
  /**
   * From 0 to 1. It is the points of `POINTS`, minus 0.1 for a number without the word "Item", minus 0.25 for a title
   * without its number, and minus the cost of `doubt`.
   */
  confidence: number
  /** Why the section may contain text of another section; null if nothing suggests that. */
  doubt: string | null
}

interface SectionEvidence {
  isSet: boolean
  isTitled: boolean
  /** Length of its text, in UTF-16 units. */
  length: number
}

/** Length from which a text counts as long: a shorter text may be the text of a line in a list. */
const LONG = 200

/** The points of a section, in hundredths, so that sums are exact. */
const POINTS: readonly Signal<SectionEvidence>[] = [
  { name: 'position in the order of the form', weight: 35, test: () => true },
  { name: 'set as a heading', weight: 25, test: ({ isSet }) => isSet },
  { name: 'title that the form prescribes', weight: 30, test: ({ isTitled }) => isTitled },
  { name: 'text of some length', weight: 10, test: ({ length }) => length > LONG },
]

/** Returns the points of a section, before anything is subtracted. */
export const explainConfidence = (section: SectionEvidence) => allOf(POINTS, section)

export const confidenceOf = (section: SectionEvidence): number => sumOf(explainConfidence(section)) / 100
