/** Marks rows of amended filings in lists. */
import { amendedSql } from '../declare/amended.ts'
import type { View } from '../declare/view.ts'
import type { Fragment, Sql } from '../store/db.ts'

/**
 * The amendments of filings, by accession. They are read from the view of the slice, which has one row for each amended
 * filing.
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
 * Makes the expression of a filing's amendments within a query, for the row of `filing`: one query then reads a filing,
 * or a list, with its amendments.
 */
export const amendedIn = (sql: Sql, view: View, filing: string): Fragment => sql.unsafe(amendedSql(view, filing))

/** Makes that expression as a column. */
export const amendedColumn = (sql: Sql, view: View, filing: string): Fragment =>
  sql`${amendedIn(sql, view, filing)} as amended_by`

/** A page of filings, each with the filings that amend it. */
export async function withAmended<R extends { accession: string }, P extends object>(
  sql: Sql,
  view: View,
  { rows, ...next }: { rows: readonly R[] } & P,
) {
  const of = await amendmentsOf(sql, view, rows)
  return { rows: rows.map((row) => ({ ...row, amended_by: of(row.accession) })), ...next }
}
