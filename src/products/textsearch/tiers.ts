/**
 * The order of relevance as conditions. Each document is in one tier: how much it is about the query, by the word of it that it is
 * least about, or of several joined by OR the one that it is most about. Words typed beside each other count more where they
 * stand so. Within a tier the newest document comes first. So a page is read from the index in its order, and what it costs does
 * not grow with the number of documents that match.
 */
import { LEVELS } from '../../read/lexemes.ts'
import { and, type Condition, not } from '../../serve/search/conditions.ts'
import { closer, type Tree } from '../../serve/search/tree.ts'
import { besides, ofDocument } from './conditions.ts'

/**
 * For each tier of a query with words beside each other: whether they must stand so, and the least level. A document that has
 * the words side by side once comes behind one that is much about each of them.
 */
const TIERS: readonly (readonly [isClose: boolean, level: number])[] = [
  ...[4, 3, 2, 1].map((level) => [true, level] as const),
  ...[4, 3].map((level) => [false, level] as const),
  [true, 0],
  ...[2, 1, 0].map((level) => [false, level] as const),
]

export interface Tier {
  /** What a document of this tier and of none before it meets. */
  condition: Condition
  /** What documents of this tier and of the better ones of this tree meet at this level. */
  tree: Tree
  level: number
}

/** Tiers, best first. Together they are what the query may find. */
export function tiersOf(tree: Tree): Tier[] {
  const close = closer(tree)
  if (close) return nested(TIERS.map(([isClose, level]) => ({ tree: isClose ? close : tree, level })))
  if (ofDocument(tree, LEVELS - 1, true) === ofDocument(tree, 0, true)) return nested([{ tree, level: 0 }])
  const levels = Array.from({ length: LEVELS }, (_, i) => LEVELS - 1 - i)
  return nested(levels.map((level) => ({ tree, level })))
}

/** Each without those before it. Within one tree, the last tier before holds all others. */
function nested(wanted: readonly { tree: Tree; level: number }[]): Tier[] {
  return wanted.map(({ tree, level }, i) => {
    const before = new Map(wanted.slice(0, i).map((tier) => [tier.tree, tier.level]))
    const left = [...before].map(([other, least]) => not(besides(other, least)))
    return { condition: and(ofDocument(tree, level, true), ...left), tree, level }
  })
}

/** One tier, for an order by date alone. */
export const onlyTier = (tree: Tree): Tier[] => nested([{ tree, level: 0 }])
