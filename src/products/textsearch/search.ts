/** Finds a page of the search: its documents in order, and the position of the next page. */
import { apiError } from '../../declare/api-errors.ts'
import { filterLexeme } from '../../read/lexemes.ts'
import { checksum, decodeCursor, encodeCursor, isDay } from '../../serve/page.ts'
import { and, type Condition, lexeme, or } from '../../serve/search/conditions.ts'
import type { Tree } from '../../serve/search/tree.ts'
import type { Sql } from '../../store/db.ts'
import { isDoubtful, ofDocument } from './conditions.ts'
import { endOfMonth, inSpan, startOfMonth } from './days.ts'
import {
  countedOf,
  type DocumentDays,
  documentsOf,
  EFFORT,
  type Effort,
  type Estimate,
  estimateOf,
  type Sample,
  sampleOf,
  tiersEverywhere,
  toCount,
} from './effort.ts'
import * as queries from './queries.ts'
import { onlyTier, type Tier, tiersOf } from './tiers.ts'
import { type Position, type Search, walk } from './walk.ts'

export interface SearchParams {
  q: string
  corpora: readonly string[] | null
  forms: readonly string[] | null
  cik: string | null
  from: string | null
  to: string | null
  sort: 'relevance' | 'date'
  limit: number
  cursor: string | null
}

export interface SearchResult {
  documents: queries.DocumentHit[]
  next_cursor: string | null
  /**
   * The first day of the block up to which documents were ranked together; null if all documents were ranked together.
   */
  ranked_since: string | null
  /** Counts of the matching documents; null on pages after the first. */
  counts: Counts | null
}

export interface Counts {
  total: number
  /**
   * `at_most`: the count is an upper bound, since in some documents the words of a phrase might not be adjacent.
   * `about`: estimated from an even sample of all documents.
   */
  is: 'exact' | 'at_most' | 'about'
  /** Number of documents that each counted document represents. */
  scale: number
  facets: { form: string; year: number; count: number }[]
}

/**
 * Returns one page of a search.
 *
 * @param tree the parsed `params.q`
 * @throws HttpError 400 for a cursor of another search
 */
export async function find(sql: Sql, tree: Tree, params: SearchParams, effort: Effort = EFFORT): Promise<SearchResult> {
  const check = checksum(JSON.stringify({ ...params, limit: 0, cursor: null }))
  const tiers = params.sort === 'date' ? onlyTier(tree) : tiersOf(tree)
  const from = params.cursor === null ? null : positionOf(params.cursor, check, tiers.length)
  const places = placesOf(params)
  const first = params.sort === 'date' ? effort.newest : effort.block
  const whole = await queries.documentDays(sql, places, null, first)
  const search = searchOf(tree, tiers, params, effort, whole)
  if (search === null) {
    const counts = from ? null : { total: 0, is: 'exact' as const, scale: 1, facets: [] }
    return { documents: [], next_cursor: null, ranked_since: null, counts }
  }
  const there = documentsOf(whole, first)
  const before = from ? null : await estimated(sql, search, there)
  const everywhere = from?.everywhere ?? tiersEverywhere(tiers, before!.estimate, effort)
  const start = from ?? { everywhere, tier: 0, block: null, after: null }
  const last = start.block ?? params.to
  const days =
    last === null ? whole : await queries.documentDays(sql, places, last, start.block === null ? first : effort.block)
  const [page, counted] = await Promise.all([
    walk(sql, search, start, days, params.limit),
    before && countsOf(sql, search, before, there),
  ])
  const { documents, next, since } = page
  // If there is no next page, every document was examined, so the count is exact.
  const counts = counted && !next ? { ...counted, total: documents.length, is: 'exact' as const } : counted
  return { documents, next_cursor: next && cursorOf(check, next), ranked_since: since, counts }
}

const placesOf = ({ corpora }: SearchParams) =>
  (['documents', 'brochures'] as const).filter((place) =>
    corpora === null ? true : corpora.some((corpus) => (corpus === 'brochures') === (place === 'brochures')),
  )

