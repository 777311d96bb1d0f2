/** Assembles a page of the search: documents with their descriptions and their best passages. */
import type { Catalog } from '../../declare/catalog.ts'
import { corpusOf } from '../../declare/corpora.ts'
import { excerptOf } from '../../serve/search/excerpt.ts'
import type { Tree } from '../../serve/search/tree.ts'
import { readQuery } from '../../serve/search/typed.ts'
import type { Sql } from '../../store/db.ts'
import type { Page, Row } from './answers.ts'
import * as queries from './queries.ts'
import { type Counts, find, type SearchParams } from './search.ts'
import { nameCondition } from './walk.ts'
import { wantedOf } from './wanted.ts'

export interface Input {
  q: string
  corpora?: readonly string[] | undefined
  form?: readonly string[] | undefined
  cik?: string | undefined
  from?: string | undefined
  to?: string | undefined
  sort: SearchParams['sort']
  limit: number
  cursor?: string | undefined
}

const EXCERPTS = 3
/** Maximum number of shown values of a facet. */
const FORMS = 40

/**
 * Returns the requested page.
 *
 * @throws HttpError 400 for an unreadable query or cursor
 */
export async function answer(sql: Sql, catalog: Catalog, { q, limit, sort, ...given }: Input): Promise<Page> {
  const tree = readQuery(q)
  const { corpora = null, form: forms = null, cik = null, from = null, to = null, cursor = null } = given
  const found = await find(sql, tree, { q, corpora, forms, cik, from, to, sort, limit, cursor })
  const { documents, counts, next_cursor, ranked_since } = found
  const rows = documents.length > 0 ? await rowsOf(sql, catalog, tree, documents, cik) : []
  return {
    rows,
    total: counts?.total ?? null,
    total_is: counts?.is ?? null,
    ranked_since,
    document_counts: counts && countsOf(next_cursor === null ? rows.map(facetOf) : counts.facets),
    next_cursor,
  }
}

async function rowsOf(
  sql: Sql,
  catalog: Catalog,
  tree: Tree,
  documents: readonly queries.DocumentHit[],
  cik: string | null,
): Promise<Row[]> {
  const places = [...new Set(documents.map(({ corpus }) => placeOf(corpus)))]
  const names = documents.map(({ name }) => name)
  const [described, passages] = await Promise.all([
    queries.described(sql, names, cik),
    queries.bestPassages(sql, places, documents, documents.map(nameCondition), wantedOf(tree), EXCERPTS),
  ])
  return documents.flatMap(({ name }, i) => {
    const document = described.find((one) => one.name === name)
    if (!document) return []
    const { name: _, ...stated } = document
    const own = passages.filter(({ at }) => at === i + 1)
    return [{ ...stated, url: addressOf(document, catalog), excerpts: excerptsOf(own, tree) }]
  })
}

const placeOf = (corpus: string): queries.TextSource => (corpus === 'brochures' ? 'brochures' : 'documents')

/** Skips a passage whose excerpt would overlap an earlier excerpt: consecutive passages share words. */
function excerptsOf(passages: readonly queries.PassageHit[], tree: Tree): Row['excerpts'] {
  const chosen: Row['excerpts'] = []
  for (const { text, section, start } of passages) {
    if (chosen.length === EXCERPTS) break
    const { html, start: from, end } = excerptOf(text, tree)
    const excerpt = { html, section_id: section, offset: start + from, length: end - from }
    const isShown = chosen.some(
      (other) => excerpt.offset < other.offset + other.length && other.offset < excerpt.offset + excerpt.length,
    )
    if (!isShown) chosen.push(excerpt)
  }
  return chosen
}

/** The address of an exhibit has the corpus of its filing, not the corpus of exhibits. */
function addressOf({ accession, sequence, brochure, form }: queries.Described, catalog: Catalog): string {
  if (brochure !== null) return `/v1/brochures/${brochure}`
  const source = corpusOf(catalog.familyOfForm(form)?.slug ?? null)
  return `/v1/doc-text/${source}/${accession}?sequence=${sequence}`
}

/**
 * The facet of one row. If the first page has all documents of a search, facets are counted from its rows. The counts
 * of the database would also include documents in which the words of a phrase or of NEAR are too far apart.
 */
const facetOf = ({ form, filed_date }: Row) => ({ form, year: Number(filed_date.slice(0, 4)), count: 1 })

function countsOf(facets: Counts['facets']): NonNullable<Page['document_counts']> {
  return {
    by_form: summed(facets.map(({ form, count }) => [form, count] as const))
      .map(([form, count]) => ({ form, count }))
      .sort((a, b) => b.count - a.count || (a.form < b.form ? -1 : 1))
      .slice(0, FORMS),
    by_year: summed(facets.map(({ year, count }) => [year, count] as const))
      .map(([year, count]) => ({ year, count }))
      .sort((a, b) => b.year - a.year),
  }
}

function summed<T>(counts: readonly (readonly [T, number])[]): [T, number][] {
  const sums = new Map<T, number>()
  for (const [value, count] of counts) sums.set(value, (sums.get(value) ?? 0) + count)
  return [...sums]
}
