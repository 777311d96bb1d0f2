/**
 * The dataset: the forms that it claims, and its documents, parser, tables, family entry and routes, in one object.
 * These are derived from it: ingest routing, DDL, `/filings/families`, coverage tiers, capabilities, OpenAPI and the
 * docs table.
 */

import type { Corrections } from './corrections.ts'
import type { Documents, Filing, Roles } from './documents.ts'
import type { DatasetRefresh, Refresh } from './refresh.ts'
import type { Route } from './route.ts'
import type { BulkSource } from './series.ts'
import type { SetsSource } from './sets.ts'
import { columnType, type ParsedRow, type Relation, type Rollup, type RowOf, type Table } from './table.ts'
import type { View } from './view.ts'

export { bulk } from './series.ts'
export type { ParsedRow }

/** A source of EDGAR filings: which filings the dataset reads, and how. */
export interface FilingsSource<R extends ParsedRow = ParsedRow> {
  kind: 'filings'
  /** Exact form codes, such as `D` and `D/A`: the code of a form does not include the form of its amendments. */
  forms: readonly string[]
  /** Slugs of families. A dataset that claims no family of its own reads every form that these families claim. */
  families?: readonly string[]
  /**
   * Returns which of the families claims a form. If there are families, `catalog` fills in this function and `forms`.
   */
  familyOf?: (form: string) => string
  documents: Roles
  /** Pure: takes a filing and yields `[table key, row]` as it reads. It is called again when a filing is read again. */
  parse: (filing: Filing) => Iterable<R> | AsyncIterable<R>
}

/**
 * Declares the form codes or families whose filings a dataset reads, and the documents that it reads, each by its role.
 *
 * @param source its `parse` gets the documents by role: an optional document may be null
 */
export function filings<const D extends Roles, R extends ParsedRow>(
  source: Which & { documents: D; parse: (filing: Filing<Documents<D>>) => Iterable<R> | AsyncIterable<R> },
): FilingsSource<R>
export function filings(source: object): FilingsSource {
  return { kind: 'filings', forms: [], ...source } as object as FilingsSource
}

/** A dataset claims forms, or reads forms that the families of other datasets claim. */
type Which = { forms: readonly string[] } | { families: readonly string[] }

/** What `/filings?family=` takes from a dataset: columns for its rows, and columns by which clients can filter. */
export interface FamilyFeed {
  /** Key in `tables` of a table with one row per filing. */
  table: string
  /** Columns shown in `fam_rows`. */
  columns: readonly string[]
  /** Columns that the filter tree accepts; each gets an index in date order. */
  facets: readonly string[]
  /**
   * Key in `tables` of a table whose column `item` has the items of a filing, including items that only its text has.
   * The parameter `item` of /filings finds filings by this column.
   */
  items?: string
  /** Forms that belong to the family, but whose filings the dataset does not read. These filings are only listed. */
  listed?: readonly string[]
}

/** Properties of every slice that stores something. */
export interface Slice {
  /** Folder, Postgres schema, family slug and OpenAPI tag. */
  readonly slug: string
  readonly label: string
  readonly tables: Record<string, Relation>
  /**
   * Relations with rows that are derived from the tables, or from views of other slices. Requests ask for these rows by
   * their keys.
   */
  readonly rollups: Record<string, Rollup>
  /**
   * Key of the table or rollup that represents the slice, if the slice has several and it is not the family's table.
   */
  readonly main?: string
  readonly refresh?: Refresh
  readonly routes: readonly Route[]
  /** Views that other slices may read. */
  readonly views: readonly View[]
  /** The parser's module: when this module or one of its imports changes, stored rows may be outdated. */
  readonly parser?: URL | readonly URL[]
  /** The module of `refresh`: when this module or one of its imports changes, rows of rollups may be outdated. */
  readonly refreshed?: URL
  /** An operator's own corrections of the data. */
  readonly corrections?: Corrections
}

/** Properties of both kinds of dataset. */
interface StoredSlice extends Slice {
  readonly group: string
  readonly parser: URL | readonly URL[]
  readonly refresh?: DatasetRefresh
}

/** Filings of EDGAR, keyed by accession. */
export interface FilingsDataset extends StoredSlice {
  readonly source: FilingsSource
  /** Data sets of the publisher, each with the data of many of these filings. */
  readonly sets?: SetsSource
  readonly tables: Record<string, Table>
  /**
   * Tables of rows that many filings share. A row has its own key, is inserted if it does not exist yet, and is never
   * deleted.
   */
  readonly dictionaries: Record<string, Table>
  /**
   * Absent in a dataset that reads filings of many families and claims none. No task waits for its filings: they are
   * read when an ingest names the dataset.
   */
  readonly family?: FamilyFeed
}

/** Files of a publisher, each with many records. */
export interface BulkDataset extends StoredSlice {
  readonly source: BulkSource
  readonly tables: Record<string, Table>
}

export type Dataset = FilingsDataset | BulkDataset

const kindOf = (slice: Slice) => (slice as Partial<Dataset>).source?.kind
export const isFilings = (slice: Slice): slice is FilingsDataset => kindOf(slice) === 'filings'
export const isBulk = (slice: Slice): slice is BulkDataset => kindOf(slice) === 'bulk'

type Declared<D extends Slice> = Omit<D, 'rollups' | 'views' | 'routes' | 'dictionaries'> & {
  rollups?: Record<string, Rollup>
  views?: Record<string, View> | readonly View[]
  dictionaries?: Record<string, Table>
  routes: Record<string, Route> | readonly Route[]
}

