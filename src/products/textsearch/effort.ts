/**
 * How far a search may look. What a condition costs is known before it is asked from the newest documents: of a thousand of them it
 * is counted.
 */
import { and, type Condition, ofDocument } from './conditions.ts'
import { daysBetween, inSpan, type Span } from './days.ts'
import type * as queries from './queries.ts'
import type { Tier } from './tiers.ts'
import { type Leaf, type Tree, wanted } from './tree.ts'

export interface Effort {
  /** Documents of the sample. */
  few: number
  /** Documents of a block. */
  many: number
  /** Matching documents that may be put in order. */
  rowsMax: number
  /** Documents in the index that may be gone through to find them. */
  itemsMax: number
}

export const EFFORT: Effort = { few: 1000, many: 8000, rowsMax: 2000, itemsMax: 8000 }

/** Leaves of which each is counted by itself; a query of more is taken for as dear as its dearest. */
const LEAVES_MAX = 6

export type Spread = Awaited<ReturnType<typeof queries.spread>>

/** The sample: the days that hold the newest documents; null where there are no more. */
export const sampleOf = (spread: Spread, span: Span): Span | null =>
  spread.few === null || (span.from !== null && span.from >= spread.few) ? null : { from: spread.few, to: span.to }

/** Documents in a span, told from how many there were in its newest days. */
function documentsIn(spread: Spread, span: Span, many: number): number {
  if (spread.newest === null || spread.oldest === null) return 0
  const from = span.from !== null && span.from > spread.oldest ? span.from : spread.oldest
  const [count, since] = spread.many === null ? [many, spread.oldest] : [many, spread.many]
  const days = daysBetween(from, spread.newest) + 1
  return Math.max(0, (count * days) / (daysBetween(since, spread.newest) + 1))
}

/** How many documents there are for one of the sample. */
export const scaleOf = (spread: Spread, span: Span, { few, many }: Effort): number =>
  Math.max(1, documentsIn(spread, span, many) / few)

/** What to count in the sample: each tier, and each leaf at some levels. */
export function counted(tree: Tree, tiers: readonly Tier[], scope: Condition, sample: Span): string[] {
  const within = and(scope, inSpan(sample))
  const alone = leavesOf(tree).flatMap((leaf) =>
    LEVELS_COUNTED.map((level) => and(ofDocument(leaf, level, true), inSpan(sample))),
  )
  return [...tiers.map(({ condition }) => and(condition, within)), ...alone].map(String)
}

const LEVELS_COUNTED = [0, 2, 4, 6]

/** One leaf alone costs what it finds. */
function leavesOf(tree: Tree): Leaf[] {
  const all = [...new Set(wanted(tree))]
  return tree.kind === 'all' && all.length <= LEAVES_MAX ? all : []
}

/**
 * How many tiers, from the first on, are searched among all documents. The others are searched block by block.
 *
 * @param counts of the sample, as `counted` has them; null where there are no more documents than in a sample
 */
export function tiersEverywhere(
  tree: Tree,
  tiers: readonly Tier[],
  counts: readonly number[] | null,
  spread: Spread,
  span: Span,
  effort: Effort,
): number {
  if (counts === null) return tiers.length
  const scale = scaleOf(spread, span, effort)
  const alone = leavesOf(tree)
  const items = (leaf: Leaf, level: number) =>
    counts[tiers.length + alone.indexOf(leaf) * LEVELS_COUNTED.length + Math.floor(level / 2)]! * scale
  let rows = 0
  for (const [i, { level }] of tiers.entries()) {
    rows += counts[i]! * scale
    // What none of a thousand has is rare whatever their number is.
    if (rows > effort.rowsMax && counts[i]! > 0) return i
    const least = Math.min(...alone.map((leaf) => items(leaf, level)))
    if (alone.length > 0 && least > effort.itemsMax) return i
  }
  return tiers.length
}
