/**
 * `ingest --follow`: reads, turn by turn, the indexes that are due, the feed of current filings, and the filings that
 * wait in the queue.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf, UserError } from '../declare/errors.ts'
import { EdgarError } from '../fetch/client.ts'
import { isAway, isOfPlace } from '../ingest/failures.ts'
import { pollCurrent, settling } from '../ingest/feed/current.ts'
import { hasPending, request, retryDue } from '../ingest/queue.ts'
import { XmlError } from '../read/xml.ts'
import registry from '../registry.ts'
import { noteFollowed } from '../store/delays.ts'
import { Overtaken } from '../store/overtaken.ts'
import { bringNamesOver } from './filer-names.ts'
import {
  assertCurrent,
  confirmCost,
  type FilingsWanted,
  readFilings,
  readIndexes,
  requestedOf,
} from './ingest/filings.ts'
import { throughOutages, untilBack } from './progress/outage.ts'
import type { Work } from './progress/recorded.ts'

interface Pace {
  /** Time from the beginning of one turn to that of the next. */
  intervalMs: number
  /** Interval between requests for indexes that were not read yet. */
  indexMs?: number
  /** Maximum wait for a statement after the signal. */
  stopMs?: number
}

/** A daily index appears once a day. If the host did not have it in the morning, it is read soon after it appears. */
const INDEX_MS = 3_600_000

/** The feed has two days, and EDGAR dates some filings back. */
const RECENT_DAYS = 10

/** Longest rest after refusals: EDGAR's block lasts ten minutes, and longer for clients that continue. */
const REST_MAX_MS = 900_000

/**
 * Rest between turns if each of them meets an outage of the database, for instance because a query of ours crashes it.
 */
const OUTAGE_REST_MS = { first: 250, last: 30_000 }

/** Maximum wait, after a signal, for a statement. It may never be answered, for example if the network is gone. */
const STOP_MS = 10_000

/**
 * Follows EDGAR until the work's signal aborts. A failure at EDGAR, in the database or on the disk is reported, and the
 * step is tried again, after a longer wait each time. While the database is away, it waits. Filings that are known and
 * not read yet wait in the queue, where any other run finds them.
 *
 * @throws errors that another turn would meet again: an address that cannot be used, a statement that the database does
 *   not understand
 */
export async function follow(work: Work, wanted: FilingsWanted, pace: Pace): Promise<void> {
  const { app, reporter, signal } = work
  const place = { sql: app.sql, reporter, signal }
  assertCurrent(app, wanted.datasets)
  await throughOutages(place, () => bringNamesOver(app, reporter))
  const requested = await throughOutages(place, () => requestedOf(app, wanted))
  const { intervalMs } = pace
  reporter.note(`following ${app.client.baseUrl}, every ${intervalMs / 1000} s`, { event: 'following' })
  await new Follower(work, wanted, requested, pace).run()
}

/**
 * One process that follows EDGAR. Its state is what a turn passes to later turns: when the indexes are due, how far the
 * feed was read, how often turns failed or met an outage, and what is noted or asked only once. Turns run one after the
 * other, and only they change this state. What was found is in the database, so a process that starts again misses
 * nothing.
 */
class Follower {
  readonly #work: Work
  readonly #wanted: FilingsWanted
  readonly #requested: Awaited<ReturnType<typeof requestedOf>>
  readonly #pace: Required<Pace>
  readonly #place: Parameters<typeof untilBack>[0]
  /** When the indexes are due, and how often reading them has failed since it last succeeded. */
  readonly #indexes = { dueAt: 0, failures: 0, wereRead: false }
  readonly #feed = settling()
  /** Number of turns that failed since the last one that succeeded. */
  #failures = 0
  /** Number of turns that met an outage of the database since the last one that met none. */
  #outages = 0
  /** Day on which it was last noted that EDGAR is followed. */
  #notedOn = ''
  #isCostReported = false
  /** Whether filings from before the last days may be new. They may be at first, and after an index was read. */
  #isOld = true
  /** The current turn: whether its further steps would fail too, and whether it met an outage of the database. */
  #turn = { isOver: false, wentAway: false }

