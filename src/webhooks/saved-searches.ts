/** Makes, lists and deletes saved searches. */
import { randomBytes } from 'node:crypto'
import { UserError } from '../declare/errors.ts'
import { feedToken } from '../serve/feeds/token.ts'
import { digest } from '../serve/keys.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { newSecret } from './signature.ts'

/** Maximum number of saved searches of a service. */
export const SEARCHES_MAX = 10_000
const NAME_MAX = 200

export interface NewSearch {
  name: string
  /** Name of the operation. */
  list: string
  /** Path and query of the list, as `searchedBy` returns it. */
  address: string
  /** The receiver of a webhook, if there is one. */
  url?: string | undefined
  /** Whether the search has a feed address. */
  feed: boolean
  now: Date
}

export interface MadeSearch {
  search_id: string
  webhook_id: string | null
  /** Secret that signs deliveries to the webhook; shown once. */
  secret: string | null
  /** Path of the feed, which contains its secret; shown once. */
  feed: string | null
}

export interface ListedSearch {
  search_id: string
  name: string
  address: string
  created_at: string
  matches: number
  has_feed: boolean
  webhook_id: string | null
  /** State of its webhook. */
  state: 'active' | 'paused' | null
  /** Number of matches that the receiver of its webhook does not have yet. */
  waiting: number | null
  problem: string | null
}

/**
 * Makes a saved search, which finds rows that enter the service from now on. Secrets are returned once.
 *
 * @throws UserError if there are too many searches, if the name is invalid, or if neither a receiver nor a feed is
 *   given
 */
export async function createSearch(sql: Sql, { name, list, address, url, feed, now }: NewSearch): Promise<MadeSearch> {
  if (!/^[^\x00-\x1f\x7f]+$/.test(name) || name.length > NAME_MAX)
    throw new UserError(`--name: the name must have 1 to ${NAME_MAX} printable characters`)
  if (url === undefined && !feed) throw new UserError('a saved search needs --url URL, --feed, or both')
  const search_id = `se_${randomBytes(8).toString('hex')}`
  const token = feed ? feedToken() : null
  const webhook_id = url === undefined ? null : `wh_${randomBytes(8).toString('hex')}`
  const secret = url === undefined ? null : newSecret()
  await sql.begin(async (tx) => {
    const since = await sinceOf(tx, list)
    const made = await tx`
      insert into core.search (search_id, name, list, address, secret, created_at, since)
      select ${search_id}, ${name}, ${list}, ${address}, ${token && digest(token)}::bytea, ${now}, ${since}
      where (select count(*) from core.search) < ${SEARCHES_MAX}
      returning search_id`
    if (made.length === 0)
      throw new UserError(`there are already ${SEARCHES_MAX} saved searches, which is the maximum; delete one`)
    if (url !== undefined) {
      await tx`
        insert into core.webhook (webhook_id, url, secret, filters, created_at, position, next_at, search_id)
        values (${webhook_id}, ${url}, ${secret}, '{}', ${now}, 0, ${now}, ${search_id})`
    }
  })
  return { search_id, webhook_id, secret, feed: token && `/feeds/${token}` }
}

/**
 * Returns the number of the newest event, after it has taken two locks. First it locks the row of the list. The process
 * that matches events with saved searches holds the same lock until its commit, so it cannot match a later event before
 * the new search is stored. Then it locks the table of searches. Without this lock, two transactions that count
 * searches at once could both add the last allowed search. The matching process locks row and table in the same order.
 */
async function sinceOf(tx: Transaction, list: string): Promise<number> {
  await tx`
    insert into core.search_list (list, position, settled) values (${list}, 0, 0)
    on conflict (list) do update set list = excluded.list`
  await tx`lock table core.search in share row exclusive mode`
  const [{ newest }] = await tx<[{ newest: number }]>`
    select coalesce(max(seq), 0)::float8 as newest from core.event`
  // The first search of a list must not make the process search the whole log.
  await tx`
    update core.search_list set position = ${newest}, settled = ${newest}
    where list = ${list} and not exists (select from core.search where list = ${list})`
  return newest
}

/** Every saved search, the oldest first, without its secrets. */
export function listSearches(sql: Sql): Promise<ListedSearch[]> {
  return sql<ListedSearch[]>`
    select s.search_id, s.name, s.address, s.created_at, s.matches::float8 as matches, s.secret is not null as has_feed,
      w.webhook_id, w.state, (s.matches - w.position)::float8 as waiting, coalesce(s.problem, w.last_error) as problem
    from core.search s
    left join core.webhook w using (search_id)
    order by s.created_at, s.search_id`
}

/**
 * Deletes a search with its matches, its webhook and its feed address.
 *
 * @throws UserError when there is no such search
 */
export async function deleteSearch(sql: Sql, id: string): Promise<void> {
  const rows = await sql`delete from core.search where search_id = ${id} returning search_id`
  if (rows.length === 0)
    throw new UserError(`unknown saved search ${JSON.stringify(id)}; "openfilings searches list" shows the ids`)
}
