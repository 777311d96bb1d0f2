/**
 * `ingest --follow`: reads, turn by turn, the indexes that are due, the feed of current filings, and the filings that
 * wait in the queue.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from '../declare/errors.ts'
import { EdgarError } from '../fetch/client.ts'
import { canRetryLater, isAway, reasonOf } from '../ingest/failures.ts'
import { type PollResult, pollCurrent, settling } from '../ingest/feed/current.ts'
import { hasPending, request, retryDue } from '../ingest/queue.ts'
import { XmlError } from '../read/xml.ts'
import registry from '../registry.ts'
import { noteFollowed } from '../store/delays.ts'
import { Overtaken } from '../store/overtaken.ts'
import { bringNamesOver } from './filer-names.ts'
import { confirmCost, type FilingsWanted, readFilings, readLists, requestedOf } from './ingest/filings.ts'
import { assertCurrent } from './ingest/outdated.ts'
import { throughOutages, untilBack } from './progress/outage.ts'
import type { Work } from './progress/recorded.ts'

interface Pace {
  /** Time from the start of one turn to the start of the next turn. */
  intervalMs: number
  /** Interval between requests for indexes that were not read yet. */
  indexMs?: number
  /** Maximum time that a turn may still take after the signal to stop. */
  stopMs?: number
}

/**
 * The default of `indexMs`. A daily index appears once a day; if the host does not have it in the morning, an hourly
 * request reads it soon after it appears.
 */
const INDEX_MS = 3_600_000

/**
 * A filing whose date is at most this many days ago may be new to us: the feed covers two days, and EDGAR backdates
 * some filings.
 */
const RECENT_DAYS = 10

/**
 * Longest rest after refusals: EDGAR's block lasts ten minutes, and longer for clients that continue to send requests.
 */
const REST_MAX_MS = 900_000

/**
 * Rest between turns if each turn meets an outage of the database, for instance because one of our queries crashes it.
 */
const OUTAGE_REST_MS = { first: 250, last: 30_000 }

/**
 * Maximum time that a turn may still take after a signal to stop. Without this limit, a turn would never end if the
 * database does not answer its statement, for example because the network is gone.
 */
const STOP_MS = 10_000

/**
 * Follows EDGAR until the work's signal aborts. A failure at EDGAR, in the database or on the disk is reported. A later
 * turn tries the same work again, after a longer wait each time. While the database cannot be reached, the run waits.
 * Known filings that were not read yet wait in the queue, where any other run finds them.
 *
 * @throws errors that every later turn would meet too, such as an address that cannot be used, or a statement that the
 *   database does not understand
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
 * One process that follows EDGAR. Its state is passed from turn to turn. The state says when the indexes are due, how
 * far the feed was read, which filers are chosen, how often turns failed or met an outage, and which notes and
 * questions were already printed. Turns run one after the other, and only they change this state. The filings that were
 * found are in the database, so a process that starts again misses nothing.
 */
