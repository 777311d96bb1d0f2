/**
 * How far a search may look. What a condition costs is estimated before it is asked, from an even sample of all documents: what
 * none of 256 has is rare, and what many of them have is soon met among the newest documents.
 */
import { filterLexeme, SAMPLES } from '../../read/lexemes.ts'
import { and, type Condition, lexeme, or } from '../../serve/search/conditions.ts'
import { type Leaf, type Tree, wanted } from '../../serve/search/tree.ts'
import { ofDocument } from './conditions.ts'
import { daysBetween } from './days.ts'
import type { Tier } from './tiers.ts'

export interface Effort {
  /** Documents of the sample by which costs are estimated. */
  sample: number
  /** Documents of the sample of which forms and years are counted. */
  counted: number
  /** Documents of a block, and those of its newest part. */
  many: number
  few: number
  /** Matching documents that may be put in order. */
  rowsMax: number
  /** Documents in the index that may be gone through to find them. */
  itemsMax: number
}

export const EFFORT: Effort = { sample: 256, counted: 1024, few: 1000, many: 8000, rowsMax: 2000, itemsMax: 8000 }

/** Days that part the documents, newest first: the newest, those that `few` and `many` are since, the oldest. */
export interface Spread {
  newest: string | null
  few: string | null
  many: string | null
  oldest: string | null
}

/** A part of all documents. */
export interface Sample {
  condition: Condition
  /** How many documents there are for one of the sample. */
  scale: number
}

/** An even sample of about so many documents; all, where there are not twice as many. */
export function sampleOf(spread: Spread, size: number, { many }: Effort): Sample {
  const first = Math.min(SAMPLES - 1, Math.floor(Math.log2(Math.max(1, documentsOf(spread, many) / size))))
  if (first === 0) return { condition: true, scale: 1 }
  const parts = Array.from({ length: SAMPLES - first }, (_, i) => lexeme(filterLexeme('sample', String(first + i))))
  return { condition: or(...parts), scale: 2 ** first }
}

/** About how many documents there are, told from how many there were in the newest days. */
function documentsOf({ newest, many: since, oldest }: Spread, many: number): number {
  if (newest === null || oldest === null) return 0
  if (since === null) return many
  return (many * (daysBetween(oldest, newest) + 1)) / (daysBetween(since, newest) + 1)
}

/** Levels at which it is counted; at one between them there are not more than at the one below. */
const COUNTED = [0, 1, 2, 3, 5] as const
const countedAt = (level: number) => COUNTED.findLastIndex((counted) => counted <= level)

/** Leaves of which each is counted by itself. */
const LEAVES_MAX = 4

/** The trees of the tiers, and what else of a query is counted. One leaf alone costs what it finds. */
function countedOf(tree: Tree, tiers: readonly Tier[]): { trees: Tree[]; alone: Leaf[] } {
  const leaves = [...new Set(wanted(tree))]
  const isJoined = tree.kind === 'all' && leaves.length <= LEAVES_MAX
  return { trees: [...new Set(tiers.map((tier) => tier.tree))], alone: isJoined ? leaves : [] }
}

/** What to count in the sample. */
export function toCount(tree: Tree, tiers: readonly Tier[], scope: Condition, { condition }: Sample): string[] {
  const { trees, alone } = countedOf(tree, tiers)
  const at = (part: Tree, within: Condition) =>
    COUNTED.map((level) => String(and(ofDocument(part, level, true), within, condition)))
  return [...trees.flatMap((part) => at(part, scope)), ...alone.flatMap((leaf) => at(leaf, true))]
}

/**
 * How many tiers, from the first on, are searched among all documents. The others are searched block by block.
 *
 * @param counts of the sample, of what `toCount` has
 */
export function tiersEverywhere(
  tree: Tree,
  tiers: readonly Tier[],
  counts: readonly number[],
  { scale }: Sample,
  { rowsMax, itemsMax }: Effort,
): number {
  const { trees, alone } = countedOf(tree, tiers)
  const countOf = (part: Tree, level: number) =>
    counts[[...trees, ...alone].indexOf(part) * COUNTED.length + countedAt(level)]!
  const isDear = ({ tree: own, level }: Tier) => {
    const count = countOf(own, level)
    if (count > 0 && count * scale > rowsMax) return true
    const least = Math.min(...alone.map((leaf) => countOf(leaf, level)))
    return alone.length > 0 && own === tree && least * scale > itemsMax
  }
  const first = tiers.findIndex(isDear)
  return first < 0 ? tiers.length : first
}
