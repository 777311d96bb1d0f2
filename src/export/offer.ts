/** One table that can be exported. */
import type { Columns } from '../declare/table.ts'

/** A table that can be exported. */
export interface Offer {
  family: string
  /** The name of the table for `--table`. */
  table: string
  /** `schema.name` of the table whose rows are counted for the estimate. */
  id: string
  meaning: string
  /** The declared columns, in order, without those that only serve searches. */
  columns: Columns
  /** The columns by which the rows are ordered, so that the same data gives the same bytes. */
  order: readonly string[]
  /** SQL after `from`, if it is more than the table; the table has the alias `t`. */
  from: string
  /** Tables whose rows are exported. The export checks them to find out whether the slice was rebuilt meanwhile. */
  reads: readonly string[]
  /** SQL condition for the rows of filings of these days; null if the rows have no day. */
  within: ((days: Days) => string) | null
  /** SQL of a column, if it is not `t.` and the name of the column. */
  sqlOf?: Readonly<Record<string, string>>
  partition: 'quarter' | null
}

export interface Days {
  from: string | undefined
  to: string | undefined
}

/** @param days checked to be valid days */
export const between = (column: string, { from, to }: Days): string =>
  [from && `${column} >= date '${from}'`, to && `${column} <= date '${to}'`].filter(Boolean).join(' and ')
