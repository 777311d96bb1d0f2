/** Makes, lists, pauses, replays and deletes webhooks, the receivers of the feed. */
import { randomBytes } from 'node:crypto'
import { UserError } from '../declare/errors.ts'
import type { Filters } from '../products/events/filters.ts'
import { newestEvent } from '../products/events/queries.ts'
import type { Sql } from '../store/db.ts'
import { newSecret } from './signature.ts'

/** Maximum number of webhooks: each has a worker, and a delivery in memory. */
export const WEBHOOKS_MAX = 100

export interface ListedWebhook {
  webhook_id: string
  url: string
  state: 'active' | 'paused'
  filters: Filters
  /** Number of the last event that the receiver has. */
  position: number
  /** The number of the newest event minus `position`. */
  behind: number
  /** Failed tries of the delivery in flight. */
  failures: number
  /** Deliveries that were given up. */
  dead: number
  /** When the failed delivery is tried again, in ISO 8601; null if the last try did not fail. */
  next_at: string | null
  delivered_at: string | null
  last_error: string | null
}

export interface DeadDelivery {
  webhook_id: string
  after_event: number
  to_event: number
  tries: number
  given_up_at: string
  reason: string
}

/**
 * Makes a webhook. Its secret is returned once.
 *
 * @param after number of the event after which the deliveries begin; the newest event by default
 * @throws UserError if there are too many webhooks, or if no event has the number `after` yet
 */
export async function createWebhook(
  sql: Sql,
  { url, filters, after, now }: { url: string; filters: Filters; after?: number | undefined; now: Date },
): Promise<{ webhook_id: string; secret: string; position: number }> {
  const secret = newSecret()
  const webhook_id = `wh_${randomBytes(8).toString('hex')}`
  const position = await placeIn(sql, after)
  await sql.begin(async (tx) => {
    // Without this lock, two transactions that count at once could both add the last allowed webhook.
    await tx`lock table core.webhook in share row exclusive mode`
    const made = await tx`
      insert into core.webhook (webhook_id, url, secret, filters, created_at, position, next_at)
      select ${webhook_id}, ${url}, ${secret}, ${tx.json(filters as never)}, ${now}, ${position}, ${now}
      where (select count(*) from core.webhook where search_id is null) < ${WEBHOOKS_MAX}
      returning webhook_id`
    if (made.length === 0)
      throw new UserError(`there are already ${WEBHOOKS_MAX} webhooks, which is the maximum; delete one`)
  })
  return { webhook_id, secret, position }
}

/**
 * @param id the id of an existing webhook; if it belongs to a saved search, `after` is the number of a match
 * @throws UserError for a number that no event or match has yet
 */
async function placeIn(sql: Sql, after: number | undefined, id?: string): Promise<number> {
  const [search] =
    id === undefined
      ? []
      : await sql<{ matches: number }[]>`
    select matches::float8 as matches from core.webhook join core.search using (search_id) where webhook_id = ${id}`
  if (search && after !== undefined && after > search.matches) {
    throw new UserError(`--after ${after} is greater than the number of the newest match, ${search.matches}`)
  }
  const newest = search?.matches ?? (await newestEvent(sql))
  if (after !== undefined && after > newest)
    throw new UserError(`--after ${after} is greater than the number of the newest event, ${newest}`)
  return after ?? newest
}

/**
 * Every webhook of events, the oldest first, without its secret; `listSearches` returns the webhooks of saved searches.
 */
export function listWebhooks(sql: Sql): Promise<ListedWebhook[]> {
  return sql<ListedWebhook[]>`
    select w.webhook_id, w.url, w.state, w.filters, w.position::float8 as position,
      greatest(0, coalesce((select max(seq) from core.event), 0) - w.position)::float8 as behind,
      w.failures, coalesce(d.dead, 0)::int as dead, case when w.failures > 0 then w.next_at end as next_at,
      w.delivered_at, w.last_error
    from core.webhook w
    left join (select webhook_id, count(*) as dead from core.webhook_dead group by webhook_id) d using (webhook_id)
    where w.search_id is null
    order by w.created_at, w.webhook_id`
}

/** Returns the deliveries that were given up: by webhook, and in the order of events for each webhook. */
export function listDead(sql: Sql): Promise<DeadDelivery[]> {
  return sql<DeadDelivery[]>`
    select webhook_id, after_event::float8 as after_event, to_event::float8 as to_event, tries, given_up_at, reason
    from core.webhook_dead order by webhook_id, to_event`
}

/** @throws UserError when there is no such webhook */
export async function deleteWebhook(sql: Sql, id: string): Promise<void> {
  assertFound(id, await sql`delete from core.webhook where webhook_id = ${id} returning webhook_id`)
}

/**
 * Stops the deliveries of a webhook, or resumes them at once.
 *
 * @throws UserError when there is no such webhook
 */
export async function setState(sql: Sql, id: string, state: 'active' | 'paused', now: Date): Promise<void> {
  assertFound(
    id,
    await sql`
    update core.webhook set state = ${state}, next_at = ${now} where webhook_id = ${id} returning webhook_id`,
  )
}

/**
 * Sends all events after a number again, under new ids, in their order; for the webhook of a saved search, all matches.
 *
 * @throws UserError when there is no such webhook, or no such event yet
 */
export async function replayFrom(sql: Sql, id: string, after: number, now: Date): Promise<void> {
  const position = await placeIn(sql, after, id)
  assertFound(
    id,
    await sql`
    update core.webhook
    set position = ${position}, sending_to = null, failures = 0, next_at = ${now}, round = round + 1, state = 'active'
    where webhook_id = ${id} returning webhook_id`,
  )
}

/**
 * Makes the deliverer resend each dead delivery once, before anything else. The first delivery that fails again stays
 * dead, and so do the deliveries after it.
 *
 * @returns the number of dead deliveries
 * @throws UserError when there is no such webhook
 */
export function replayDead(sql: Sql, id: string, now: Date): Promise<number> {
  // In one transaction: the process that delivers sees both the round and the deliveries to be sent again, or neither.
  return sql.begin(async (tx) => {
    assertFound(
      id,
      await tx`
      update core.webhook set next_at = ${now}, round = round + 1, state = 'active' where webhook_id = ${id} returning webhook_id`,
    )
    return (await tx`update core.webhook_dead set again = true where webhook_id = ${id} returning to_event`).length
  })
}

function assertFound(id: string, rows: readonly unknown[]): void {
  if (rows.length === 0)
    throw new UserError(`unknown webhook ${JSON.stringify(id)}; "openfilings webhooks list" shows the ids`)
}
