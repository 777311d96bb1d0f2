/**
 * Finds the sections of reports and prospectuses: where the items of a form, or its headings without numbers, begin and
 * end.
 */
import type { Markdown } from './made-markdown.ts'
import { currentReportItems } from './sections/current.ts'
import { itemsOf } from './sections/items.ts'
import type { Section } from './sections/section.ts'
import { titledSections } from './sections/titled.ts'
import { ANNUAL, FUND, PROSPECTUS, QUARTERLY, SHAREHOLDER } from './sections/titles.ts'

export type { Section } from './sections/section.ts'

export type SectionKind = 'tenk' | 'tenq' | 'eightk' | 'prospectus' | 'fund' | 'ncsr'

const KINDS: readonly (readonly [forms: RegExp, kind: SectionKind])[] = [
  [/^10-?K/, 'tenk'],
  [/^10-?Q/, 'tenq'],
  [/^8-K/, 'eightk'],
  [/^(?:S-1|S-11|S-2|S-18|SB-|F-1|F-2|DRS|424)/, 'prospectus'],
  [/^(?:N-1A|N-2|N-3|N-4|N-6|485|497)/, 'fund'],
  [/^N-CSR/, 'ncsr'],
]

/** Returns the kind of sections that a form has; null if it has none of these kinds. */
export const sectionKindOf = (form: string): SectionKind | null =>
  KINDS.find(([forms]) => forms.test(form))?.[1] ?? null

/**
 * Returns the sections that were found, in the order of the text. A section that was not found is absent. A table of
 * contents, a reference to an item, or an item of another form never counts as a section. In a fund's prospectus
 * several sections may have the same id, one section for each series.
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
