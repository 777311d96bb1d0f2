/** What is put to the vote: the list that has all of it, of the notice, a summary, or the names of the proposals. */
import { type Lists, listsOf, type Proposal } from './lists.ts'
import type { Paragraph } from './prose.ts'

export interface Proposals extends Lists {
  /** The proposals in their order; empty where no list has as many as there are said to be. */
  list: Proposal[]
}

/** The first of the lists that are as long as the statement says, in the order in which they name proposals best. */
export function proposalsOf(paragraphs: readonly Paragraph[]): Proposals {
  const lists = listsOf(paragraphs)
  const all = [lists.points, ...lists.tables, lists.named]
  return { ...lists, list: all.find(({ length }) => length > 0 && length === lists.count) ?? [] }
}
