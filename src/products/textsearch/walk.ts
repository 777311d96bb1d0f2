/** Reads documents in the order of the search until a page is full. */
import { filterLexeme } from '../../read/lexemes.ts'
import { and, type Condition, lexeme, ofPassage } from '../../serve/search/conditions.ts'
import { isMet, type Leaf, leaves, type Tree } from '../../serve/search/tree.ts'
import type { Sql } from '../../store/db.ts'
import { daysBetween, inSpan, moved, type Span, startOfMonth } from './days.ts'
import type { DocumentDays, Effort } from './effort.ts'
import * as queries from './queries.ts'
import type { Tier } from './tiers.ts'

/** A query with its filters, ready to run. */
export interface Search {
  tree: Tree
  places: queries.TextSource[]
  tiers: Tier[]
  /** Filters without the days. */
  filters: Condition
  /** Filters with the days. */
  scope: Condition
  span: Span
  /** Whether the search is within one filer. A filer has few documents, so the cost is not estimated. */
  isOfOne: boolean
  /** Whether the passages of found documents must be examined. */
  isDoubtful: boolean
  effort: Effort
  /** First and last day of all documents. */
  known: { oldest: string; newest: string }
}

/**
 * Start or end of a page. First come the tiers that are searched among all documents. The other tiers follow block by
 * block, the newest block first; a block has 1,500 documents.
 */
export interface Position {
  /** Number of tiers that are searched among all documents. */
  everywhere: number
  tier: number
  /** Last day of the block; null for the first block. */
  block: string | null
  /** The last document before this position; null at the start of a tier. */
  after: { filed_date: string; name: string } | null
}

/**
 * Maximum number of documents whose passages are examined for one page. A phrase can be rare although its pairs of
 * words are common; without a maximum, its page could take very many documents.
 */
const CHECKED_MAX = 120
/** Maximum number of blocks that are searched for one page. */
const BLOCKS_MAX = 4

export interface Walked {
  documents: queries.DocumentHit[]
  /**
   * Beginning of the next page; null at the end of the list. A page that is not full also has a next page if the search
   * stopped before the last document.
   */
  next: Position | null
  /** First day of the last searched block; null if all documents were searched. */
  since: string | null
}

export async function walk(
  sql: Sql,
  search: Search,
  start: Position,
  documentDays: DocumentDays,
  limit: number,
): Promise<Walked> {
  const documents: queries.DocumentHit[] = []
  const places: Position[] = []
  let position = start
  let days = documentDays
  let since: string | null = null
  for (let blocks = 1, checked = 0; ; ) {
    const { steps, at, next, from } = stepsFrom(search, position, days)
    const most = search.isDoubtful ? Math.max(limit + 1, 20) : limit + 1 - documents.length
    const batch = steps.length > 0 ? await queries.found(sql, search.places, steps, most) : []
    if (batch.some(({ step }) => at[step - 1]!.tier >= position.everywhere) || batch.length < most) since = from
    const positions = batch.map(({ step, filed_date, name }) => ({ ...at[step - 1]!, after: { filed_date, name } }))
    const isKept = search.isDoubtful ? await meeting(sql, search, batch) : batch.map(() => true)
    for (const [i, document] of batch.entries()) {
      if (!isKept[i]) continue
      if (documents.length === limit) return { documents, next: places.at(-1)!, since }
      documents.push(document)
      places.push(positions[i]!)
    }
    checked += batch.length
    if (batch.length === most) {
      position = positions.at(-1)!
      if (checked >= CHECKED_MAX) return { documents, next: position, since }
    } else {
      if (!next) return { documents, next: null, since }
      position = next
      if (++blocks > BLOCKS_MAX) return { documents, next, since }
      days = await queries.documentDays(sql, search.places, position.block, search.effort.block)
      if (days.newest === null) return { documents, next: null, since }
    }
  }
}

interface Steps {
  steps: queries.Step[]
  /** The position at which each step starts. */
  at: Omit<Position, 'after'>[]
  /** The start of the next block; null if there is none. */
  next: Position | null
  /** First day of the block of these steps. Null if no block follows, or if nothing is searched in blocks. */
  from: string | null
}

/** Returns the steps from a position to the end of its block. */
function stepsFrom(
  { tiers, filters, scope, span, known }: Search,
  position: Position,
  documentDays: DocumentDays,
): Steps {
  const { everywhere, block } = position
  const steps: queries.Step[] = []
  const at: Steps['at'] = []
  const add = (tier: number, within: Condition) => {
    const condition = and(tiers[tier]!.condition, within)
    if (condition === false) return
    at.push({ everywhere, tier, block })
    steps.push({ condition: String(condition), after: tier === position.tier ? position.after : null })
  }
  for (let tier = position.tier; tier < everywhere; tier++) add(tier, scope)
  if (everywhere === tiers.length) return { steps, at, next: null, from: null }
  const { part, from } = blockOf(documentDays, { from: span.from, to: block ?? span.to })
  const within = and(filters, inSpan(part, known))
  for (let tier = Math.max(everywhere, position.tier); tier < tiers.length; tier++) add(tier, within)
  const next = from === null ? null : { everywhere, tier: everywhere, block: moved(from, -1), after: null }
  return { steps, at, next, from }
}

/**
 * Returns the newest block of a span, and its first day if an older block follows. If the block is longer than a week,
 * its first day is moved back to the first day of the month. A month is one lexeme, and a search by the single days of
 * a month took twice as long.
 */
function blockOf({ newest, since }: DocumentDays, { from, to }: Span): { part: Span; from: string | null } {
  const first = since !== null && daysBetween(since, newest!) > WEEK_DAYS ? startOfMonth(since) : since
  const isLast = first === null || (from !== null && from >= first)
  return { part: { from: isLast ? from : first, to }, from: isLast ? null : first }
}

const WEEK_DAYS = 7

/** Tests for each document whether the passages of the document meet the query. */
async function meeting(sql: Sql, { tree, places }: Search, batch: readonly queries.DocumentHit[]): Promise<boolean[]> {
  if (batch.length === 0) return []
  const all = [...new Set(leaves(tree))]
  const tests = all.map((leaf) => ({ condition: ofPassage(leaf), words: wordsOf(leaf) }))
  const met = await queries.met(sql, places, batch, batch.map(nameCondition), tests)
  return met.map((row) => isMet(tree, (leaf: Leaf) => row[all.indexOf(leaf)]!))
}

function wordsOf(leaf: Leaf): string | null {
  if (leaf.kind === 'beginning') return null
  const words = leaf.kind === 'phrase' ? leaf.words : [...leaf.one.words, ...leaf.other.words]
  return String(and(...[...new Set(words)].map(lexeme)))
}

/** The condition that selects all passages of a document. */
export const nameCondition = ({ name }: { name: string }): string => lexeme(filterLexeme('name', name))
