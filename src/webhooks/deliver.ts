/**
 * Deliveries of one webhook. The database records the events of a delivery before it is sent, and afterwards that the
 * receiver accepted it. If a process dies between the two, the delivery is repeated with the same events under the same
 * id, and nothing is lost.
 */
import type { Catalog } from '../declare/catalog.ts'
import { messageOf } from '../declare/errors.ts'
import type { Post } from '../fetch/post.ts'
import { parseRetryAfter } from '../fetch/retry-after.ts'
import { type Filters, wantedOf } from '../products/events/filters.ts'
import { eventsAfter } from '../products/events/queries.ts'
import type { Fragment, Sql } from '../store/db.ts'
import { matchesAfter } from './search-matches.ts'
import { signed } from './signature.ts'

export interface DeliverParts {
  sql: Sql
  catalog: Catalog
  post: Post
  now: () => Date
  /** Returns a number from 0 to 1, for the jitter. */
  random: () => number
  /** How long to wait after each failure. After one more failure than there are waits, the delivery is given up. */
  waitsMs: readonly number[]
  onOutcome: (outcome: Outcome, facts: { webhook: string; reason?: string }) => void
  /**
   * Webhooks whose wait is over according to a clock that is never adjusted. Each webhook is removed from the set when
   * it is examined.
   */
  overdue?: Set<string>
}

export type Outcome = 'delivered' | 'failed' | 'given_up'

const EVENTS_MAX = 100
const S = 1_000
const MIN = 60 * S
const H = 60 * MIN
/** The waits add up to more than three days, so that a receiver that fails over a weekend loses nothing. */
export const WAITS_MS = [S, 5 * S, 30 * S, 2 * MIN, 10 * MIN, 30 * MIN, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H]
/** Each wait is longer or shorter by up to this share of itself. */
const JITTER = 0.1
/** Longest wait that a receiver may request. */
const RETRY_AFTER_MAX_MS = H
/** Status by which a receiver states that it is gone for good. */
const GONE = 410
const REASON_MAX = 300
/** The message does not name the target of the redirect, since an address may contain a secret. */
const REDIRECTED = ', and redirects are not followed: create the webhook with the address to which the redirect leads'
const isRedirect = (status: number) => status >= 300 && status < 400

interface Webhook {
  webhook_id: string
  url: string
  secret: string
  filters: Filters
  position: number
  sending_to: number | null
  round: number
  failures: number
  /** The saved search whose matches the webhook gets; null for a webhook that gets events. */
  search_id: string | null
  search_name: string | null
}

/**
 * Source of the deliveries of a webhook: events of the log, or matches of a saved search. Both have ascending numbers.
 */
interface Source {
  after(number: number): Promise<{ items: readonly Item[]; next_after: number; is_end: boolean }>
  /** Body of a delivery. */
  bodyOf(items: readonly Item[], next_after: number): object
}

interface Item {
  number: number
  value: unknown
}

/** @throws HttpError if the filters of the webhook name a family or form that this version does not have */
function sourceOf({ webhook_id, filters, search_id, search_name }: Webhook, { sql, catalog }: DeliverParts): Source {
  if (search_id !== null) {
    return {
      async after(number) {
        const { matches, ...rest } = await matchesAfter(sql, { search: search_id, after: number, limit: EVENTS_MAX })
        return { items: matches.map((match) => ({ number: match.match_number, value: match })), ...rest }
      },
      bodyOf: (items, next_after) => ({
        webhook_id,
        search: { search_id, name: search_name },
        matches: items.map(({ value }) => value),
        next_after,
      }),
    }
  }
  const wanted = wantedOf(catalog, filters)
  return {
    async after(number) {
      const { events, ...rest } = await eventsAfter(sql, { after: number, limit: EVENTS_MAX, ...wanted })
      return { items: events.map((event) => ({ number: event.event_number, value: event })), ...rest }
    },
    bodyOf: (items, next_after) => ({ webhook_id, events: items.map(({ value }) => value), next_after }),
  }
}

interface Dead {
  after_event: number
  to_event: number
}

/** Sends pending deliveries one after another, until there are no more, one failed, or the signal aborts. */
export async function deliverAll(id: string, parts: DeliverParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const webhook = await due(parts, id)
    if (!webhook || !(await deliverNext(webhook, parts, signal))) return
  }
}

