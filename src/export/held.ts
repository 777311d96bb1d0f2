/** What there is of each table, without counting a large one. */
import type { Catalog } from '../declare/catalog.ts'
import type { Sql } from '../store/db.ts'
import type { Offer } from './offer.ts'

/** A smaller table is counted: the server estimates none that nobody has analyzed yet. */
const COUNTED_MAX = 10_000

/**
 * About how many rows each table has, by its id, as the server estimates it from the last vacuum or load; exact up to some
 * thousands. A table that a rebuild is swapping is absent.
 */
export async function held(sql: Sql, offers: readonly Offer[]): Promise<Map<string, number>> {
  const ids = offers.map(({ id }) => id)
  const estimates = await sql<{ id: string; rows: number }[]>`
    select asked.id, sum(greatest(c.reltuples, pg_stat_get_live_tuples(c.oid), 0))::float8 as rows
    from unnest(${ids}::text[]) asked(id), pg_partition_tree(to_regclass(asked.id)) part, pg_class c
    where part.isleaf and c.oid = part.relid group by asked.id`
  const found = new Map(ids.filter((id) => estimates.every((each) => each.id !== id)).map((id) => [id, 0]))
  for (const { id, rows } of estimates) found.set(id, rows)
  const small = [...found].filter(([, rows]) => rows < COUNTED_MAX).map(([id]) => id)
  if (small.length === 0) return found
  const counts = small.map(
    (id) => `(select count(*) from (select from ${id} limit ${COUNTED_MAX}) few)::int as "${id}"`,
  )
  const [row] = await sql.unsafe<Record<string, number>[]>(`select ${counts.join(', ')}`)
  for (const id of small) found.set(id, row![id]!)
  return found
}

/** Whether a table has no row at all. */
export async function isEmpty(sql: Sql, { id }: Offer): Promise<boolean> {
  const [row] = await sql.unsafe<{ filled: boolean }[]>(`select exists (select from ${id}) as filled`)
  return !row!.filled
}

/** First and last filing date of what is loaded of a family; null where there is none. */
export async function daysHeld(
  sql: Sql,
  slug: string,
  catalog: Catalog,
): Promise<{ first: string; last: string } | null> {
  const dataset = catalog.filings.find((each) => each.slug === slug)
  const id = dataset ? dataset.tables[dataset.family.table]!.id : 'edgar.filing'
  const [row] = await sql.unsafe<{ first: string | null; last: string | null }[]>(
    `select min(filed_date) as first, max(filed_date) as last from ${id}`,
  )
  const { first, last } = row!
  return first === null || last === null ? null : { first, last }
}
