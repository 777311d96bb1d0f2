/**
 * Limits the effort of a search. Estimates the cost of a condition in advance, from an even sample of all documents. A
 * condition that none of 512 documents meets is rare. A condition that many documents meet is soon met among the newest
 * documents.
 */
import { filterLexeme, isPair, pairLexeme, prefixLexeme, SAMPLES, wordLexeme } from '../../read/lexemes.ts'
import { and, type Condition, lexeme } from '../../serve/search/conditions.ts'
import type { Phrase, Tree } from '../../serve/search/tree.ts'
import { beginningOf, ofDocument } from './conditions.ts'
import { daysBetween } from './days.ts'
import type { Tier } from './tiers.ts'

export interface Effort {
  /** Number of documents in the sample for estimates. */
  sample: number
  /**
   * Number of documents of a block, and of the first block in an order by date (`newest`). The first block is smaller
   * because a common word is found soon.
   */
  block: number
  newest: number
  /** Maximum number of matching documents that are counted. */
  counted: number
  /** Maximum number of matching documents that are sorted. */
  rowsMax: number
  /** Maximum number of documents in the index that are visited to find matching documents. */
  itemsMax: number
}

export const EFFORT: Effort = { sample: 512, block: 1500, newest: 300, counted: 500, rowsMax: 1000, itemsMax: 6_000 }

/**
 * Days that divide the documents: the newest day, the first day of the block that ends on the newest day, and the
 * oldest day.
 */
export interface DocumentDays {
  newest: string | null
  since: string | null
  oldest: string | null
}

/** A part of all documents. */
export interface Sample {
  condition: Condition
  /** Number of documents that each document of the sample represents. */
  scale: number
}

/** Returns a sample with one of 2^n documents; 2^n is the smallest power of two that is at least `share`. */
export function sampleOf(share: number): Sample {
  const n = Math.min(SAMPLES, Math.max(0, Math.ceil(Math.log2(Math.max(1, share)))))
  return { condition: n === 0 || lexeme(filterLexeme('sample', String(n))), scale: 2 ** n }
}

/** Estimates the number of all documents from the number of documents in the newest days. */
export function documentsOf({ newest, since, oldest }: DocumentDays, block: number): number {
  if (newest === null || oldest === null) return 0
  if (since === null) return block
  return (block * (daysBetween(oldest, newest) + 1)) / (daysBetween(since, newest) + 1)
}

/**
 * Returns the maximum number of documents that a tree can find, from the number of documents with each lexeme.
 *
 * @param level minimum relevance to each wanted word
 */
function mostOf(tree: Tree, level: number, countOf: (lexeme: string) => number): number {
  switch (tree.kind) {
    case 'all':
      return Math.min(...tree.of.map((part) => mostOf(part, level, countOf)))
    case 'any':
      return tree.of.reduce((most, part) => most + mostOf(part, level, countOf), 0)
    case 'none':
      return Number.POSITIVE_INFINITY
    case 'phrase':
      return mostOfPhrase(tree, level, countOf)
    case 'beginning':
      return countOf(prefixLexeme(beginningOf(tree)))
    case 'near':
      return Math.min(mostOfPhrase(tree.one, level, countOf), mostOfPhrase(tree.other, level, countOf))
  }
}

/**
 * Returns the same maximum for a phrase. Level 1 is not counted: for a common word this takes as long as counting level
 * 0, and the count of level 0 is an upper bound for level 1.
 */
function mostOfPhrase({ words }: Phrase, given: number, countOf: (lexeme: string) => number): number {
  const level = given === 1 ? 0 : given
  if (words.length === 1) return countOf(wordLexeme(words[0]!, level))
  const alone = words.map((word) => countOf(wordLexeme(word, 0)))
  const pairs = words.slice(1).flatMap((next, i) => {
    const word = words[i]!
    return isPair(word, next) ? [countOf(pairLexeme(word, next, level))] : []
  })
  return Math.min(...alone, ...pairs)
}

/** Returns the conditions to count in the sample: each lexeme, and the filters if there are any. */
export function toCount(tree: Tree, tiers: readonly Tier[], scope: Condition, { condition }: Sample): string[] {
  const filters = scope === true ? [] : [scope]
  return [...lexemesOf(tree, tiers, scope).map(lexeme), ...filters].map((part) => String(and(part, condition)))
}

/**
 * Returns the lexemes whose documents are counted. Leaves out a lexeme that alone is the whole query, because the
 * documents of the whole query are counted with its facets.
 */
function lexemesOf(tree: Tree, tiers: readonly Tier[], scope: Condition): string[] {
  const lexemes = new Set<string>()
  for (const part of [{ tree, level: 0 }, ...tiers]) mostOf(part.tree, part.level, (name) => lexemes.add(name).size)
  const whole = and(ofDocument(tree, 0, true), scope)
  return [...lexemes].filter((name) => lexeme(name) !== whole)
}

/** The cost of a query. */
export interface Estimate {
  /** Number of documents that meet the query. */
  rows: number
  /** Returns how many documents of the index are visited to find the matches of a tree at this level. */
  items(tree: Tree, level: number): number
}

/**
 * @param counts numbers of documents in the sample that meet the conditions of `toCount`
 * @param met number of documents in the sample that meet the query
 */
export function estimateOf(
  tree: Tree,
  tiers: readonly Tier[],
  scope: Condition,
  counts: readonly number[],
  met: number,
  { scale }: Sample,
): Estimate {
  const lexemes = lexemesOf(tree, tiers, scope)
  const known = new Map(lexemes.map((name, i) => [name, counts[i]!]))
  const inScope = counts[lexemes.length] ?? Number.POSITIVE_INFINITY
  return {
    rows: scale * met,
    items: (part, level) =>
      scale *
      Math.min(
        inScope,
        mostOf(part, level, (name) => known.get(name) ?? met),
      ),
  }
}

/**
 * Returns how many tiers, beginning with the first, are searched among all documents. The other tiers are searched
 * block by block.
 */
export function tiersEverywhere(
  tiers: readonly Tier[],
  { rows, items }: Estimate,
  { rowsMax, itemsMax }: Effort,
): number {
  const first = tiers.findIndex(({ tree, level }) => {
    const most = items(tree, level)
    return most > itemsMax || Math.min(most, rows) > rowsMax
  })
  return first < 0 ? tiers.length : first
}

/**
 * Returns the largest part of all documents in which a query may be counted; the more documents the query visits, the
 * smaller this part is.
 */
export function countedOf(tree: Tree, { rows, items }: Estimate, documents: number, effort: Effort): Sample {
  const isLong = items(tree, 0) > effort.itemsMax
  return sampleOf(Math.max(rows / effort.counted, isLong ? documents / effort.rowsMax : 1))
}
