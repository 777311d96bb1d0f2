/**
 * Builds the parts of a search of /filings: relations, conditions, and orders. They use the driver (the relation that
 * the search reads in order).
 */
import type { Family } from '../../declare/catalog.ts'
import { type Condition, fieldsIn, filterSql } from '../../serve/filters.ts'
import { type Key, orderBy, rangesOf, type Start } from '../../serve/keyset.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import { type Driver, facetFields, nameIds, SPINE_ONLY, universalFields } from './queries-fields.ts'
import { leafOf, nameLeaf } from './queries-names.ts'

/** A search, and the start of its page. */
export interface FilingsQuery {
  /** All conditions must hold. */
  conditions: readonly Condition[]
  /** The family whose facets the conditions may use. */
  family: Family | undefined
  sort: 'date' | 'name'
  dir: 'asc' | 'desc'
  start: Start
}

/** A relation that has the requested filings in order. */
export interface Source {
  /**
   * `select accession, <sort keys> from …`. This is a function because a fragment is itself a promise: an async
   * function that returned the fragment would run it.
   */
  rows: () => Fragment
  /** Called if the page was not filled. Returns the last name that was tried, if there are more names after it. */
  lastTried?: () => Promise<string | null>
}

/** Returns the order, by date or by name; the filings of one matching name come newest first, as in their index. */
export function keysOf({ sort, dir, conditions }: Pick<FilingsQuery, 'sort' | 'dir' | 'conditions'>): Key[] {
  const tie = isInOrderOfNames({ sort, conditions }) ? 'desc' : dir
  const date: Key = { column: 'filed_date', dir: tie, type: 'date' }
  const accession: Key = { column: 'accession', dir: tie, type: 'text' }
  if (sort === 'date') return [date, accession]
  const name: Key = { column: 'name_key', dir, type: 'text' }
  return isInOrderOfNames({ sort, conditions }) ? [name, date, accession] : [name, accession]
}

/**
 * Tests whether filings are ordered by matching names. Otherwise an order by name uses the name of the first filer, or
 * sorts the filings of one filer.
 */
export const isInOrderOfNames = ({ sort, conditions }: Pick<FilingsQuery, 'sort' | 'conditions'>): boolean =>
  sort === 'name' &&
  nameLeaf(conditions) !== undefined &&
  !leafOf(conditions, 'accession', ['eq', 'in']) &&
  !leafOf(conditions, 'cik', ['eq'])

/** Returns the order of the page, or the same order for the columns of a given relation. */
export const orderOf = (sql: Sql, { start }: FilingsQuery, of = ''): Fragment =>
  sql.unsafe(orderBy(start.walk.keys, of))

/** Condition that a filing comes after the previous page. In any index with this order, the condition is one range. */
export function follows(sql: Sql, { start }: FilingsQuery, of: string): Fragment {
  const [range] = rangesOf(sql, start, of)
  return range!
}

/** Reads the driver in the order of its index and tests every row. */
export function walk(sql: Sql, query: FilingsQuery, driver: Driver, conditions: readonly Condition[]): Fragment {
  return sql`select ${driverColumns(sql, query, driver)} ${relations(sql, query, driver, conditions)}
    where ${where(sql, query, driver, conditions)} and ${follows(sql, query, query.sort === 'name' ? 'f.' : `${driver}.`)}`
}

/**
 * Columns that an order compares. An order by name compares columns of the spine, since the spine's index of names
 * ends with the accession.
 */
export const driverColumns = (sql: Sql, { sort }: FilingsQuery, driver: Driver) =>
  sort === 'name' ? sql`f.accession, f.name_key` : sql`${sql(driver)}.accession, ${sql(driver)}.filed_date`

/**
 * The `from` clause: the driver, joined with the spine and the family's table if the conditions or the order need them.
 */
export function relations(sql: Sql, query: FilingsQuery, driver: Driver, conditions: readonly Condition[]): Fragment {
  const names = new Set(conditions.flatMap((condition) => [...fieldsIn(condition)]))
  const spine = driver !== 'f' && (query.sort === 'name' || SPINE_ONLY.some((name) => names.has(name)))
  const facets = driver !== 't' && usesFacets(query, conditions)
  return sql`from ${driverTable(sql, query, driver)}
    ${spine ? sql`join edgar.filing f on f.accession = ${sql(driver)}.accession` : sql``}
    ${facets ? sql`join ${driverTable(sql, query, 't')} on t.accession = ${sql(driver)}.accession` : sql``}`
}

function driverTable(sql: Sql, { family }: FilingsQuery, driver: Driver): Fragment {
  if (driver === 't') return sql`${sql(family!.feed!.table.schema)}.${sql(family!.feed!.table.name)} t`
  return { f: sql`edgar.filing f`, c: sql`edgar.filer c`, i: sql`edgar.filing_item i` }[driver]
}

/** Tests whether the conditions use a facet of the family. */
export function usesFacets({ family }: FilingsQuery, conditions: readonly Condition[]): boolean {
  const facets = family?.feed?.facets ?? []
  return conditions.some((condition) => [...fieldsIn(condition)].some((name) => facets.includes(name)))
}

/** Compiles the conditions to SQL that uses the driver and the joins of `relations`. */
export function where(sql: Sql, { family }: FilingsQuery, driver: Driver, conditions: readonly Condition[]): Fragment {
  const fields = { ...(family && facetFields(family)), ...universalFields(driver), ...nameIds(driver) }
  return joined(sql, [sql`true`, ...conditions.map((condition) => filterSql(sql, condition, fields))], sql` and `)
}

/** Joins fragments with a separator. */
export function joined(sql: Sql, parts: readonly Fragment[], joint: Fragment): Fragment {
  return sql`${parts.map((part, i) => (i > 0 ? sql`${joint}${part}` : part))}`
}

/** Returns all conditions but one. */
export const without = (conditions: readonly Condition[], leaf: Condition | undefined) =>
  conditions.filter((c) => c !== leaf)
