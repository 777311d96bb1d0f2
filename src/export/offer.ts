/** One table that can be exported. */
import type { Columns } from '../declare/table.ts'

/** A table that can be exported. */
export interface Offer {
  family: string
  /** The name of the table for `--table`. */
  table: string
  /** `schema.name` of the table itself, without the tables that are joined to it. Its rows are counted or estimated. */
  id: string
  meaning: string
  /** The declared columns, in order, without the columns that only serve searches. */
  columns: Columns
  /** The columns by which the rows are ordered, so that the same data gives the same bytes. */
  order: readonly string[]
  /** SQL after `from`: the table with the alias `t`, and the tables that are joined to it. */
  from: string
  /**
   * Tables that the export reads. At its end, the export checks whether one of them was replaced by a rebuild
   * meanwhile.
   */
  reads: readonly string[]
  /**
   * Returns the SQL condition for rows of filings that were filed on these days; null if the rows have no filing date.
   */
  within: ((days: Days) => string) | null
  /** SQL of each column whose SQL is not `t.` followed by its name. */
  sqlOf?: Readonly<Record<string, string>>
  partition: 'quarter' | null
}

export interface Days {
  from: string | undefined
  to: string | undefined
}

/** @param days the first and last day; the caller has checked that they are valid */
export const between = (column: string, { from, to }: Days): string =>
  [from && `${column} >= date '${from}'`, to && `${column} <= date '${to}'`].filter(Boolean).join(' and ')
