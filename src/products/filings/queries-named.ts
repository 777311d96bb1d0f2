/**
 * Returns filings in the order of matching names. No index has the filings in that order, but an index has the names in
 * order: this index is read name by name until the page is full.
 */
import type { Leaf } from '../../serve/filters.ts'
import { unnamed } from '../../serve/page.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import { fewNames, matchingFiler, nameTest } from './queries-names.ts'
import { type FilingsQuery, orderOf, relations, type Source, where, without } from './queries-parts.ts'

/** Number of names that are tried in addition to one name for each wanted row. */
const NAMES_SPARE = 200
/**
 * Maximum number of names that are tried for a page, and maximum number of filings that an offset skips. The cost of a
 * page by offset grows with the number of rows before the page. 10,000 names or filings take 60 to 90 ms at 5 million
 * filings; 100,000 take seconds.
 */
export const NAMED_ORDER_MAX = 10_000

/**
 * Returns the filings of matching names. If the names are few, tries all of them; otherwise tries the first names that
 * may fill the page, then more names.
 */
export async function inOrderOfNames(sql: Sql, query: FilingsQuery, leaf: Leaf): Promise<Source[]> {
  const few = await fewNames(sql, leaf)
  if (few) {
    const ids = few.map((name) => name.name_id)
    return [{ rows: () => ofNames(sql, query, leaf, { matching: sql`n.name_id = any(${ids}::int[])` }) }]
  }
  const matching = nameTest(sql, leaf)
  const first = (names: number): Source => ({ rows: () => ofNames(sql, query, leaf, { matching, first: names }) })
  return [
    first(query.start.offset + query.start.rowsMax + NAMES_SPARE),
    { ...first(NAMED_ORDER_MAX), lastTried: () => lastTried(sql, query, matching) },
  ]
}

/** Returns the last name that was tried, if there are more names after it. */
async function lastTried(sql: Sql, query: FilingsQuery, matching: Fragment): Promise<string | null> {
  const names = await unnamed(sql<{ name_key: string }[]>`
    select n.name_key from edgar.filer_search n where ${matching} ${beyond(sql, query)}
    order by n.name_key ${direction(sql, query)} limit 2 offset ${NAMED_ORDER_MAX - 1}`)
  return names.length === 2 ? names[0]!.name_key : null
}

const direction = (sql: Sql, { dir }: FilingsQuery) => (dir === 'asc' ? sql`asc` : sql`desc`)

/** Limits the search to names after the name of the previous page's last filing. */
function beyond(sql: Sql, { dir, start }: FilingsQuery): Fragment {
  if (start.after === null) return sql``
  return sql`and n.name_key ${dir === 'asc' ? sql`>` : sql`<`} ${start.after[0]!}`
}

/**
 * Returns filings name by name: the remaining filings of the name at which the previous page ended, then the filings of
 * later names. A filing with two matching names is listed under the name that its row shows.
 *
 * @param matching the condition on names `n`
 * @param first number of names to try. All equal names are tried together, since the filings of equal names have one
 * common order
 */
function ofNames(
  sql: Sql,
  query: FilingsQuery,
  leaf: Leaf,
  { matching, first }: { matching: Fragment; first?: number },
): Fragment {
  const { after, offset, rowsMax } = query.start
  const rest = without(query.conditions, leaf)
  const filings = (names: Fragment, following: Fragment) => sql`
    select own.accession, who.name_key, own.filed_date
    from (select n.cik, n.name_id, n.name_key from edgar.filer_search n where ${matching} ${names}) who
    cross join lateral (
      select c.accession, c.filed_date ${relations(sql, query, 'c', rest)}
      where c.cik = who.cik and c.name_id = who.name_id and ${where(sql, query, 'c', rest)}
        and (f.filer_count = 1 or c.cik = (${matchingFiler(sql, leaf)})) ${following}
      order by c.filed_date desc, c.accession desc limit ${offset + rowsMax}
    ) own`
  const tried = first === undefined ? sql`` : sql`fetch first ${first} rows with ties`
  const others = filings(sql`${beyond(sql, query)} order by n.name_key ${direction(sql, query)} ${tried}`, sql``)
  if (after === null) return others
  const [name, filed, accession] = after
  const tied = filings(
    sql`and n.name_key = ${name!}`,
    sql`and (c.filed_date, c.accession) < (${filed!}, ${accession!})`,
  )
  const cut = sql`order by ${orderOf(sql, query)} limit ${rowsMax}`
  return sql`select * from ((${tied} ${cut}) union all (${others} ${cut})) named`
}
