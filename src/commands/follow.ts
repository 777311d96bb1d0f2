/** `ingest --follow`: turn by turn the indexes that are due, the feed of current filings, and what waits in the queue. */
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf, UserError } from '../declare/errors.ts'
import { EdgarError } from '../fetch/client.ts'
import { isAway, isOfPlace } from '../ingest/failures.ts'
import { pollCurrent, settling } from '../ingest/feed/current.ts'
import { ask, hasPending, retryDue } from '../ingest/queue.ts'
import { XmlError } from '../read/xml.ts'
import registry from '../registry.ts'
import { noteFollowed } from '../store/delays.ts'
import { Overtaken } from '../store/overtaken.ts'
import { bringNamesOver } from './filer-names.ts'
import { askedOf, assertCurrent, type FilingsWanted, readFilings, readIndexes, tellCost } from './ingest/filings.ts'
import { throughOutages, untilBack } from './progress/outage.ts'
import type { Work } from './progress/recorded.ts'

interface Pace {
  /** From the begin of one turn to that of the next. */
  intervalMs: number
  /** Interval between requests for indexes that were not read yet. */
  indexMs?: number
  /** Maximum wait for a statement after the signal. */
  stopMs?: number
}

/** A daily index appears once a day; one that the host did not have in the morning is not missed for long. */
const INDEX_MS = 3_600_000

/** The feed has two days; EDGAR dates some filings back. */
const RECENT_DAYS = 10

/** Longest rest after refusals: EDGAR's block lasts ten minutes, and longer for clients that continue. */
const REST_MAX_MS = 900_000

/** Rest between turns that each meet an outage of the database, for instance because our query kills it. */
const OUTAGE_REST_MS = { first: 250, last: 30_000 }

/** A statement that is never answered, as where a network is gone, is not waited for after a signal. */
const STOP_MS = 10_000

/**
 * Follows EDGAR until the work's signal. What fails at EDGAR, in the database or on the disk is told and tried again, later
 * each time; a database that is away is waited for. What is told of and not read yet waits in the queue, where any other run
 * finds it.
 *
 * @throws what another turn would not change: an address that cannot be used, a statement that the database does not know
 */
