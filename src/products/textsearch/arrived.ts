/** Finds recently arrived documents that match a search, for saved searches. */
import type { Catalog } from '../../declare/catalog.ts'
import { BROCHURES, CORPORA } from '../../declare/corpora.ts'
import type { Arrival, Arrived } from '../../declare/route.ts'
import type { Sql } from '../../store/db.ts'
import { answer, type Input } from './page.ts'
import * as queries from './queries.ts'

/** Number of documents of a page: the maximum that the list allows. */
const PAGE = 50
/** Key of a brochure in the event log: its series, and the number of its version. */
const BROCHURE_KEY = /^BROCHURES\/(.+)$/
const SLUGS: readonly string[] = CORPORA.map(({ slug }) => slug)

/**
 * Returns the matching documents. Documents are searched within the days on which the arrived documents were filed.
 *
 * If `arrival` is a day (`since`), brochures are left out. The zips of brochures are published a month late, so the day
 * of filing does not show which brochures are new. New brochures are found by the keys of events instead.
 */
export async function arrivedDocuments(sql: Sql, catalog: Catalog, input: Input, arrival: Arrival): Promise<Arrived[]> {
  if ('since' in arrival) {
    const found = await within(sql, catalog, input, 'documents', { first: arrival.since, last: null })
    return found.map(({ row, day }) => ({ row, key: String(row.accession), day }))
  }
  const ids = arrival.keys.flatMap((key) => BROCHURE_KEY.exec(key)?.[1] ?? [])
  const accessions = new Set(arrival.keys)
  const [filed, brochures] = await Promise.all([
    queries.daysOfFilings(sql, input, arrival.keys),
    queries.daysOfBrochures(sql, ids),
  ])
  const named = new Set(ids)
  return [
    ...(await within(sql, catalog, input, 'documents', filed))
      .filter(({ row }) => accessions.has(String(row.accession)))
      .map(({ row, day }) => ({ row, key: String(row.accession), day })),
    ...(await within(sql, catalog, input, 'brochures', brochures))
      .filter(({ row }) => named.has(String(row.brochure)))
      .map(({ row, day }) => ({ row, key: `BROCHURES/${row.brochure}`, day })),
  ]
}

/** Reads all documents of one kind that match and were filed within given days. */
async function within(
  sql: Sql,
  catalog: Catalog,
  input: Input,
  kind: queries.TextSource,
  { first, last }: queries.Days,
): Promise<{ row: Record<string, unknown>; day: string }[]> {
  const isBrochures = kind === 'brochures'
  const corpora = (input.corpora ?? SLUGS).filter((slug) => (slug === BROCHURES) === isBrochures)
  const hasForm = !isBrochures || input.form === undefined || input.form.includes(queries.BROCHURE)
  if (first === null || corpora.length === 0 || !hasForm) return []
  const from = input.from !== undefined && input.from > first ? input.from : first
  const to = input.to !== undefined && (last === null || input.to < last) ? input.to : (last ?? undefined)
  if (to !== undefined && from > to) return []
  const rows: { row: Record<string, unknown>; day: string }[] = []
  let cursor: string | null | undefined
  do {
    const own = { ...input, corpora, from, to, sort: 'date' as const, limit: PAGE, cursor: cursor ?? undefined }
    const page = await answer(sql, catalog, own)
    rows.push(...page.rows.map((row) => ({ row, day: row.filed_date })))
    cursor = page.next_cursor
  } while (cursor !== null)
  return rows
}
