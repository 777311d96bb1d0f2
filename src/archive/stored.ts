/** Looks up submissions, and the filings that they belong to, in the database. */
import type { StoredSubmission } from '../declare/ports.ts'
import type { Sql, Transaction } from '../store/db.ts'
import type { Store } from './store.ts'
import type { SpineFiling } from './wanted.ts'

/**
 * Finds a submission whose bytes the archive has. It is the submission that an ingest read, or else the one that was
 * fetched for a request.
 */
export async function findStored(
  sql: Sql | Transaction,
  store: Store,
  accession: string,
): Promise<StoredSubmission | null> {
  const row = (table: 'submission' | 'look_up', place: number) => sql`
    select accession, sha256, bytes::float8 as bytes, source_url as "sourceUrl", header, documents,
      kept_sha256 as kept, dropped, originals, ${place}::int as place
    from edgar.${sql(table)} where accession = ${accession}`
  const rows = await sql<(StoredSubmission & { place?: number })[]>`
    ${row('submission', 1)} union all ${row('look_up', 2)} order by place`
  for (const { place: _, ...stored } of rows) {
    // The bytes of a row may be missing: a corrupt entry is moved aside, to be fetched again.
    if (await store.has(stored.kept ?? stored.sha256)) return stored
  }
  return null
}

export async function findFiling(sql: Sql, accession: string): Promise<SpineFiling | null> {
  const [filing] = await sql<SpineFiling[]>`
    select accession, form_type, filed_date, path from edgar.filing where accession = ${accession}`
  return filing ?? null
}
