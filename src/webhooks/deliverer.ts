/**
 * Delivers to all webhooks. Each has a worker of its own, so a receiver that hangs delays no other receiver. If several
 * processes serve one database, one of them delivers. When that process is gone or makes no progress, another process
 * takes over.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ReservedSql } from '#postgres'
import { messageOf } from '../declare/errors.ts'
import { type Changes, lookedAgain } from '../serve/http/version.ts'
import type { Sql } from '../store/db.ts'
import { type DeliverParts, deliverAll, isDue, type Outcome, WAITS_MS } from './deliver.ts'
import type { Named } from './search-step.ts'
import { searchNew } from './search-watch.ts'

export interface DelivererOptions extends Pick<DeliverParts, 'catalog' | 'post' | 'now'> {
  /** A pool of the primary. The deliverer holds one connection of this pool, and does not close the pool. */
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
   * If a process makes no query for this long, because it is stopped or has lost its network, the database releases its
   * lock.
   */
  stillMs?: number
}

/** The lock that the delivering process holds. The database releases the lock when the session of that process ends. */
const DELIVERER_LOCK = 4_713_027

/** Maximum number of saved searches whose deliveries are in flight. A database can have 10,000 saved searches. */
const SEARCHES_IN_FLIGHT = 100

/** The facts that each check queries about every active webhook. */
interface Waiting {
  webhook_id: string
  due: boolean
  next_at: string
  of_search: boolean
}

/**
 * Maximum time for the searches of one check; shorter than `stillMs`, the time after which the database ends an idle
 * session.
 */
const SEARCH_MAX_MS = 5_000

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
  readonly #workers = new Map<string, { done: Promise<void>; ofSearch: boolean }>()
  /** Ids of webhooks of saved searches that wait until deliveries of other saved searches have ended. */
  #queued: string[] = []
  /**
   * Failures that were reported already: a database that is unavailable for an hour causes one line in the log, not
   * 1,800.
   */
  readonly #reported = new Set<string>()
  /** When each known wait ends by the steady clock. If the system clock is set back, no wait becomes longer. */
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
    await Promise.all([...this.#workers.values()].map(({ done }) => done))
  }

  /** Holds the session that has the lock and delivers, or waits for the lock, until `close`. */
  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      let session: ReservedSql | undefined
      try {
        session = await this.#sql.reserve()
        await this.#deliverWhileHeld(session)
      } catch (error) {
        this.#warn('', { reason: messageOf(error) }, 'webhooks cannot be read')
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
      // Queried at each check, even by the holder of the lock: if the connection broke and the lock was lost with it,
      // this query fails.
      const [row] = await session<{ held: boolean }[]>`select pg_try_advisory_lock(${DELIVERER_LOCK}) as held`
      const isDone = !row!.held || (await this.#search())
      const waitMs = row!.held ? await this.#look() : this.#lookMs
      this.#reported.delete('')
      await lookedAgain(this.#changes, isDone ? waitMs : 10).next(count, signal)
    }
  }

  /**
   * Runs the saved searches on new events. A list that cannot be searched now is searched at the next check.
   *
   * @returns false if the searches take too long for one check. The rest is searched at the next check, so that
   *   deliveries and the lock of this server do not wait for it
   */
  async #search(): Promise<boolean> {
    const { sql, catalog } = this.#parts
    const begun = this.#steady()
    let late = false
    const isLate = () => (late ||= this.#steady() - begun > SEARCH_MAX_MS)
    const failed = new Set<string>()
    const onProblem = (list: string, reason: string) => {
      failed.add(`list ${list}`)
      this.#warn(`list ${list}`, { list, reason }, 'the saved searches of a list cannot be run')
    }
    const onSetAside = ({ list, address }: Named, reason: string) =>
      this.#log.warn({ list, search: address, reason }, 'a saved search cannot be run now; it is tried again later')
    await searchNew({ sql, catalog, now: this.#now, onProblem, onSetAside, isLate }, this.#closing.signal)
    for (const one of this.#reported) if (one.startsWith('list ') && !failed.has(one)) this.#reported.delete(one)
    return !late
  }

  /**
   * Starts a worker for each webhook that is due. Skips the webhook of a saved search, unless the search has matches to
   * send, the last try failed, or the webhook has been replayed.
   *
   * @returns the longest time until the next check, in milliseconds
   */
  async #look(): Promise<number> {
    const rows = await this.#sql<Waiting[]>`
      select webhook_id, ${isDue(this.#parts)} as due, next_at, search_id is not null as of_search
      from core.webhook left join core.search using (search_id)
      where state = 'active' and (search_id is null or position < matches or failures > 0 or round > 1)
      order by next_at`
    const left = rows.map((row) => this.#waitOf(row))
    const due = rows.filter(({ webhook_id: id }, at) => left[at] === 0 && !this.#workers.has(id))
    for (const { webhook_id: id, of_search: ofSearch } of due) if (!ofSearch) this.#work(id, false)
    this.#queued = due.flatMap(({ webhook_id: id, of_search: ofSearch }) => (ofSearch ? [id] : []))
    this.#workQueued()
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

  /** Starts workers for saved searches that wait, as many as may be in flight. */
  #workQueued(): void {
    let running = [...this.#workers.values()].filter(({ ofSearch }) => ofSearch).length
    while (running < SEARCHES_IN_FLIGHT && !this.#closing.signal.aborted) {
      const id = this.#queued.shift()
      if (id === undefined) return
      if (this.#workers.has(id)) continue
      this.#work(id, true)
      running++
    }
  }

  /** Starts a worker for a webhook that has none. */
  #work(id: string, ofSearch: boolean): void {
    const done = this.#untilNothingChanges(id)
      .then(() => void this.#reported.delete(id))
      .catch((error) => this.#warn(id, { webhook: id, reason: messageOf(error) }, 'deliveries of a webhook failed'))
      .finally(() => {
        this.#workers.delete(id)
        if (ofSearch) this.#workQueued()
      })
    this.#workers.set(id, { done, ofSearch })
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
