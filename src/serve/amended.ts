/** Marks rows of lists whose filing was amended. */
import type { View } from '../declare/view.ts'
import type { Sql } from '../store/db.ts'

/** The amendments of filings, by accession, read from the view of their slice: one row of it for each filing of a page. */
export async function amendmentsOf(
  sql: Sql,
  view: View,
  rows: readonly { accession: string }[],
): Promise<(accession: string) => string[]> {
  const accessions = [...new Set(rows.map(({ accession }) => accession))]
  if (accessions.length === 0) return () => []
  const found = await sql<{ accession: string; amended_by: string[] }[]>`
    select accession, amended_by from ${sql(view.id)} where accession = any(${accessions})`
  const by = new Map(found.map((row) => [row.accession, row.amended_by]))
  return (accession) => by.get(accession) ?? []
}

/** A page of filings, each with the filings that amend it. */
export async function withAmended<R extends { accession: string }>(
  sql: Sql,
  view: View,
  { rows, ...next }: { rows: readonly R[]; next_cursor?: string | null },
): Promise<{ rows: (R & { amended_by: string[] })[]; next_cursor?: string | null }> {
  const of = await amendmentsOf(sql, view, rows)
  return { rows: rows.map((row) => ({ ...row, amended_by: of(row.accession) })), ...next }
}
