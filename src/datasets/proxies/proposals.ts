/** Selects the complete list of proposals: from the notice, a summary, or the labels. */
import type { Proposal } from './fact.ts'
import { type Lists, listsOf } from './proposals/lists.ts'
import type { Paragraph } from './prose.ts'

export interface Proposals extends Lists {
  /** The proposals in their order; empty if no list has as many proposals as `count` states. */
  list: Proposal[]
}

/** Selects the first list that has as many proposals as `count` states. Lists with better titles come first. */
export function proposalsOf(paragraphs: readonly Paragraph[]): Proposals {
  const lists = listsOf(paragraphs)
  const all = [lists.points, ...lists.tables, lists.named]
  return { ...lists, list: all.find(({ length }) => length > 0 && length === lists.count) ?? [] }
}
