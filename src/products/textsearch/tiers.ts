/**
 * Expresses the order of relevance as conditions. Each document is in one tier, by its level of relevance to the words
 * of the query. If the words are joined by AND, this is the lowest of their levels; if they are joined by OR, it is the
 * highest. Words that are adjacent in the query count more if they are adjacent in the document. Within a tier the
 * newest document comes first. So a page is read from the index in the order of the index, and the cost does not grow
 * with the number of matches.
 */
import { LEVELS } from '../../read/lexemes.ts'
import { and, type Condition, not } from '../../serve/search/conditions.ts'
import { closer, type Tree } from '../../serve/search/tree.ts'
import { ofDocument, rest } from './conditions.ts'

/**
 * For each tier of a query with adjacent words: whether the words must be adjacent, and the minimum level. A document
 * in which the words are adjacent only once comes after a document that is very relevant to each of the words.
 */
const TIERS: readonly (readonly [isClose: boolean, level: number])[] = [
  ...[4, 3, 2, 1].map((level) => [true, level] as const),
  ...[4, 3].map((level) => [false, level] as const),
  [true, 0],
  ...[2, 1, 0].map((level) => [false, level] as const),
]

export interface Tier {
  /** Condition of documents that are in this tier and in no earlier tier. */
  condition: Condition
  /** Documents of this tier, and of better tiers of the same tree, meet this tree at this level. */
  tree: Tree
  level: number
}

/** Returns the tiers, best first. Together the tiers contain every document that the query may find. */
export function tiersOf(tree: Tree): Tier[] {
  const close = closer(tree)
  if (close) return nested(TIERS.map(([isClose, level]) => ({ tree: isClose ? close : tree, level })))
  if (ofDocument(tree, LEVELS - 1, true) === ofDocument(tree, 0, true)) return nested([{ tree, level: 0 }])
  const levels = Array.from({ length: LEVELS }, (_, i) => LEVELS - 1 - i)
  return nested(levels.map((level) => ({ tree, level })))
}

/**
 * Excludes the earlier tiers from each tier. A document that meets an earlier tier also meets the last earlier tier of
 * the same tree, since that tier has a lower level. So for each tree, only the last earlier tier is excluded.
 */
function nested(wanted: readonly { tree: Tree; level: number }[]): Tier[] {
  return wanted.map(({ tree, level }, i) => {
    const before = new Map(wanted.slice(0, i).map((tier) => [tier.tree, tier.level]))
    const left = [...before].map(([other, least]) => not(rest(other, least)))
    return { condition: and(ofDocument(tree, level, true), ...left), tree, level }
  })
}

/** Returns a single tier, for an order by date alone. */
export const onlyTier = (tree: Tree): Tier[] => nested([{ tree, level: 0 }])