class Follower {
  readonly #work: Work
  #wanted: FilingsWanted
  readonly #requested: Awaited<ReturnType<typeof requestedOf>>
  readonly #pace: Required<Pace>
  readonly #place: Parameters<typeof untilBack>[0]
  /** When the indexes are due, and how often reading them has failed since it last succeeded. */
  readonly #indexes = { dueAt: 0, failures: 0, wereRead: false }
  readonly #feed = settling()
  /**
   * Moment (ISO 8601) up to which all filings of the chosen filers are known, from their profiles or from the feed;
   * null while the profiles must be read first.
   */
  #since: string | null = null
  /** How many turns in a row have failed so far. */
  #failures = 0
  /** Number of turns in a row, up to the last turn, in which the database was unavailable. */
  #outages = 0
  /** Day (UTC) for which the database last recorded that the feed was followed. */
  #notedOn = ''
  #isCostReported = false
  /**
   * Whether the next turn must also look for new filings that are older than `RECENT_DAYS`. This is so at the start,
   * after indexes or profiles added filings, and after other filers were chosen.
   */
  #isOld = true
  /**
   * The current turn. `isOver` states whether the rest of its work would fail too, and `wentAway` whether the turn met
   * an outage of the database.
   */
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
    const areChosen = await this.#tried('the watch list', () => this.#rechoose())
    if (began >= this.#indexes.dueAt) await this.#tryIndexes(began)
    const isPolled = await this.#tried('the feed of current filings', () => this.#poll())
    const areFilings = await this.#tried('filings', () => this.#read())
    reporter.stage(null)
    const { isOver, wentAway } = this.#turn
    this.#outages = wentAway ? this.#outages + 1 : 0
    // The database is back. No rest is needed, unless each turn meets an outage.
    if (wentAway) return afterOutages(this.#outages)
    this.#failures = areChosen && isPolled && areFilings && !isOver ? 0 : this.#failures + 1
    if (this.#failures + this.#indexes.failures === 0 && !signal.aborted) {
      summary.followed_at = new Date().toISOString()
      delete summary.failing
    }
    return Math.max(0, began + this.#restAfter(this.#failures) - performance.now())
  }

  /**
   * Replaces the chosen filers if the watch list was changed. The feed need not be read again for new filers, since
   * their profiles have everything that the feed had about them.
   */
  async #rechoose(): Promise<void> {
    const chosen = await this.#wanted.rechoose?.()
    if (!chosen) return
    this.#wanted = { ...this.#wanted, chosen, ciks: chosen.map(({ cik }) => cik) }
    this.#indexes.dueAt = 0
    // The profile of a new filer adds nothing if its filings are listed already.
    this.#isOld = true
    this.#isCostReported = false
  }

  #restAfter(failures: number): number {
    const { intervalMs } = this.#pace
    return Math.min(intervalMs * 2 ** Math.min(failures, 20), Math.max(intervalMs, REST_MAX_MS))
  }

