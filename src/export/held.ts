/** Estimates how many rows each table has, without counting a large table. */
import type { Sql } from '../store/db.ts'
import type { Offer } from './offer.ts'

/** A table with a smaller estimate is counted, since the server estimates 0 for a table that was never analyzed. */
const COUNTED_MAX = 10_000

/**
 * Row estimates from the Postgres catalog, by table id; 0 if a table was never analyzed or is empty. Waits for no lock.
 */
export async function estimates(sql: Sql, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql<{ id: string; rows: number }[]>`
    select asked.id, coalesce(sum(greatest(c.reltuples, pg_stat_get_live_tuples(c.oid), 0)), 0)::float8 as rows
    from unnest(${ids as string[]}::text[]) asked(id)
    left join pg_inherits i on i.inhparent = to_regclass(asked.id)
    left join pg_class c on c.oid = coalesce(i.inhrelid, to_regclass(asked.id)) group by asked.id`
  return new Map(rows.map(({ id, rows: count }) => [id, count]))
}

/**
 * Returns the number of rows of each table, by its id. The number is the estimate of Postgres. If the estimate is below
 * `COUNTED_MAX`, the rows are counted, but no more than `COUNTED_MAX` of them.
 */
export async function held(sql: Sql, offers: readonly Offer[]): Promise<Map<string, number>> {
  const ids = offers.map(({ id }) => id)
  const found = await estimates(sql, ids)
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

/** First and last filing date of the loaded filings of a family, read from its main table; null if there are none. */
export async function daysHeld(sql: Sql, { id }: Offer): Promise<{ first: string; last: string } | null> {
  const [row] = await sql.unsafe<{ first: string | null; last: string | null }[]>(
    `select min(filed_date) as first, max(filed_date) as last from ${id}`,
  )
  const { first, last } = row!
  return first === null || last === null ? null : { first, last }
}
