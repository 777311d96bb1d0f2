/** Selects the complete list of proposals: from the notice, a summary, or the labels. */
import type { Proposal } from './fact.ts'
import { type Lists, listsOf } from './proposals/lists.ts'
import type { Paragraph } from './prose.ts'

export interface Proposals extends Lists {
  /** The proposals in their order; empty if no list has the stated number. */
  list: Proposal[]
}

/** Selects the first list with the stated number of proposals; the lists come in order of quality of their titles. */
export function proposalsOf(paragraphs: readonly Paragraph[]): Proposals {
  const lists = listsOf(paragraphs)
  const all = [lists.points, ...lists.tables, lists.named]
  return { ...lists, list: all.find(({ length }) => length > 0 && length === lists.count) ?? [] }
}