async function due(parts: DeliverParts, id: string): Promise<Webhook | undefined> {
  const { sql } = parts
  const isOverdue = parts.overdue?.delete(id) ?? false
  const [row] = await sql<Webhook[]>`
    select webhook_id, url, w.secret, filters, position::float8 as position, sending_to::float8 as sending_to, round,
      failures, search_id, name as search_name
    from core.webhook w left join core.search using (search_id) where webhook_id = ${id} and state = 'active' and (${isDue(parts)} or ${isOverdue})`
  return row
}

/**
 * SQL condition: a delivery to the webhook is due now. A webhook waits only after a failure, and never longer than the
 * longest wait. If the stored time is later than that, a wrong clock has written it, and the delivery is due.
 */
export function isDue({ sql, now, waitsMs }: Pick<DeliverParts, 'sql' | 'now' | 'waitsMs'>): Fragment {
  const at = now().getTime()
  const latest = at + Math.max(...waitsMs, RETRY_AFTER_MAX_MS) * (1 + JITTER)
  return sql`(failures = 0 or next_at <= ${new Date(at)} or next_at > ${new Date(latest)})`
}

/** @returns whether the next delivery may begin at once */
async function deliverNext(webhook: Webhook, parts: DeliverParts, signal: AbortSignal): Promise<boolean> {
  const { sql } = parts
  let source: Source
  try {
    source = sourceOf(webhook, parts)
  } catch (error) {
    // The filter names a family that this version no longer has. The operator who upgraded must decide.
    await pause(webhook, messageOf(error), parts)
    return false
  }
  const [dead] = await sql<Dead[]>`
    select after_event::float8 as after_event, to_event::float8 as to_event
    from core.webhook_dead join core.webhook using (webhook_id)
    where webhook_id = ${webhook.webhook_id} and again and round = ${webhook.round} order by to_event limit 1`
  if (dead) {
    await deliverAgain(webhook, dead, source, parts, signal)
    return true
  }
  const page = await source.after(webhook.position)
  // The next try has the same events as the try that failed, even if new events came in between.
  const to = Math.min(webhook.sending_to ?? Infinity, page.next_after)
  const items = page.items.filter(({ number }) => number <= to)
  if (items.length === 0) {
    if (to > webhook.position) await movedTo(webhook, to, parts)
    return !page.is_end || to < page.next_after
  }
  const [claimed] = await sql`
    update core.webhook set sending_to = ${to}
    where webhook_id = ${webhook.webhook_id} and position = ${webhook.position} and round = ${webhook.round}
      and sending_to is not distinct from ${webhook.sending_to}::bigint and state = 'active'
    returning webhook_id`
  // No row was updated if the webhook was deleted, paused or reset a moment ago, or if a process that lost its lock has
  // begun the same delivery with fewer events.
  if (!claimed) return true
  const id = `${webhook.webhook_id}_${webhook.round}_${to}`
  const sent = await send(webhook, { id, body: source.bodyOf(items, to) }, parts, signal)
  if (sent.taken) {
    await movedTo(webhook, to, parts)
    return true
  }
  signal.throwIfAborted()
  if (sent.status === GONE) {
    await pause(webhook, sent.reason, parts)
    return false
  }
  const wait = parts.waitsMs[webhook.failures]
  if (wait !== undefined) {
    await putOff(webhook, wait, sent, parts)
    return false
  }
  await giveUp(webhook, to, sent.reason, parts)
  return true
}

type Sent = { taken: true } | { taken: false; reason: string; status: number | null; retryAfterMs: number | null }

async function send(
  { webhook_id, url, secret }: Webhook,
  { id, body: content }: { id: string; body: object },
  { post, now, onOutcome }: DeliverParts,
  signal: AbortSignal,
): Promise<Sent> {
  const body = JSON.stringify(content)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'openfilings',
    ...signed(secret, id, body, now()),
  }
  let sent: Sent
  try {
    const { status, retryAfter } = await post(url, { body, headers }, signal)
    const retryAfterMs = parseRetryAfter(retryAfter, now().getTime())
    sent =
      status >= 200 && status < 300
        ? { taken: true }
        : { taken: false, reason: `it answered ${status}${isRedirect(status) ? REDIRECTED : ''}`, status, retryAfterMs }
  } catch (error) {
    sent = { taken: false, reason: messageOf(error).slice(0, REASON_MAX), status: null, retryAfterMs: null }
  }
  if (!signal.aborted) {
    onOutcome(sent.taken ? 'delivered' : 'failed', {
      webhook: webhook_id,
      ...(sent.taken ? {} : { reason: sent.reason }),
    })
  }
  return sent
}