  constructor(
    work: Work,
    wanted: FilingsWanted,
    requested: Awaited<ReturnType<typeof requestedOf>>,
    { intervalMs, indexMs = INDEX_MS, stopMs = STOP_MS }: Pace,
  ) {
    this.#work = work
    this.#wanted = wanted
    this.#requested = requested
    this.#pace = { intervalMs, indexMs, stopMs }
    this.#place = { sql: work.app.sql, reporter: work.reporter, signal: work.signal }
  }

  /** Takes turns until the work's signal. */
  async run(): Promise<void> {
    const { signal } = this.#work
    while (!signal.aborted) {
      const restMs = await this.#takeTurn()
      await delay(restMs, undefined, { signal }).catch(() => {})
    }
  }

  /** @returns the time in milliseconds to rest after the turn */
  async #takeTurn(): Promise<number> {
    const { reporter, signal, summary } = this.#work
    const began = performance.now()
    this.#turn = { isOver: false, wentAway: false }
    if (began >= this.#indexes.dueAt) await this.#tryIndexes(began)
    const isPolled = await this.#tried('the feed of current filings', () => this.#poll())
    const areFilings = await this.#tried('filings', () => this.#read())
    reporter.stage(null)
    const { isOver, wentAway } = this.#turn
    this.#outages = wentAway ? this.#outages + 1 : 0
    // The database is back. No rest is needed, unless each turn meets an outage.
    if (wentAway) return afterOutages(this.#outages)
    this.#failures = isPolled && areFilings && !isOver ? 0 : this.#failures + 1
    if (this.#failures + this.#indexes.failures === 0 && !signal.aborted) {
      summary.followed_at = new Date().toISOString()
      delete summary.failing
    }
    return Math.max(0, began + this.#restAfter(this.#failures) - performance.now())
  }

  #restAfter(failures: number): number {
    const { intervalMs } = this.#pace
    return Math.min(intervalMs * 2 ** Math.min(failures, 20), Math.max(intervalMs, REST_MAX_MS))
  }

  async #tryIndexes(began: number): Promise<void> {
    const { summary } = this.#work
    const indexes = this.#indexes
    // Later turns continue from the last reading; the first day that the operator gave applies only to the first turn.
    const { from: _from, ...rest } = this.#wanted
    const range = indexes.wereRead ? { ...rest, again: false } : this.#wanted
    const before = summary.indexes?.added ?? 0
    const isRead = await this.#tried('the indexes', async () => {
      await readIndexes(this.#work, range)
    })
    this.#isOld ||= (summary.indexes?.added ?? 0) > before
    indexes.failures = isRead ? 0 : indexes.failures + 1
    indexes.wereRead ||= isRead
    // The indexes only complete the feed: an index that is damaged for days must not make the feed slow.
    const waitMs = isRead ? this.#pace.indexMs : this.#restAfter(indexes.failures)
    if (!this.#turn.wentAway) indexes.dueAt = began + waitMs
  }

