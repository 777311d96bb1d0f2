/** Sections of reports and prospectuses: where the items of a form, or what it has in their place, begin and end. */
import type { Markdown } from './made-markdown.ts'
import { currentReportItems } from './sections/current.ts'
import { itemsOf } from './sections/items.ts'
import { titledSections } from './sections/titled.ts'
import { ANNUAL, FUND, PROSPECTUS, QUARTERLY, SHAREHOLDER } from './sections/titles.ts'

export type SectionKind = 'tenk' | 'tenq' | 'eightk' | 'prospectus' | 'fund' | 'ncsr'

export interface Section {
  /** `1A` of a 10-K, `II-1A` of a 10-Q, `5.02` of an 8-K, `risk-factors` of a prospectus. */
  id: string
  /** Its heading, as it stands there. */
  title: string
  /** Where the line of the heading begins. */
  start: number
  /** Exclusive: where the next section begins, or what belongs to none. */
  end: number
  /**
   * From 0 to 1. It adds up: 0.35 for standing in the order of the form, 0.25 for being set as a heading, 0.3 for the title that
   * the form gives, 0.1 for a text of some length. It loses 0.1 for a number without the word "Item", 0.25 for a title without
   * its number, and what `doubt` costs.
   */
  confidence: number
  /** Why text of another section may stand in it; null where nothing says so. */
  doubt: string | null
}

const KINDS: readonly (readonly [forms: RegExp, kind: SectionKind])[] = [
  [/^10-?K/, 'tenk'],
  [/^10-?Q/, 'tenq'],
  [/^8-K/, 'eightk'],
  [/^(?:S-1|S-11|S-2|S-18|SB-|F-1|F-2|DRS|424)/, 'prospectus'],
  [/^(?:N-1A|N-2|N-3|N-4|N-6|485|497)/, 'fund'],
  [/^N-CSR/, 'ncsr'],
]

/** Which sections a form has; null for one that has none of these kinds. */
export const sectionKindOf = (form: string): SectionKind | null =>
  KINDS.find(([forms]) => forms.test(form))?.[1] ?? null

/**
 * The sections that were found, in the order of the text. What was not found is not there: a table of contents, a reference
 * to an item, or an item of another form is never taken for one. Sections of a fund's prospectus may have one id several
 * times, once for each of its series.
 */
export function sectionsOf(markdown: Markdown, kind: SectionKind): Section[] {
  switch (kind) {
    case 'tenk':
      return itemsOf(markdown, ANNUAL)
    case 'tenq':
      return itemsOf(markdown, QUARTERLY)
    case 'ncsr':
      return itemsOf(markdown, SHAREHOLDER)
    case 'eightk':
      return currentReportItems(markdown)
    case 'prospectus':
      return titledSections(markdown, PROSPECTUS, { repeated: false })
    case 'fund':
      return titledSections(markdown, FUND, { repeated: true })
  }
}
