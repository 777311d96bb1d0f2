/** Lists of filings, newest first, by offset or by cursor. */
import type { Fragment, Sql } from '../store/db.ts'
import { cut, type Key, orderBy, type Paged, rangesOf, startOf } from './keyset.ts'
import { unnamed } from './page.ts'

/** Several filings of a day are in the order of their accessions. */
const NEWEST: readonly Key[] = [
  { column: 'filed_date', dir: 'desc', type: 'date' },
  { column: 'accession', dir: 'desc', type: 'text' },
]

/** Parameters of such a list other than its filters. */
export interface Wanted extends Paged {
  /** First and last day of filing. */
  from?: string | undefined
  to?: string | undefined
}

/** The query of a slice. */
export interface NewestQuery {
  /** Name of the list: a cursor of another list is refused. */
  list: string
  columns: Fragment
  /** The SQL after `from`. An index of its table has the order of the list. */
  source: Fragment
  /** The prefix of `filed_date` and `accession` of that index: `f.` */
  of?: string
  conditions: readonly Fragment[]
}

/**
 * A page of filings, newest first. Its cursor is valid only with the same `wanted`, apart from the page's own
 * parameters.
 */
export async function newestFilings<R extends object>(
  sql: Sql,
  { limit, offset, paginate: _, cursor, ...wanted }: Wanted,
  { list, columns, source, of = '', conditions }: NewestQuery,
): Promise<{ rows: R[]; next_cursor: string | null }> {
  const walk = { list, sort: 'date', dir: 'desc' as const, keys: NEWEST, filters: wanted }
  const start = startOf(walk, { limit, offset, cursor })
  const [range] = rangesOf(sql, start, of)
  const day = sql.unsafe(`${of}filed_date`)
  const { from, to } = wanted
  const all = [range!, ...conditions, ...(from ? [sql`${day} >= ${from}`] : []), ...(to ? [sql`${day} <= ${to}`] : [])]
  const found = await unnamed(sql<R[]>`
    select ${columns} from ${source} where ${all.map((condition, n) => (n === 0 ? condition : sql`and ${condition}`))}
    order by ${sql.unsafe(orderBy(NEWEST, of))} limit ${start.rowsMax} offset ${offset}`)
  return cut(start, found)
}
