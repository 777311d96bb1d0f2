/**
 * Delivers to all webhooks, each by a worker of its own, so that a receiver that hangs holds up nobody else. If several
 * processes serve one database, one of them delivers; when it is gone or stands still, the next takes over.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ReservedSql } from '#postgres'
import { messageOf } from '../declare/errors.ts'
import { type Changes, lookedAgain } from '../serve/http/version.ts'
import type { Sql } from '../store/db.ts'
import { type DeliverParts, deliverAll, isDue, type Outcome, WAITS_MS } from './deliver.ts'

export interface DelivererOptions extends Pick<DeliverParts, 'catalog' | 'post' | 'now'> {
  /** A pool of the primary; one of its connections is held. It is not closed here. */
  sql: Sql
  changes: Changes
  log: Logger
  onOutcome: (outcome: Outcome) => void
  waitsMs?: readonly number[]
  random?: () => number
  /** Milliseconds by a clock that nobody sets; by default `now`. */
  steady?: () => number
  /** How often webhooks are looked at where no data changes: a new one, one that is to be tried again. */
  lookMs?: number
  /** After so long without a look the database takes the lock from a process: it is stopped, or its network is gone. */
  stillMs?: number
}

export interface Deliverer {
  /** Ends deliveries in flight, which the next process repeats. Resolves when nothing is in flight. */
  close(): Promise<void>
}

/** Held by the process that delivers; its session ends with it. */
const DELIVERER_LOCK = 4_713_027

export function deliverer(options: DelivererOptions): Deliverer {
  const { sql, changes, log, now, steady = () => now().getTime(), lookMs = 2_000, stillMs = 30_000 } = options
  const closing = new AbortController()
  const { signal } = closing
  const workers = new Map<string, Promise<void>>()
  /** Failures that were reported already: a database that is away for an hour is one line, not 1,800. */
  const told = new Set<string>()
  /** When each wait that was met ends by the steady clock: a clock that is set back prolongs none. */
  const waits = new Map<string, { nextAt: string; endsAt: number }>()
  const overdue = new Set<string>()
  const parts: DeliverParts = {
    ...options,
    overdue,
    random: options.random ?? Math.random,
    waitsMs: options.waitsMs ?? WAITS_MS,
    onOutcome(outcome, what) {
      options.onOutcome(outcome)
      if (outcome !== 'delivered') log.warn(what, outcome === 'failed' ? 'a webhook failed' : 'a delivery was given up')
    },
  }

  function work(id: string): void {
    const done = untilNothingChanges(id)
      .then(() => void told.delete(id))
      .catch((error) => warn(id, { webhook: id, reason: messageOf(error) }, 'a webhook could not be looked at'))
      .finally(() => workers.delete(id))
    workers.set(id, done)
  }

  function warn(of: string, what: object, message: string): void {
    if (signal.aborted || told.has(of)) return
    told.add(of)
    log.warn(what, message)
  }

  /** Changes during a worker's read of the end of the log may come after what it read. */
  async function untilNothingChanges(id: string): Promise<void> {
    for (let count = -1; count !== changes.count() && !signal.aborted; ) {
      count = changes.count()
      await deliverAll(id, parts, signal)
    }
  }

  /** @returns for how long a webhook waits, in milliseconds; 0 when it is due */
  function waitOf({ webhook_id: id, due, next_at: nextAt }: { webhook_id: string; due: boolean; next_at: string }) {
    const ms = due ? 0 : Math.max(0, Date.parse(nextAt) - now().getTime())
    const met = waits.get(id)
    const endsAt = Math.min(met?.nextAt === nextAt ? met.endsAt : Number.POSITIVE_INFINITY, steady() + ms)
    waits.set(id, { nextAt, endsAt })
    const left = Math.max(0, endsAt - steady())
    if (left === 0 && !due) overdue.add(id)
    else overdue.delete(id)
    return left
  }

  /** @returns when to look again at the latest, milliseconds from now */
  async function look(): Promise<number> {
    const rows = await sql<{ webhook_id: string; due: boolean; next_at: string }[]>`
      select webhook_id, ${isDue(parts)} as due, next_at from core.webhook where state = 'active'`
    const left = rows.map((row) => waitOf(row))
    for (const [at, { webhook_id }] of rows.entries()) if (left[at] === 0 && !workers.has(webhook_id)) work(webhook_id)
    const soonest = left.filter((ms) => ms > 0)
    return Math.max(10, Math.min(lookMs, ...soonest))
  }

  async function deliverWhileHeld(session: ReservedSql): Promise<void> {
    await session`select set_config('idle_session_timeout', ${String(stillMs)}, false)`
    while (!signal.aborted) {
      const count = changes.count()
      // Asked each time, by the holder too: if the connection broke and the lock was lost with it, this fails.
      const [row] = await session<{ held: boolean }[]>`select pg_try_advisory_lock(${DELIVERER_LOCK}) as held`
      const waitMs = row!.held ? await look() : lookMs
      told.delete('')
      await lookedAgain(changes, waitMs).next(count, signal)
    }
  }

  const running = (async () => {
    while (!signal.aborted) {
      let session: ReservedSql | undefined
      try {
        session = await sql.reserve()
        await deliverWhileHeld(session)
      } catch (error) {
        warn('', { reason: messageOf(error) }, 'webhooks cannot be looked at')
        await sleep(lookMs, undefined, { signal }).catch(() => {})
      } finally {
        if (session) {
          // If the connection broke it took the lock with it.
          await session`select pg_advisory_unlock_all()`.catch(() => {})
          await session`reset idle_session_timeout`.catch(() => {})
          session.release()
        }
      }
    }
  })()

  return {
    async close() {
      closing.abort()
      await running
      await Promise.all(workers.values())
    },
  }
}
