/**
 * Delivers to all webhooks, each by a worker of its own, so that a receiver that hangs delays no other receiver. If
 * several processes serve one database, one of them delivers. When that process is gone or makes no progress, another
 * process takes over.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ReservedSql } from '#postgres'
import { messageOf } from '../declare/errors.ts'
import { type Changes, lookedAgain } from '../serve/http/version.ts'
import type { Sql } from '../store/db.ts'
import { type DeliverParts, deliverAll, isDue, type Outcome, WAITS_MS } from './deliver.ts'

export interface DelivererOptions extends Pick<DeliverParts, 'catalog' | 'post' | 'now'> {
  /** A pool of the primary. The deliverer holds one of its connections, and does not close the pool. */
  sql: Sql
  changes: Changes
  log: Logger
  onOutcome: (outcome: Outcome) => void
  waitsMs?: readonly number[]
  random?: () => number
  /** Milliseconds by a clock that is never adjusted; by default `now`. */
  steady?: () => number
  /** How often webhooks are examined if no data changes, to find new webhooks and deliveries that are due again. */
  lookMs?: number
  /**
   * After this long without a query, the database takes the lock from a process, which is stopped or has lost its
   * network.
   */
  stillMs?: number
}

/** Held by the process that delivers; its session ends with it. */
const DELIVERER_LOCK = 4_713_027

/** The facts that a look queries about each active webhook. */
interface Waiting {
  webhook_id: string
  due: boolean
  next_at: string
}

/**
 * Delivers from the moment it is made until `close`. Its state is the running workers (`#workers`), how long each
 * webhook waits by the steady clock (`#waits`, `#overdue`), and which failures were reported (`#reported`). One loop
 * examines the webhooks and starts workers; a worker removes itself when it ends. The database records the deliveries,
 * for the process that takes over.
 */
export class Deliverer {
  readonly #sql: Sql
  readonly #changes: Changes
  readonly #log: Logger
  readonly #now: () => Date
  readonly #steady: () => number
  readonly #lookMs: number
  readonly #stillMs: number
  readonly #parts: DeliverParts
  readonly #closing = new AbortController()
  readonly #workers = new Map<string, Promise<void>>()
  /** Failures that were reported already: a database that is unavailable for an hour causes one line, not 1,800. */
  readonly #reported = new Set<string>()
  /** When each known wait ends by the steady clock. So a clock that is set back prolongs no wait. */
  readonly #waits = new Map<string, { nextAt: string; endsAt: number }>()
  readonly #overdue = new Set<string>()
  readonly #running: Promise<void>

  constructor(options: DelivererOptions) {
    const { sql, changes, log, now, steady = () => now().getTime(), lookMs = 2_000, stillMs = 30_000 } = options
    this.#sql = sql
    this.#changes = changes
    this.#log = log
    this.#now = now
    this.#steady = steady
    this.#lookMs = lookMs
    this.#stillMs = stillMs
    this.#parts = {
      ...options,
      overdue: this.#overdue,
      random: options.random ?? Math.random,
      waitsMs: options.waitsMs ?? WAITS_MS,
      onOutcome(outcome, what) {
        options.onOutcome(outcome)
        const message = outcome === 'failed' ? 'a webhook failed' : 'a delivery was given up'
        if (outcome !== 'delivered') log.warn(what, message)
      },
    }
    this.#running = this.#run()
  }

  /** Ends deliveries in flight, which the next process repeats. Resolves when nothing is in flight. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
    await Promise.all(this.#workers.values())
  }

  /** Holds a session, or waits for one, until it is closed. */
  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      let session: ReservedSql | undefined
      try {
        session = await this.#sql.reserve()
        await this.#deliverWhileHeld(session)
      } catch (error) {
        this.#warn('', { reason: messageOf(error) }, 'webhooks cannot be looked at')
        await sleep(this.#lookMs, undefined, { signal }).catch(() => {})
      } finally {
        if (session) {
          // If the connection broke, it has released the lock already.
          await session`select pg_advisory_unlock_all()`.catch(() => {})
          await session`reset idle_session_timeout`.catch(() => {})
          session.release()
        }
      }
    }
  }

  async #deliverWhileHeld(session: ReservedSql): Promise<void> {
    const { signal } = this.#closing
    await session`select set_config('idle_session_timeout', ${String(this.#stillMs)}, false)`
    while (!signal.aborted) {
      const count = this.#changes.count()
      // Queried at each look, even by the holder of the lock: if the connection broke and the lock was lost with it,
      // this query fails.
      const [row] = await session<{ held: boolean }[]>`select pg_try_advisory_lock(${DELIVERER_LOCK}) as held`
      const waitMs = row!.held ? await this.#look() : this.#lookMs
      this.#reported.delete('')
      await lookedAgain(this.#changes, waitMs).next(count, signal)
    }
  }

  /** @returns when to look again at the latest, milliseconds from now */
  async #look(): Promise<number> {
    const rows = await this.#sql<Waiting[]>`
      select webhook_id, ${isDue(this.#parts)} as due, next_at from core.webhook where state = 'active'`
    const left = rows.map((row) => this.#waitOf(row))
    for (const [at, { webhook_id: id }] of rows.entries()) {
      if (left[at] === 0 && !this.#workers.has(id)) this.#work(id)
    }
    const soonest = left.filter((ms) => ms > 0)
    return Math.max(10, Math.min(this.#lookMs, ...soonest))
  }

  /** @returns how long a webhook still waits, in milliseconds; 0 if it is due */
  #waitOf({ webhook_id: id, due, next_at: nextAt }: Waiting): number {
    const ms = due ? 0 : Math.max(0, Date.parse(nextAt) - this.#now().getTime())
    const met = this.#waits.get(id)
    const endsAt = Math.min(met?.nextAt === nextAt ? met.endsAt : Number.POSITIVE_INFINITY, this.#steady() + ms)
    this.#waits.set(id, { nextAt, endsAt })
    const left = Math.max(0, endsAt - this.#steady())
    if (left === 0 && !due) this.#overdue.add(id)
    else this.#overdue.delete(id)
    return left
  }

  /** Starts a worker for a webhook that has none. */
  #work(id: string): void {
    const done = this.#untilNothingChanges(id)
      .then(() => void this.#reported.delete(id))
      .catch((error) => this.#warn(id, { webhook: id, reason: messageOf(error) }, 'a webhook could not be looked at'))
      .finally(() => this.#workers.delete(id))
    this.#workers.set(id, done)
  }

  /** Repeats the work until nothing changes: events may be added while a worker reads the end of the log. */
  async #untilNothingChanges(id: string): Promise<void> {
    const { signal } = this.#closing
    for (let count = -1; count !== this.#changes.count() && !signal.aborted; ) {
      count = this.#changes.count()
      await deliverAll(id, this.#parts, signal)
    }
  }

  #warn(of: string, what: object, message: string): void {
    if (this.#closing.signal.aborted || this.#reported.has(of)) return
    this.#reported.add(of)
    this.#log.warn(what, message)
  }
}
