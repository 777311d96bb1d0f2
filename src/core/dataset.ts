/**
 * The dataset: forms claimed, document, parser, tables, family entry and routes in one object. Ingest routing, DDL,
 * `/filings/families`, coverage tiers, capabilities, OpenAPI and the docs table are derived from it.
 */
import type { Element } from './parse/xml.ts'
import type { Route } from './route.ts'
import { columnType, type Rows, type Table } from './table.ts'

/** Filings whose main document a parser reads. */
export interface FilingsSource {
  kind: 'filings'
  /** Exact form codes, `D` and `D/A`: EDGAR's root forms do not imply their amendments. */
  forms: readonly string[]
  /** File name of the document to parse; compared without case. */
  document: string
}

/** Declares the filings a dataset reads, by form code, and which document of each. */
export const filings = (source: Omit<FilingsSource, 'kind'>): FilingsSource => ({ kind: 'filings', ...source })

/** What `/filings?family=` adds to its rows and lets clients filter on. */
export interface FamilyFeed {
  /** Key in `tables` of a table with one row a filing. */
  table: string
  /** Columns shown in `fam_rows`. */
  columns: readonly string[]
  /** Columns that the filter tree accepts; each gets an index in date order. */
  facets: readonly string[]
}

export interface Dataset {
  /** Folder, Postgres schema, family slug and OpenAPI tag. */
  readonly slug: string
  readonly label: string
  readonly group: string
  readonly source: FilingsSource
  readonly tables: Record<string, Table>
  /** Pure: a document's root in, rows out. */
  readonly parse: (doc: Element) => Rows<Record<string, Table>>
  readonly family: FamilyFeed
  readonly routes: readonly Route[]
  /** `views.sql` of the slice: the `pub.*` views that other slices may read. */
  readonly views?: URL
  /** Files whose change means that stored rows may be stale: `parse.ts` and the `parse-….ts` it is made of. */
  readonly parser: URL | readonly URL[]
}

/**
 * Declares a dataset and checks what the compiler cannot: names, keys and facets that exist.
 *
 * @throws Error naming the dataset and the part that is wrong; at import, so that a broken slice never serves
 */
export function dataset<T extends Record<string, Table>>(
  declared: Omit<Dataset, 'tables' | 'parse' | 'routes'> & {
    tables: T
    parse: (doc: Element) => Rows<T>
    routes: Record<string, Route> | readonly Route[]
  },
): Dataset {
  const { slug, tables, family } = declared
  const fail = (what: string): never => {
    throw new Error(`dataset ${slug}: ${what}`)
  }
  if (!/^[a-z][a-z0-9]*$/.test(slug)) fail('a slug is lower-case letters and digits')
  for (const [key, t] of Object.entries(tables)) {
    if (t.schema !== slug || t.name !== key) fail(`table ${t.id} must be called ${slug}.${key}`)
  }
  const bound = tables[family.table] ?? fail(`family.table ${family.table} is no table`)
  if (bound.key.length > 0) fail(`family.table ${family.table} must have one row a filing`)
  for (const name of [...family.columns, ...family.facets]) {
    if (!bound.columns[name]) fail(`family names the column ${name}, which ${bound.id} lacks`)
  }
  for (const name of family.facets) {
    if (columnType(bound.columns[name]!)?.kind === 'json') fail(`facet ${name} is jsonb`)
  }
  const routes = Object.values(declared.routes)
  return { ...declared, parse: declared.parse as Dataset['parse'], routes }
}
