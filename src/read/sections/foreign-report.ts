/** Finds the items of annual reports of foreign issuers (20-F), in the numbering that the report uses. */
import type { Markdown } from '../made-markdown.ts'
import { FOREIGN, FOREIGN_BEFORE } from './foreign.ts'
import { itemsOf } from './items.ts'
import type { Section } from './section.ts'

/**
 * Returns the items in the numbering whose titles the headings have. Until 2000 the same numbers stood for other items.
 */
export function foreignReport(markdown: Markdown): Section[] {
  const now = itemsOf(markdown, FOREIGN)
  const before = itemsOf(markdown, FOREIGN_BEFORE)
  return certaintyOf(before) > certaintyOf(now) ? before : now
}

/** Parts of items are ignored here, since only one of the numberings has parts. */
const certaintyOf = (sections: readonly Section[]): number =>
  sections.reduce((sum, { id, confidence }) => sum + (PART.test(id) ? 0 : confidence), 0)

const PART = /^\d{1,2}\.[A-K]$/
