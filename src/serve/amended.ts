/** Adds to rows of filings the accessions of their amendments. */
import { amendedSql } from '../declare/amended.ts'
import type { View } from '../declare/view.ts'
import type { Fragment, Sql } from '../store/db.ts'

/**
 * Returns a function from an accession to the accessions of its amendments. The amendments are read from the view of
 * the slice, which has one row for each amended filing.
 */
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

/**
 * Makes an SQL expression that returns the amendments of a filing. `filing` is the alias of the filing's row. With this
 * expression, one query reads a filing, or a list of filings, together with the amendments.
 */
export const amendedIn = (sql: Sql, view: View, filing: string): Fragment => sql.unsafe(amendedSql(view, filing))

/** Makes the same expression, with the name `amended_by` for a select list. */
export const amendedColumn = (sql: Sql, view: View, filing: string): Fragment =>
  sql`${amendedIn(sql, view, filing)} as amended_by`

/** Adds to each filing of a page the filings that amend it. */
export async function withAmended<R extends { accession: string }, P extends object>(
  sql: Sql,
  view: View,
  { rows, ...next }: { rows: readonly R[] } & P,
) {
  const of = await amendmentsOf(sql, view, rows)
  return { rows: rows.map((row) => ({ ...row, amended_by: of(row.accession) })), ...next }
}
