/** Tables and rollups: columns with a key, indexes and one sentence that says what a row is. */
import { z } from 'zod'
import { accession, type Columns, columnType, date, integer, meaningOf } from './column.ts'

export * from './column.ts'

/** Columns that a table of filings has without declaring them. The loader fills them from the spine. */
const spine = {
  accession: accession('SEC accession number of the filing'),
  filed_date: date('Date the SEC gives as the filing date'),
}
type Spine = typeof spine

const numbering = { n: integer('Number of the row within its record, from 1') }

/** The properties of a table or a rollup that DDL and documentation need. */
export interface Relation {
  /** `schema.name` */
  readonly id: string
  readonly schema: string
  readonly name: string
  /** A sentence that says what one row is. */
  readonly meaning: string
  readonly primaryKey: readonly string[]
  /** Shape of a stored row in answers. */
  readonly row: z.ZodObject
  /** Extra indexes: the part of `create index` after the table's name, for example `(cik, filed_date desc)`. */
  readonly indexes: readonly string[]
  /** Set if the table has a partition for each value of its column `quarter`: store/partitions.ts. */
  readonly partition?: 'quarter' | undefined
  /**
   * Whether a server with Citus distributes the rows over its workers, by the first column of the key:
   * store/distributed.ts.
   */
  readonly distributed?: boolean | undefined
}

/**
 * A table of rows that a parser yields, by record. A record is a filing, or an entry of a bulk file with a key of its
 * own.
 */
export interface Table<C extends Columns = Columns, Added extends Columns = Columns> extends Relation {
  /** The first column of the primary key, by which the rows of a record are found and replaced. */
  readonly record: string
  /**
   * Columns that make a row unique within its record; empty when a record has exactly one row, or its rows are
   * numbered.
   */
  readonly key: readonly string[]
  /** Whether the loader adds `n`, which numbers the rows of one record from 1 in the order of their lines. */
  readonly numbered: boolean
  /** The declared columns, in the declared order. */
  readonly columns: C
  /** The declared columns as a Zod object: what a parser yields. */
  readonly parsed: z.ZodObject<C>
  /** The stored row as served: the columns that the loader adds, and the declared columns. */
  readonly row: z.ZodObject<C & Added>
}

/**
 * Rows that a dataset derives from its tables, with a key that requests ask for. Its `refresh` maintains them; they are
 * never loaded.
 */
export interface Rollup<C extends Columns = Columns> extends Relation {
  readonly columns: C
  readonly row: z.ZodObject<C>
  /**
   * Whether the rollup only serves a search or a sum of its slice. Such a rollup repeats facts of other tables, and is
   * not exported.
   */
  readonly inner: boolean
}

interface Options {
  indexes?: readonly string[]
  partition?: 'quarter'
  distributed?: boolean
}

/**
 * Declares a table of a dataset. Its records are filings, by accession, or are identified by the column that `record`
 * names.
 *
 * @param id `schema.name`; the schema is the dataset's slug
 * @param meaning what one row is, in a sentence
 * @param key columns that distinguish the rows of one record, `[]` for one row per record. A table with one row per
 *   filing also gets `filed_date`, so that feeds and facets are answered in date order from its own indexes
 * @param record the column that identifies a record of a bulk file, or an entry of a dictionary
 * @param numbered adds `n` to columns and key, if nothing in the source distinguishes the rows of a record
 * @param partition makes a partition for each quarter of the column `quarter`, which is the `storedQuarter` of `period`
 *   in the family's table. Meant for hundreds of millions of rows. The column comes last in the primary key
 * @param distributed on a server with Citus, distributes the rows over its workers by record
 */
