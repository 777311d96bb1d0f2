/** Stores the matches of saved searches: each row once, under ascending numbers. */
import type { Sql, Transaction } from '../store/db.ts'

/** A row that a search has found. */
export interface Hit {
  search_id: string
  key: string
  /** The row as JSON. */
  row: string
}

export interface Match {
  match_number: number
  found_at: string
  row: unknown
}

/** Number of rows of a search that are kept for its feed after their delivery. Keys are kept for ever. */
export const ROWS_KEPT = 200

/**
 * Writes hits in the given order, without rows that a search has found before.
 *
 * @returns how many hits are new
 */
export async function addMatches(tx: Transaction, hits: readonly Hit[], now: Date): Promise<number> {
  let found = 0
  for (let at = 0; at < hits.length; at += HITS_MAX) found += await addSome(tx, hits.slice(at, at + HITS_MAX), now)
  return found
}

/**
 * Maximum number of hits in one statement. A row is sent once for each search that matches it. So all hits together
 * could exceed the 512 MB that a string of JavaScript can have.
 */
const HITS_MAX = 5_000

async function addSome(tx: Transaction, hits: readonly Hit[], now: Date): Promise<number> {
  const made = await tx<{ search_id: string; last: number }[]>`
    with hit as (
      select * from unnest(
        ${hits.map(({ search_id }) => search_id)}::text[], ${hits.map(({ key }) => key)}::text[],
        ${hits.map(({ row }) => row)}::text[]
      ) with ordinality u (search_id, row_key, content, n)
    ), live as (
      select search_id, matches from core.search
      where search_id in (select search_id from hit) order by search_id for no key update
    ), fresh as (
      select search_id, row_key, min(n) as n, (array_agg(content order by n))[1] as content from hit
      where not exists (
        select from core.search_match m where m.search_id = hit.search_id and m.row_key = hit.row_key
      )
      group by search_id, row_key
    ), added as (
      insert into core.search_match (search_id, match_number, row_key, found_at, content)
      select search_id, live.matches + row_number() over (partition by search_id order by fresh.n), row_key, ${now}::timestamptz, content
      from fresh join live using (search_id)
      returning search_id, match_number
    )
    select search_id, max(match_number)::float8 as last from added group by search_id`
  if (made.length === 0) return 0
  const counted = await tx<{ search_id: string; before: number; matches: number }[]>`
    update core.search s set matches = u.last
    from unnest(${made.map(({ search_id }) => search_id)}::text[], ${made.map(({ last }) => last)}::bigint[]) u (search_id, last),
      core.search o
    where s.search_id = u.search_id and o.search_id = s.search_id
    returning s.search_id, o.matches::float8 as before, s.matches::float8 as matches`
  await forgetRows(
    tx,
    made.map(({ search_id }) => search_id),
  )
  return counted.reduce((sum, { before, matches }) => sum + matches - before, 0)
}

/**
 * Drops the content of rows that are no longer in a feed. Rows that a pending or a dead delivery needs keep their
 * content.
 */
async function forgetRows(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx`
    update core.search_match m set content = null
    from core.search s
    where s.search_id = any(${ids as string[]}) and m.search_id = s.search_id and m.content is not null
      and m.match_number <= s.matches - ${ROWS_KEPT}
      and not exists (select from core.webhook w where w.search_id = s.search_id and w.position < m.match_number)
      and not exists (
        select from core.webhook w join core.webhook_dead d using (webhook_id)
        where w.search_id = s.search_id and m.match_number > d.after_event and m.match_number <= d.to_event
      )`
}

/** Returns the matches after a number, oldest first. */
export async function matchesAfter(
  sql: Sql,
  { search, after, limit }: { search: string; after: number; limit: number },
): Promise<{ matches: Match[]; next_after: number; is_end: boolean }> {
  const rows = await sql<(Omit<Match, 'row'> & { content: string | null })[]>`
    select match_number::float8 as match_number, found_at, content from core.search_match
    where search_id = ${search} and match_number > ${after} order by match_number limit ${limit}`
  return {
    // A replay may begin at matches whose rows are no longer kept. They cannot be sent again.
    matches: rows.flatMap(({ content, ...match }) =>
      content === null ? [] : [{ ...match, row: JSON.parse(content) }],
    ),
    next_after: rows.at(-1)?.match_number ?? after,
    is_end: rows.length < limit,
  }
}