export async function follow(
  work: Work,
  wanted: FilingsWanted,
  { intervalMs, indexMs = INDEX_MS, stopMs = STOP_MS }: Pace,
): Promise<void> {
  const { app, reporter, signal, summary } = work
  const { from: _from, ...rest } = wanted
  const place = { sql: app.sql, reporter, signal }
  assertCurrent(app, wanted.datasets)
  await throughOutages(place, () => bringNamesOver(app, reporter))
  const asked = await throughOutages(place, () => askedOf(app, wanted))
  /** When the indexes are due, and how often they failed since they were read. */
  const indexes = { dueAt: 0, failures: 0, wereRead: false }
  const feed = settling()
  let failures = 0
  let outages = 0
  let notedOn = ''
  let isCostTold = false
  /** Whether nothing more of this turn can be expected to go better. */
  let isOver = false
  let wentAway = false
  /** Whether filings of before the last days may be new: at first, and after an index. */
  let isOld = true
  const restAfter = (times: number) =>
    Math.min(intervalMs * 2 ** Math.min(times, 20), Math.max(intervalMs, REST_MAX_MS))
  reporter.note(`following ${app.client.baseUrl}, every ${intervalMs / 1000} s`, { event: 'following' })
  while (!signal.aborted) {
    const began = performance.now()
    isOver = false
    wentAway = false
    if (began >= indexes.dueAt) {
      // Later turns continue from the last reading: a first day applies only to the first.
      const range = indexes.wereRead ? { ...rest, again: false } : wanted
      const before = summary.indexes?.added ?? 0
      const isRead = await tried('the indexes', async () => {
        await readIndexes(work, range)
      })
      isOld ||= (summary.indexes?.added ?? 0) > before
      indexes.failures = isRead ? 0 : indexes.failures + 1
      indexes.wereRead ||= isRead
      // They are the safety net: one that is damaged for days must not make the feed slow.
      if (!wentAway) indexes.dueAt = began + (isRead ? indexMs : restAfter(indexes.failures))
    }
    const isPolled = await tried('the feed of current filings', poll)
    const areFilings = await tried('filings', read)
    reporter.stage(null)
    outages = wentAway ? outages + 1 : 0
    if (wentAway) {
      // It is back: nobody has to rest for that, unless it goes away in each turn.
      const restMs =
        outages === 1 ? 0 : Math.min(OUTAGE_REST_MS.first * 2 ** Math.min(outages - 2, 20), OUTAGE_REST_MS.last)
      await delay(restMs, undefined, { signal }).catch(() => {})
      continue
    }
    failures = isPolled && areFilings && !isOver ? 0 : failures + 1
    if (failures + indexes.failures === 0 && !signal.aborted) {
      summary.followed_at = new Date().toISOString()
      delete summary.failing
    }
    const restMs = Math.max(0, began + restAfter(failures) - performance.now())
    await delay(restMs, undefined, { signal }).catch(() => {})
  }

  /** @returns false where it failed for a reason that may be over at another turn; after an outage of the database once that is over */
  async function tried(part: string, act: () => Promise<void>): Promise<boolean> {
    // A client that continues during a block prolongs it.
    if (signal.aborted || isOver) return true
    try {
      await untilStopped(act(), signal, stopMs)
      return true
    } catch (error) {
      if (signal.aborted) return true
      const isOurs =
        error instanceof EdgarError ? error.kind === 'configuration' : !(isOfTurn(error) || isOfPlace(error))
      if (isOurs) throw error
      const reason = `${part}: ${messageOf(error)}`
      summary.failing = { since: summary.failing?.since ?? new Date().toISOString(), reason }
      isOver = isOfPlace(error) || (error instanceof EdgarError && error.kind === 'throttled')
      if (!isAway(error)) {
        reporter.problem({ event: 'turn_failed', part, reason: messageOf(error) }, reason)
        return false
      }
      wentAway = true
      await untilBack(place, error)
      // The lock of a first load went with its connection.
      if (!signal.aborted) await throughOutages(place, () => wanted.claim.renew()).catch(unlessStopped)
      return false
    }
  }

  function unlessStopped(error: unknown): void {
    if (!signal.aborted) throw error
  }

  async function poll(): Promise<void> {
    const { sql, client } = app
    const now = new Date()
    const at = performance.now()
    const settled = feed.settled()
    const claim = wanted.claim.inTransaction
    const result = await pollCurrent({ sql, catalog: registry, client, now, settled, claim, signal })
    if (!result) throw new UserError(`${client.baseUrl} has no feed of current filings`)
    const { url, filings, added, problems, unseen, newest, gap } = result
    feed.note(newest, at)
    if (filings > 0) wanted.claim.stored()
    if (added > 0) reporter.fact({ event: 'current', url, filings, added }, `${added} new filings`)
    if (gap) {
      const { after_at: after, before_at: before } = gap
      reporter.problem(
        { event: 'gap', url, after, before },
        `the feed had nothing more from between ${after} and ${before}: what was accepted then comes with the daily index`,
      )
    }
    if (unseen > 0) {
      work.problem(unseen)
      reporter.problem(
        { event: 'unread_entries', url, entries: problems },
        `${url}: entries that cannot be read: ${problems}`,
      )
    }
    if (problems > 0 && filings === 0) throw new UserError(`none of its entries can be read (${problems})`)
    const today = now.toISOString().slice(0, 10)
    if (today !== notedOn) await noteFollowed(sql, today)
    notedOn = today
  }

  async function read(): Promise<void> {
    // While the sample stands, what waits in the queue is the sample's.
    if (!(await wanted.claim.isMade())) return
    const { families, from } = wanted
    for (const { dataset, from } of asked) await ask(app.sql, dataset, { from: isOld ? from : later(from), families })
    isOld = false
    const selection = { datasets: wanted.datasets, from }
    await retryDue(app.sql, selection, intervalMs)
    // Nobody is asked: what is new comes before what waits.
    if (!isCostTold) await tellCost(work, selection)
    isCostTold = true
    if (!(await hasPending(app.sql, selection))) {
      if (summary.filings) summary.filings.pending = 0
      return
    }
    // The newest come first, so that a backlog of years does not delay new filings of the feed.
    await readFilings(work, wanted, { until: performance.now() + intervalMs, retries: false })
  }
}

/** The feed names filings of the last days: those of years need not be looked through at every turn. */
function later(from: string): string {
  const recent = new Date(Date.now() - RECENT_DAYS * 86_400_000).toISOString().slice(0, 10)
  return from > recent ? from : recent
}

/** A page that is not a feed, an index that would remove too much, a host without a feed. */
const isOfTurn = (error: unknown) =>
  error instanceof XmlError || (error instanceof UserError && !(error instanceof Overtaken))

/** Settles like the work, or with the signal's reason some time after it, whatever the work still waits for. */
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