/** Moves the position of the webhook to this event. Does nothing if the webhook was reset or deleted meanwhile. */
async function movedTo(
  { webhook_id, position, round }: Webhook,
  to: number,
  { sql, now }: DeliverParts,
): Promise<void> {
  await sql`
    update core.webhook
    set position = ${to}, delivered_at = case when sending_to is null then delivered_at else ${now()}::timestamptz end,
      sending_to = null, failures = 0, last_error = null
    where webhook_id = ${webhook_id} and position = ${position} and round = ${round}`
}

async function putOff(
  { webhook_id, position, round }: Webhook,
  waitMs: number,
  { reason, retryAfterMs }: { reason: string; retryAfterMs: number | null },
  { sql, now, random }: DeliverParts,
): Promise<void> {
  // Receivers that failed at the same time must not all be tried again at the same time.
  const own = waitMs * (1 + JITTER * (2 * random() - 1))
  const wait = Math.max(own, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS))
  await sql`
    update core.webhook
    set failures = failures + 1, last_error = ${reason}, next_at = ${new Date(now().getTime() + wait)}
    where webhook_id = ${webhook_id} and position = ${position} and round = ${round}`
}

async function giveUp(
  { webhook_id, position, round, failures }: Webhook,
  to: number,
  reason: string,
  { sql, now, onOutcome }: DeliverParts,
): Promise<void> {
  const isDead = await sql.begin(async (tx) => {
    const [moved] = await tx`
      update core.webhook set position = ${to}, sending_to = null, failures = 0, next_at = ${now()}, last_error = ${reason}
      where webhook_id = ${webhook_id} and position = ${position} and round = ${round} returning webhook_id`
    if (!moved) return false
    await tx`
      insert into core.webhook_dead (webhook_id, after_event, to_event, tries, reason, given_up_at)
      values (${webhook_id}, ${position}, ${to}, ${failures + 1}, ${reason}, ${now()})
      on conflict (webhook_id, to_event) do update set after_event = excluded.after_event, tries = excluded.tries,
        reason = excluded.reason, given_up_at = excluded.given_up_at, again = false`
    return true
  })
  if (isDead) onOutcome('given_up', { webhook: webhook_id, reason })
}

async function pause({ webhook_id, position, round }: Webhook, reason: string, { sql }: DeliverParts): Promise<void> {
  await sql`
    update core.webhook set state = 'paused', last_error = ${reason}
    where webhook_id = ${webhook_id} and position = ${position} and round = ${round}`
}

/**
 * Resends dead deliveries. An operator requested the replay and is watching, so each delivery is tried once. The first
 * failure ends the replay, since a receiver that hangs would delay new events with each further try.
 */
async function deliverAgain(
  webhook: Webhook,
  { after_event: after, to_event }: Dead,
  source: Source,
  parts: DeliverParts,
  signal: AbortSignal,
): Promise<void> {
  const { sql, now } = parts
  const { webhook_id, round } = webhook
  const page = await source.after(after)
  // Filters may match more events than before, since a family may have more forms in another version. The page may then
  // end before `to_event`, and a further delivery has the remaining events.
  const to = Math.min(to_event, page.next_after)
  const items = page.items.filter(({ number }) => number <= to)
  if (items.length > 0) {
    const again = { id: `${webhook_id}_${round}_dead_${to}`, body: source.bodyOf(items, to) }
    const sent = await send(webhook, again, parts, signal)
    signal.throwIfAborted()
    if (!sent.taken) {
      await sql.begin(async (tx) => {
        // Locks the webhook first, like a request for a replay: the other order could end in a deadlock.
        const [current] = await tx<{ round: number }[]>`
          select round from core.webhook where webhook_id = ${webhook_id} for update`
        await tx`
          update core.webhook_dead set tries = tries + 1, reason = ${sent.reason}, given_up_at = ${now()}
          where webhook_id = ${webhook_id} and to_event = ${to_event}`
        // A replay that was requested meanwhile has a round of its own, and continues.
        if (current?.round === round)
          await tx`update core.webhook_dead set again = false where webhook_id = ${webhook_id}`
      })
      if (sent.status === GONE) await pause(webhook, sent.reason, parts)
      return
    }
  }
  if (to < to_event) {
    await sql`update core.webhook_dead set after_event = ${to} where webhook_id = ${webhook_id} and to_event = ${to_event}`
  } else await sql`delete from core.webhook_dead where webhook_id = ${webhook_id} and to_event = ${to_event}`
}