/** If the type of a parser states which rows the parser yields, requires that they are rows of the dataset's tables. */
type Yields<R, Own> = ParsedRow extends R ? unknown : [R] extends [Own] ? unknown : never

/** The table that has one row for each filing that was read. */
export const filingTable = ({ tables, family, main }: FilingsDataset): Table => tables[(family?.table ?? main)!]!

/**
 * Declares a dataset of EDGAR's filings and checks what the compiler cannot check: that names, keys and facets exist.
 *
 * @throws Error that names the dataset and the part that is wrong. It is thrown at import, so that no broken slice is
 *   served
 */
export function dataset<T extends Record<string, Table>, D extends Record<string, Table>, R extends ParsedRow>(
  declared: Omit<Declared<FilingsDataset>, 'tables' | 'dictionaries' | 'source'> & {
    tables: T
    dictionaries?: D
    source: FilingsSource<R> & Yields<R, RowOf<T & D>>
  },
): FilingsDataset
/** Checks a dataset of filings. Branches: each rejects declarations that contradict each other. */
export function dataset(declared: Declared<FilingsDataset>): FilingsDataset {
  const { tables, family } = declared
  const fail = failing(declared.slug)
  const name = family?.table ?? declared.main ?? fail('claims no family, so main must name a table')
  const bound = tables[name] ?? fail(`family.table ${name} is not a table of the dataset`)
  if (bound.key.length > 0) fail(`family.table ${name} must have one row per filing`)
  for (const { id, record } of Object.values(tables)) {
    if (record !== 'accession') fail(`${id} has the record column ${record}, but its records are filings`)
  }
  for (const { id, key, record, numbered } of Object.values(declared.dictionaries ?? {})) {
    if (record === 'accession' || numbered || key.length > 0)
      fail(`${id} is a dictionary, so one column of its own must be its key`)
  }
  const period = bound.columns.period && columnType(bound.columns.period)
  for (const { id, partition } of Object.values(tables)) {
    if (partition && period?.kind !== 'date') fail(`${id} is partitioned, and ${bound.id} has no date period`)
  }
  for (const name of [...(family?.columns ?? []), ...(family?.facets ?? [])]) {
    if (!bound.columns[name]) fail(`family names the column ${name}, which ${bound.id} lacks`)
  }
  for (const name of family?.facets ?? []) {
    if (columnType(bound.columns[name]!)?.kind === 'json') fail(`facet ${name} is jsonb`)
  }
  return complete<FilingsDataset>({ dictionaries: {}, ...declared })
}

/**
 * Declares a dataset of bulk files.
 *
 * @throws Error that names the dataset and the part that is wrong, at import
 */
export function bulkDataset(declared: Declared<BulkDataset>): BulkDataset {
  const fail = failing(declared.slug)
  for (const { id, record } of Object.values(declared.tables)) {
    if (record === 'accession') fail(`${id} does not declare the column that identifies its records`)
  }
  for (const [name, series] of Object.entries(declared.source.series)) {
    const { table = '', columns = [] } = (series.format === 'xml' && series.remembers) || {}
    for (const column of columns) {
      const type = declared.tables[table]?.columns[column]
      if (!type || columnType(type)?.kind !== 'text')
        fail(`${name} remembers ${table}.${column}, which is not a text column`)
      if (series.kind !== 'snapshot') fail(`${name} remembers ${column}, but is not a snapshot`)
    }
    for (const key of series.tables) {
      const t = declared.tables[key] ?? fail(`${name} refers to a table that does not exist: ${key}`)
      for (const column of Object.keys(series.scope ?? {})) {
        if (!t.primaryKey.includes(column)) fail(`${column}, the scope of ${name}, is not in the key of ${t.id}`)
      }
    }
  }
  return complete<BulkDataset>(declared)
}

const failing =
  (slug: string) =>
  (what: string): never => {
    throw new Error(`slice ${slug}: ${what}`)
  }

/** Runs the checks that all declarations share, and turns named views and routes into lists. */
export function complete<D extends Slice>(declared: Declared<D>): D {
  const { slug, tables, rollups = {}, views = {}, refresh, refreshed } = declared as Declared<Slice>
  const { dictionaries = {} } = declared as { dictionaries?: Record<string, Relation> }
  const fail = failing(slug)
  if (!/^[a-z][a-z0-9]*$/.test(slug)) fail('a slug must consist of lower-case letters and digits')
  if (Object.keys(rollups).length > 0 !== (refresh !== undefined)) fail('rollups and refresh must be declared together')
  if (refresh && !refreshed) fail('refreshed must name the module of refresh')
  for (const [key, t] of [tables, dictionaries, rollups].flatMap((some) => Object.entries<Relation>(some))) {
    if (t.schema !== slug || t.name !== key) fail(`table ${t.id} must be called ${slug}.${key}`)
  }
  const { main } = declared as Declared<Slice>
  if (main !== undefined && !tables[main] && !rollups[main]) fail(`main refers to a table that does not exist: ${main}`)
  for (const { id } of Object.values(views)) {
    if (!id.startsWith(`pub.${slug}_`)) fail(`view ${id} must be called pub.${slug}_…`)
  }
  const lists = { views: Object.values(views), routes: Object.values(declared.routes) }
  return { ...declared, rollups, ...lists } as unknown as D
}

/** All stored relations of the dataset: its tables, its dictionaries, then its rollups. */
export const relationsOf = ({
  tables,
  dictionaries = {},
  rollups,
}: {
  tables: Record<string, Relation>
  dictionaries?: Record<string, Relation>
  rollups: Record<string, Relation>
}): readonly Relation[] => [tables, dictionaries, rollups].flatMap((some) => Object.values(some))
