/** One table that can be exported. */
import type { Columns } from '../declare/table.ts'

/** A table as a file has it. */
export interface Offer {
  family: string
  /** Its name for `--table`. */
  table: string
  /** `schema.name` of the table that its rows are counted by. */
  id: string
  meaning: string
  /** As declared, in order, without those that are for searches only. */
  columns: Columns
  /** The columns by which its rows are ordered, so that the same data gives the same bytes. */
  order: readonly string[]
  /** SQL after `from`, if it is not the table alone; the table is `t` in it. */
  from: string
  /** Tables whose rows it shows; they reveal that it was rebuilt meanwhile. */
  reads: readonly string[]
  /** SQL that holds for the rows of filings of these days; null where nothing says a day. */
  within: ((days: Days) => string) | null
  /** SQL of a column, where it is not `t.` and its name. */
  sqlOf?: Readonly<Record<string, string>>
  partition: 'quarter' | null
}

export interface Days {
  from: string | undefined
  to: string | undefined
}

/** @param days already known to be days */
export const between = (column: string, { from, to }: Days): string =>
  [from && `${column} >= date '${from}'`, to && `${column} <= date '${to}'`].filter(Boolean).join(' and ')