  /**
   * @returns false if it failed for a reason that may be over at another turn; after an outage of the database, it
   *   returns once the database is back
   */
  async #tried(part: string, act: () => Promise<void>): Promise<boolean> {
    const { reporter, signal, summary } = this.#work
    // A client that continues during a block prolongs it.
    if (signal.aborted || this.#turn.isOver) return true
    try {
      await untilStopped(act(), signal, this.#pace.stopMs)
      return true
    } catch (error) {
      if (signal.aborted) return true
      const isOurs =
        error instanceof EdgarError ? error.kind === 'configuration' : !(isOfTurn(error) || isOfPlace(error))
      if (isOurs) throw error
      const reason = `${part}: ${messageOf(error)}`
      summary.failing = { since: summary.failing?.since ?? new Date().toISOString(), reason }
      this.#turn.isOver = isOfPlace(error) || (error instanceof EdgarError && error.kind === 'throttled')
      if (!isAway(error)) {
        reporter.problem({ event: 'turn_failed', part, reason: messageOf(error) }, reason)
        return false
      }
      this.#turn.wentAway = true
      await untilBack(this.#place, error)
      // The lock of a first load was lost with its connection.
      if (!signal.aborted)
        await throughOutages(this.#place, () => this.#wanted.claim.renew()).catch((error) => this.#unlessStopped(error))
      return false
    }
  }

  #unlessStopped(error: unknown): void {
    if (!this.#work.signal.aborted) throw error
  }

  async #poll(): Promise<void> {
    const { app, reporter, signal } = this.#work
    const { sql, client } = app
    const now = new Date()
    const at = performance.now()
    const settled = this.#feed.settled()
    const claim = this.#wanted.claim.inTransaction
    const result = await pollCurrent({ sql, catalog: registry, client, now, settled, claim, signal })
    if (!result) throw new UserError(`${client.baseUrl} has no feed of current filings`)
    const { url, filings, added, problems, unseen, newest, gap } = result
    this.#feed.note(newest, at)
    if (filings > 0) this.#wanted.claim.stored()
    if (added > 0) reporter.fact({ event: 'current', url, filings, added }, `${added} new filings`)
    if (gap) {
      const { after_at: after, before_at: before } = gap
      reporter.problem(
        { event: 'gap', url, after, before },
        `the feed had nothing more from between ${after} and ${before}: what was accepted then comes with the daily index`,
      )
    }
    if (unseen > 0) {
      this.#work.problem(unseen)
      reporter.problem(
        { event: 'unread_entries', url, entries: problems },
        `${url}: entries that cannot be read: ${problems}`,
      )
    }
    if (problems > 0 && filings === 0) throw new UserError(`none of its entries can be read (${problems})`)
    const today = now.toISOString().slice(0, 10)
    if (today !== this.#notedOn) await noteFollowed(sql, today)
    this.#notedOn = today
  }

  async #read(): Promise<void> {
    const { app, summary } = this.#work
    const { intervalMs } = this.#pace
    // As long as the database has the sample, the tasks that wait are the sample's.
    if (!(await this.#wanted.claim.isMade())) return
    const { datasets, families, from } = this.#wanted
    for (const { dataset, from } of this.#requested)
      await request(app.sql, dataset, { from: this.#isOld ? from : later(from), families })
    this.#isOld = false
    const selection = { datasets, from }
    await retryDue(app.sql, selection, intervalMs)
    // The operator is not asked whether to continue, since new filings are read before those that wait.
    if (!this.#isCostReported) await confirmCost(this.#work, selection)
    this.#isCostReported = true
    if (!(await hasPending(app.sql, selection))) {
      if (summary.filings) summary.filings.pending = 0
      return
    }
    // The newest filings are read first, so that a backlog of years does not delay new filings of the feed.
    await readFilings(this.#work, this.#wanted, { until: performance.now() + intervalMs, retries: false })
  }
}

/** The feed has only filings of the last days, so not every turn needs to search the filings of many years. */
function later(from: string): string {
  const recent = new Date(Date.now() - RECENT_DAYS * 86_400_000).toISOString().slice(0, 10)
  return from > recent ? from : recent
}

/**
 * Returns the rest after an outage of the database, in milliseconds: none after the first turn with an outage, and
 * twice as long after each further one.
 */
const afterOutages = (outages: number) =>
  outages === 1 ? 0 : Math.min(OUTAGE_REST_MS.first * 2 ** Math.min(outages - 2, 20), OUTAGE_REST_MS.last)

/**
 * Whether the error concerns only this turn: a page that is not a feed, an index that would remove too much, a host
 * without a feed.
 */
const isOfTurn = (error: unknown) =>
  error instanceof XmlError || (error instanceof UserError && !(error instanceof Overtaken))

/**
 * Settles like the work. After the signal it waits at most `stopMs` for the work, and then rejects with the signal's
 * reason.
 */
async function untilStopped(work: Promise<void>, signal: AbortSignal, stopMs: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => reject(signal.reason), stopMs)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