/** Returns null if nothing can be found: there are no documents at all, or no documents in these days. */
function searchOf(
  tree: Tree,
  tiers: Tier[],
  params: SearchParams,
  effort: Effort,
  documentDays: DocumentDays,
): Search | null {
  const { corpora, forms, cik, from, to } = params
  const { oldest, newest } = documentDays
  if (oldest === null || newest === null) return null
  const any = (kind: Parameters<typeof filterLexeme>[0], values: readonly string[] | null): Condition =>
    values === null ? true : or(...values.map((value) => lexeme(filterLexeme(kind, value))))
  const known = { oldest, newest }
  const span = { from, to }
  const filters = and(any('corpus', corpora), any('form', forms), any('cik', cik === null ? null : [cik]))
  const scope = and(filters, inSpan(span, known))
  if (scope === false) return null
  const of = { places: placesOf(params), isOfOne: cik !== null, isDoubtful: isDoubtful(tree) }
  return { tree, tiers, filters, scope, span, ...of, effort, known }
}

/** The figures that are estimated about a query before its search. */
interface Estimates {
  estimate: Estimate
  /** Counts of documents in a sample. */
  counts: Counts | null
}

/**
 * Skips the estimate for a search within one filer, since a filer has few documents. Extends the days to whole months,
 * which is precise enough for an estimate.
 */
async function estimated(sql: Sql, search: Search, documents: number): Promise<Estimates> {
  const { tree, places, tiers, filters, span, known, effort } = search
  if (search.isOfOne) return { estimate: { rows: 0, items: () => 0 }, counts: null }
  const months = { from: span.from && startOfMonth(span.from), to: span.to && endOfMonth(span.to) }
  const sample = sampleOf(documents / effort.sample / 2)
  const scope = and(filters, inSpan(months, known))
  const [counted, counts] = await Promise.all([
    queries.counts(sql, places, toCount(tree, tiers, scope, sample)),
    countsIn(sql, search, sample),
  ])
  return { estimate: estimateOf(tree, tiers, scope, counted, counts.total / sample.scale, sample), counts }
}

/** A sample with at least this number of matching documents suffices for an estimate. */
const ENOUGH = 50

/** Returns the counts of the first sample, unless the sample has few matches and more documents can be counted. */
async function countsOf(sql: Sql, search: Search, { estimate, counts }: Estimates, documents: number): Promise<Counts> {
  const sample = countedOf(search.tree, estimate, documents, search.effort)
  const isEnough =
    counts && (counts.scale === sample.scale || (sample.scale > 1 && counts.total >= ENOUGH * counts.scale))
  return isEnough ? counts : countsIn(sql, search, sample)
}

/** Counts matches among a part of all documents. */
async function countsIn(sql: Sql, { places, tree, scope, isDoubtful }: Search, sample: Sample): Promise<Counts> {
  const { scale } = sample
  const condition = and(ofDocument(tree, 0, true), scope, sample.condition)
  const found = condition === false ? [] : await queries.facets(sql, places, String(condition))
  const facets = found.map((facet) => ({ ...facet, count: facet.count * scale }))
  const total = facets.reduce((sum, { count }) => sum + count, 0)
  return { total, is: scale > 1 ? 'about' : isDoubtful ? 'at_most' : 'exact', scale, facets }
}

const cursorOf = (check: string, { everywhere, tier, block, after }: Position) =>
  encodeCursor([check, String(everywhere), String(tier), block, after?.filed_date ?? null, after?.name ?? null])

/** Anybody can make a cursor, so each part of it is checked. */
function positionOf(cursor: string, check: string, tiers: number): Position {
  const [of, everywhere, tier, block, day, name] = decodeCursor(cursor, 6)
  const wrong = (what: string) => apiError('invalid_cursor', { reason: what })
  if (of !== check) throw wrong('belongs to another search; keep q, filters and sort the same on all pages')
  const numbers = [everywhere, tier].map((text) => (/^\d{1,2}$/.test(text ?? '') ? Number(text) : -1))
  if (numbers.some((n) => n < 0 || n > tiers)) throw wrong('not one that this list returned')
  if ((block !== null && !isDay(block)) || (day === null) !== (name === null) || (day !== null && !isDay(day))) {
    throw wrong('not one that this list returned')
  }
  const after = isDay(day) ? { filed_date: day, name: name! } : null
  return { everywhere: numbers[0]!, tier: numbers[1]!, block: block ?? null, after }
}
