/** A page of the search: which documents, in which order, and where it goes on. */
import { badRequest } from '../../declare/errors.ts'
import { filterLexeme } from '../../read/lexemes.ts'
import { checksum, decodeCursor, encodeCursor, isDay } from '../../serve/page.ts'
import type { Sql } from '../../store/db.ts'
import { and, type Condition, isDoubtful, lexeme, ofDocument, or } from './conditions.ts'
import { inSpan } from './days.ts'
import { counted, EFFORT, type Effort, type Spread, sampleOf, scaleOf, tiersEverywhere } from './effort.ts'
import * as queries from './queries.ts'
import { onlyTier, tiersOf } from './tiers.ts'
import type { Tree } from './tree.ts'
import { type Position, type Search, walk } from './walk.ts'

export interface Asked {
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

export interface Found {
  documents: queries.Found[]
  next_cursor: string | null
  /** The first day of the block up to which documents were ranked together; null where all were. */
  ranked_since: string | null
  /** Of the first page. */
  counts: Counts | null
}

export interface Counts {
  total: number
  /** at_most: some may have the words of a phrase apart. about: told from the newest documents. */
  is: 'exact' | 'at_most' | 'about'
  /** First day of the documents that were counted; null for all. */
  since: string | null
  facets: { form: string; year: number; count: number }[]
}


/**
 * One page of a search.
 *
 * @param tree of `asked.q`
 * @throws HttpError 400 for a cursor of another search
 */
export async function find(sql: Sql, tree: Tree, asked: Asked, effort: Effort = EFFORT): Promise<Found> {
  const search = searchOf(tree, asked, effort)
  const check = checksum(JSON.stringify({ ...asked, limit: 0, cursor: null }))
  const nothing: Found = { documents: [], next_cursor: null, ranked_since: null, counts: null }
  const from = asked.cursor === null ? null : positionOf(asked.cursor, check, search)
  const spread = await queries.spread(sql, search.places, from?.block ?? search.span.to, effort)
  if (search.scope === false || spread.newest === null) {
    return { ...nothing, counts: from ? null : { total: 0, is: 'exact', since: null, facets: [] } }
  }
  let start = from
  let counts: Promise<Counts> | null = null
  if (!start) {
    const everywhere = await howFar(sql, search, spread)
    start = { everywhere, tier: 0, block: null, after: null }
    counts = countsOf(sql, search, spread, everywhere === search.tiers.length)
  }
  const [page, counted] = await Promise.all([walk(sql, search, start, spread, asked.limit), counts])
  const { documents, next, since } = page
  // Where the page is all there is, each document was looked at and nothing is left to doubt.
  const total = counted && !next ? { ...counted, total: documents.length, is: 'exact' as const } : counted
  return { documents, next_cursor: next && cursorOf(check, next), ranked_since: since, counts: total }
}

function searchOf(tree: Tree, { corpora, forms, cik, from, to, sort }: Asked, effort: Effort): Search {
  const any = (kind: Parameters<typeof filterLexeme>[0], values: readonly string[] | null): Condition =>
    values === null ? true : or(...values.map((value) => lexeme(filterLexeme(kind, value))))
  const places = (['documents', 'brochures'] as const).filter((place) =>
    corpora === null ? true : corpora.some((corpus) => (corpus === 'brochures') === (place === 'brochures')),
  )
  const span = { from, to }
  const scope = and(any('corpus', corpora), any('form', forms), any('cik', cik === null ? null : [cik]), inSpan(span))
  const tiers = sort === 'date' ? onlyTier(tree) : tiersOf(tree)
  return { tree, places, tiers, scope, span, isDoubtful: isDoubtful(tree), effort }
}

async function howFar(sql: Sql, { tree, places, tiers, scope, span, effort }: Search, spread: Spread): Promise<number> {
  const sample = sampleOf(spread, span)
  const counts = sample && (await queries.counts(sql, places, counted(tree, tiers, scope, sample)))
  return tiersEverywhere(tree, tiers, counts, spread, span, effort)
}

/** All that match where they may be counted; else those of the sample, and what they let expect. */
async function countsOf(sql: Sql, search: Search, spread: Spread, isAll: boolean): Promise<Counts> {
  const { places, tree, scope, span, effort } = search
  const sample = isAll ? null : sampleOf(spread, span)
  const condition = and(ofDocument(tree, 0, true), scope, sample ? inSpan(sample) : true)
  const facets = condition === false ? [] : await queries.facets(sql, places, String(condition))
  const sum = facets.reduce((sum, { count }) => sum + count, 0)
  const since = sample?.from ?? null
  if (sample) return { total: Math.round(sum * scaleOf(spread, span, effort)), is: 'about', since, facets }
  return { total: sum, is: search.isDoubtful ? 'at_most' : 'exact', since, facets }
}

const cursorOf = (check: string, { everywhere, tier, block, after }: Position) =>
  encodeCursor([check, String(everywhere), String(tier), block, after?.filed_date ?? null, after?.name ?? null])

/** Anybody can make a cursor: nothing of it goes on unread. */
function positionOf(cursor: string, check: string, { tiers }: Search): Position {
  const [of, everywhere, tier, block, day, name] = decodeCursor(cursor, 6)
  const wrong = (what: string) => badRequest(`cursor: ${what}`)
  if (of !== check) throw wrong('belongs to another search: q, filters and sort stay the same from page to page')
  const numbers = [everywhere, tier].map((text) => (/^\d{1,2}$/.test(text ?? '') ? Number(text) : -1))
  if (numbers.some((n) => n < 0 || n > tiers.length)) throw wrong('not one that this list returned')
  if ((block !== null && !isDay(block)) || (day === null) !== (name === null) || (day !== null && !isDay(day))) {
    throw wrong('not one that this list returned')
  }
  const after = isDay(day) ? { filed_date: day, name: name! } : null
  return { everywhere: numbers[0]!, tier: numbers[1]!, block: block ?? null, after }
}
