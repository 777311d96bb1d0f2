/** Views, which a slice publishes for other slices to read. Their columns are declared like those of tables. */
import { z } from 'zod'
import { type Columns, columnType } from './column.ts'

/** The sources of an answer. serve/loaded.ts says what the answer states about sources that are not loaded. */
export interface Sources {
  /** Bulk series by name, each with a text that says what the answer cannot know without the series. */
  series?: Readonly<Record<string, string>>
  /** Families with filings that datasets read. Each slug has the name that answers give these filings. */
  families?: Readonly<Record<string, string>>
  /** Slugs of families of which the answer shows only index entries. */
  listed?: readonly string[]
  /** Whether the index of EDGAR's filings is a source. */
  edgar?: boolean
  /**
   * Whether the answer claims to be complete. With only the bundled sample loaded, it is unknown whether the answer is
   * complete.
   */
  whole?: boolean
}

export interface View<C extends Columns = Columns, S extends Sources = Sources> {
  /** `pub.<slug>_…`, as other slices name it in their SQL. */
  readonly id: `pub.${string}`
  /** A sentence that says what one row is. */
  readonly meaning: string
  readonly columns: C
  readonly row: z.ZodObject<C>
  /** One query, which names the slice's own tables without schema. */
  readonly sql: string
  /** The sources of its rows. An answer made from the view names the sources that are not loaded. */
  readonly sources: S
}

/** A row of a view, as it leaves the database. */
export type RowOf<V extends View> = z.infer<V['row']>

/**
 * Declares a view that other slices may read.
 *
 * @param id `pub.<slug>_…`
 * @param meaning what one row is, in a sentence
 * @param columns in the order of the query; a column of one of the slice's tables keeps the table's declaration
 * @param sql the query, as it could be pasted into psql
 * @param sources the data from which its rows are made: an answer from the view names those that were not loaded
 */
export function view<C extends Columns, S extends Sources = Record<never, never>>(
  id: `pub.${string}`,
  meaning: string,
  columns: C,
  sql: string,
  sources: S = {} as S,
): View<C, S> {
  if (!/^pub\.[a-z][a-z0-9_]*$/.test(id)) throw new Error(`${id} is not a plain lower-case name in the schema pub`)
  if (meaning.trim() === '') throw new Error(`${id} does not say what a row is`)
  for (const [name, type] of Object.entries(columns)) {
    if (!columnType(type)) throw new Error(`${id}.${name} has no Postgres type: declare it with declare/table.ts`)
  }
  return { id, meaning, columns, row: z.object(columns).describe(meaning), sql: sql.trim(), sources }
}
