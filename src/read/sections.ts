/**
 * Finds the sections of reports and prospectuses: where the items of a form, or its headings without numbers, begin and
 * end.
 */
import type { Markdown } from './made-markdown.ts'
import { currentReportItems } from './sections/current.ts'
import { CANADIAN, FURNISHED } from './sections/foreign.ts'
import { foreignReport } from './sections/foreign-report.ts'
import { itemsOf } from './sections/items.ts'
import { MERGER, PROXY } from './sections/proxy.ts'
import type { Section } from './sections/section.ts'
import { GOING_PRIVATE, RECOMMENDATION, TENDER } from './sections/tender.ts'
import { titledSections } from './sections/titled.ts'
import { ANNUAL, CLASS, FUND, PROSPECTUS, QUARTERLY, SHAREHOLDER } from './sections/titles.ts'

export type { Section } from './sections/section.ts'

export type SectionKind = keyof typeof READERS

const READERS = {
  tenk: (markdown: Markdown) => itemsOf(markdown, ANNUAL),
  tenq: (markdown: Markdown) => itemsOf(markdown, QUARTERLY),
  eightk: currentReportItems,
  ncsr: (markdown: Markdown) => itemsOf(markdown, SHAREHOLDER),
  twentyf: foreignReport,
  fortyf: (markdown: Markdown) => titledSections(markdown, CANADIAN, { repeated: false }),
  sixk: (markdown: Markdown) => titledSections(markdown, FURNISHED, { repeated: false }),
  class: (markdown: Markdown) => itemsOf(markdown, CLASS),
  tender: (markdown: Markdown) => itemsOf(markdown, TENDER),
  recommendation: (markdown: Markdown) => itemsOf(markdown, RECOMMENDATION),
  goingprivate: (markdown: Markdown) => itemsOf(markdown, GOING_PRIVATE),
  prospectus: (markdown: Markdown) => titledSections(markdown, PROSPECTUS, { repeated: false, bound: true }),
  merger: (markdown: Markdown) => titledSections(markdown, MERGER, { repeated: false }),
  proxy: (markdown: Markdown) => titledSections(markdown, PROXY, { repeated: false, joined: true }),
  fund: (markdown: Markdown) => titledSections(markdown, FUND, { repeated: true }),
} satisfies Record<string, (markdown: Markdown) => Section[]>

const KINDS: readonly (readonly [forms: RegExp, kind: SectionKind])[] = [
  [/^10-?K/, 'tenk'],
  [/^10-?Q/, 'tenq'],
  [/^10-?(?:12|SB)/, 'class'],
  [/^8-K/, 'eightk'],
  [/^20-?FR?(?![A-Z])/, 'twentyf'],
  [/^40-?FR?(?![A-Z])/, 'fortyf'],
  [/^6-K/, 'sixk'],
  [/^(?:S-4|F-4)/, 'merger'],
  [/^(?:S-1|S-3|S-11|S-2|S-18|SB-|F-1|F-2|F-3|DRS|424)/, 'prospectus'],
  [/^(?:N-1A|N-2|N-3|N-4|N-6|485|497)/, 'fund'],
  [/^N-CSR/, 'ncsr'],
  // Additional materials (DEFA14A) are letters and slides without sections.
  [/^(?:DEF|PRE)[CMNRS]? ?14[AC]/, 'proxy'],
  [/^SC TO/, 'tender'],
  [/^SC 14D9/, 'recommendation'],
  [/^(?:SC|PRE|DEF) ?13E3/, 'goingprivate'],
]

/** Returns the kind of sections that a form has; null if it has none of these kinds. */
export const sectionKindOf = (form: string): SectionKind | null =>
  KINDS.find(([forms]) => forms.test(form))?.[1] ?? null

/**
 * Returns the sections that were found, in the order of the text. A section that was not found is absent. A table of
 * contents, a reference to an item, or an item of another form never counts as a section. In a fund's prospectus
 * several sections may have the same id, one section for each series.
 */
export const sectionsOf = (markdown: Markdown, kind: SectionKind): Section[] => READERS[kind](markdown)