  async #tryIndexes(began: number): Promise<void> {
    const { summary } = this.#work
    const indexes = this.#indexes
    const { from: _from, ...rest } = this.#wanted
    // Later turns continue from the last reading of the indexes; the first day that the operator gave applies only to
    // the first turn. A chosen filer whose profile was not read yet begins at that day in any turn.
    const later = this.#wanted.chosen ? this.#wanted : rest
    const range = indexes.wereRead ? { ...later, again: false } : this.#wanted
    const before = addedBy(summary)
    const startedAt = new Date().toISOString()
    const isRead = await this.#tried(this.#wanted.chosen ? 'the profiles' : 'the indexes', async () => {
      await readLists(this.#work, range)
      this.#assertProfile()
      this.#since ??= startedAt
    })
    this.#isOld ||= addedBy(summary) > before
    indexes.failures = isRead ? 0 : indexes.failures + 1
    indexes.wereRead ||= isRead
    // The indexes only complete the feed. Their failures are counted apart, so that an index that is damaged for days
    // does not slow down the feed.
    const waitMs = isRead ? this.#pace.indexMs : this.#restAfter(indexes.failures)
    if (!this.#turn.wentAway) indexes.dueAt = began + waitMs
  }

  /**
   * Checks that the last reading of profiles read at least one profile: a filer that fails does not stop the others.
   *
   * @throws UserError if all profiles failed, so that they are read again soon
   */
  #assertProfile(): void {
    const { failed = 0 } = this.#work.summary.profiles ?? {}
    const { chosen } = this.#wanted
    if (chosen && failed >= chosen.length) throw new UserError('no profile of the chosen filers could be read')
  }

  /**
   * @returns false if the work failed for a reason that may be gone in a later turn. After an outage of the database,
   *   the promise settles once the database is back
   */
  async #tried(part: string, act: () => Promise<void>): Promise<boolean> {
    const { app, reporter, signal, summary } = this.#work
    // A client that sends requests during a block prolongs the block.
    if (signal.aborted || this.#turn.isOver) return true
    try {
      await untilStopped(act(), signal, this.#pace.stopMs)
      return true
    } catch (error) {
      if (signal.aborted) return true
      const isOurs =
        error instanceof EdgarError ? error.kind === 'configuration' : !(isOfTurn(error) || canRetryLater(error))
      if (isOurs) throw error
      const reason = `${part}: ${reasonOf(error, app.disk)}`
      summary.failing = { since: summary.failing?.since ?? new Date().toISOString(), reason }
      this.#turn.isOver = canRetryLater(error) || (error instanceof EdgarError && error.kind === 'throttled')
      if (!isAway(error)) {
        reporter.problem({ event: 'turn_failed', part, reason: reasonOf(error, app.disk) }, reason)
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
    const { ciks } = this.#wanted
    // Without the profiles it is unknown how far back the feed must be read.
    if (ciks && this.#since === null) return
    const only = ciks && this.#since !== null ? { ciks: new Set(ciks), since: this.#since } : undefined
    const result = await pollCurrent({ sql, catalog: registry, client, now, settled, claim, only, signal })
    if (!result) throw new UserError(`${client.baseUrl} has no feed of current filings`)
    if (only) this.#noteReach(result, only.since, now)
    const { url, filings, added, problems, unseen, newest, gap } = result
    this.#feed.note(newest, at)
    if (filings > 0) this.#wanted.claim.stored()
    if (added > 0) reporter.fact({ event: 'current', url, filings, added }, `${added} new filings`)
    if (gap) {
      const { after_at: after, before_at: before } = gap
      reporter.problem(
        { event: 'gap', url, after, before },
        `the feed no longer had the entries between ${after} and ${before}: filings that were accepted in this time come with the daily index`,
      )
    }
    if (unseen > 0) {
      this.#work.problem(unseen)
      reporter.problem(
        { event: 'unread_entries', url, entries: problems },
        `${url}: entries that cannot be read: ${problems}`,
      )
    }
    if (problems > 0 && filings === 0) throw new UserError(`none of the feed's entries can be read (${problems})`)
    const today = now.toISOString().slice(0, 10)
    if (today !== this.#notedOn) await noteFollowed(sql, today)
    this.#notedOn = today
  }

  /**
   * Notes how far the feed of chosen filers was read. If the feed no longer had all filings since the last reading, the
   * profiles supply the missing filings.
   */
  #noteReach({ newest, isComplete }: Pick<PollResult, 'newest' | 'isComplete'>, since: string, now: Date): void {
    const { reporter } = this.#work
    if (isComplete) {
      // If the newest entry states a moment in the future, all filings that are accepted until then would wrongly count
      // as known.
      const reached = Math.min(now.getTime(), Date.parse(newest ?? since))
      this.#since = new Date(Math.max(reached, Date.parse(since))).toISOString()
      return
    }
    this.#since = null
    this.#indexes.dueAt = 0
    const words = `the feed does not reach back to ${since}: the profiles of the chosen filers are read again`
    reporter.note(words, { event: 'gap_of_chosen', since })
  }

  async #read(): Promise<void> {
    const { app, summary, signal } = this.#work
    const { intervalMs } = this.#pace
    // As long as the database has the sample, the tasks that wait are the sample's.
    if (!(await this.#wanted.claim.isMade())) return
    const { datasets, families, from, ciks } = this.#wanted
    for (const { dataset, from } of this.#requested)
      await request(app.sql, dataset, { from: this.#isOld ? from : later(from), families, ciks }, signal)
    this.#isOld = false
    const selection = { datasets, from, ciks }
    await retryDue(app.sql, selection, intervalMs, signal)
    // The cost is only reported. The operator is not asked whether to continue, because a large backlog does not delay
    // new filings: they are read first.
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

/** Number of filings that indexes and profiles have added so far. */
const addedBy = ({ indexes, profiles }: Work['summary']) => (indexes?.added ?? 0) + (profiles?.added ?? 0)

/**
 * Returns the earliest filing date that a turn searches. The feed has only filings of the last days, so not every turn
 * needs to search the filings of many years.
 */
function later(from: string): string {
  const recent = new Date(Date.now() - RECENT_DAYS * 86_400_000).toISOString().slice(0, 10)
  return from > recent ? from : recent
}

/**
 * Returns the rest after an outage of the database, in milliseconds. It is none after the first turn with an outage,
 * and 250 after the second. After each further one it is twice as long, up to 30,000.
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
 * Settles like the promise `work`. After the signal, waits at most `stopMs` for the work, and then rejects with the
 * signal's reason.
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