export function table<C extends Columns>(
  id: `${string}.${string}`,
  meaning: string,
  key: readonly (keyof C & string)[],
  columns: C,
  options?: Options,
): Table<C, Spine>
export function table<C extends Columns>(
  id: `${string}.${string}`,
  meaning: string,
  key: readonly (keyof C & string)[],
  columns: C,
  options: { record: keyof C & string; numbered?: boolean; indexes?: readonly string[] },
): Table<C, Record<never, never>>
export function table(
  id: string,
  meaning: string,
  key: readonly string[],
  columns: Columns,
  {
    record = 'accession',
    numbered = false,
    indexes = [],
    partition,
    distributed,
  }: Options & { record?: string; numbered?: boolean } = {},
): Table {
  const isFiling = record === 'accession'
  const before = isFiling ? (key.length === 0 ? spine : { accession: spine.accession }) : {}
  const after = numbered ? numbering : {}
  for (const column of Object.keys({ ...before, ...after })) {
    if (column in columns) throw new Error(`${id}.${column} is added by the loader: do not declare it`)
  }
  if (!isFiling && !(record in columns))
    throw new Error(`${id} lacks the column ${record}, which identifies its records`)
  const day = columns.quarter && columnType(columns.quarter)
  if (partition && (day?.kind !== 'date' || day.nullable)) {
    throw new Error(`${id} is partitioned by quarter, so it needs a column quarter, a date that is never null`)
  }
  return {
    ...named(id, meaning, columns),
    record,
    key,
    numbered,
    primaryKey: [record, ...key, ...Object.keys(after), ...(partition ? [partition] : [])],
    columns,
    parsed: z.object(columns),
    row: z.object({ ...before, ...columns, ...after }).describe(meaning) as Table['row'],
    indexes,
    partition,
    distributed,
  }
}

/**
 * Declares a rollup of a dataset: rows derived from its tables, with a key that requests ask for, so that requests need
 * not group rows. The dataset's `refresh` maintains them.
 *
 * @param id `schema.name`; the schema is the dataset's slug
 * @param meaning what one row is, in a sentence
 * @param key the primary key, for example `['cik']`
 * @param distributed on a server with Citus, distributes the rows over its workers by the first column of the key
 * @param inner whether the rollup serves only a search or a sum of its slice; such a rollup is not exported
 */
export function rollup<C extends Columns>(
  id: `${string}.${string}`,
  meaning: string,
  key: readonly (keyof C & string)[],
  columns: C,
  {
    indexes = [],
    distributed,
    inner = false,
  }: { indexes?: readonly string[]; distributed?: boolean; inner?: boolean } = {},
): Rollup<C> {
  if (key.length === 0) throw new Error(`${id}: a rollup needs a key`)
  return {
    ...named(id, meaning, columns),
    primaryKey: key,
    columns,
    row: z.object(columns).describe(meaning),
    indexes,
    distributed,
    inner,
  }
}

/** Returns the schema and name of the id, after checking that both and the columns are fit for DDL. */
function named(id: string, meaning: string, columns: Columns): Pick<Relation, 'id' | 'schema' | 'name' | 'meaning'> {
  const [schema, name] = id.split('.') as [string, string]
  for (const part of [schema, name, ...Object.keys(columns)]) {
    if (!/^[a-z][a-z0-9_]*$/.test(part)) throw new Error(`${id}: ${part} is not a plain lower-case name`)
  }
  for (const [column, type] of Object.entries(columns)) {
    if (!columnType(type)) throw new Error(`${id}.${column} has no Postgres type: declare it with declare/table.ts`)
    if (!meaningOf(type)) throw new Error(`${id}.${column} lacks a description of its meaning`)
  }
  if (meaning.trim() === '') throw new Error(`${id} does not say what a row is`)
  return { id, schema, name, meaning }
}

/** All stored columns in order: the columns of the spine if the table has them, then the declared columns. */
export function storedColumns(t: Relation): Columns {
  return t.row.shape as Columns
}

/** The output of a parser: the table's key in the dataset's `tables`, and a row of it. */
export type RowOf<T extends Record<string, Table>> = {
  [K in keyof T & string]: readonly [K, z.infer<T[K]['parsed']>]
}[keyof T & string]

export type Rows<T extends Record<string, Table>> = Generator<RowOf<T>>

/** The output of a parser of any dataset. */
export type ParsedRow = readonly [string, Record<string, unknown>]
