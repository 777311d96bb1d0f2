/** `ingest --follow`: turn by turn the indexes that are due, the feed of current filings, and what waits in the queue. */
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf, UserError } from '../declare/errors.ts'
import { EdgarError } from '../fetch/client.ts'
import { pollCurrent } from '../ingest/current.ts'
import { ask, hasPending, retryDue } from '../ingest/queue.ts'
import { XmlError } from '../read/xml.ts'
import registry from '../registry.ts'
import { noteFollowed } from '../store/delays.ts'
import { bringNamesOver } from './filer-names.ts'
import { askedOf, assertCurrent, type FilingsWanted, readFilings, readIndexes } from './ingest-filings.ts'
import type { Work } from './recorded.ts'

interface Pace {
  /** From the begin of one turn to that of the next. */
  intervalMs: number
  /** How often the indexes that were not read yet are asked for. */
  indexMs?: number
}

/** A daily index appears once a day; one that the host did not have in the morning is not missed for long. */
const INDEX_MS = 3_600_000

/** The feed has two days; EDGAR dates some filings back. */
const RECENT_DAYS = 10

/** Longest rest after refusals: EDGAR's block lasts ten minutes, and longer for those who go on. */
const REST_MAX_MS = 900_000

/**
 * Follows EDGAR until the work's signal. What fails at EDGAR is told and tried again, later each time; what is told of and
 * not read yet waits in the queue, where any other run finds it.
 *
 * @throws what ends a run: a database that is gone, an address that cannot be used
 */
export async function follow(
  work: Work,
  wanted: FilingsWanted,
  { intervalMs, indexMs = INDEX_MS }: Pace,
): Promise<void> {
  const { app, reporter, signal, summary } = work
  const { from: _from, ...rest } = wanted
  assertCurrent(app, wanted.datasets)
  await bringNamesOver(app, reporter)
  const asked = await askedOf(app, wanted)
  /** When the indexes are due, and how often they failed since they were read. */
  const indexes = { dueAt: 0, failures: 0, wereRead: false }
  let failures = 0
  let notedOn = ''
  let isRefused = false
  /** Whether filings of before the last days may be new: at first, and after an index. */
  let isOld = true
  const restAfter = (times: number) =>
    Math.min(intervalMs * 2 ** Math.min(times, 20), Math.max(intervalMs, REST_MAX_MS))
  reporter.note(`following ${app.client.baseUrl}, every ${intervalMs / 1000} s`, { event: 'following' })
  while (!signal.aborted) {
    const began = performance.now()
    isRefused = false
    if (began >= indexes.dueAt) {
      // Later turns go on from what was read: a first day is for the first.
      const range = indexes.wereRead ? { ...rest, again: false } : wanted
      const before = summary.indexes?.added ?? 0
      const areRead = await tried('the indexes', () => readIndexes(work, range))
      isOld ||= (summary.indexes?.added ?? 0) > before
      indexes.failures = areRead ? 0 : indexes.failures + 1
      indexes.wereRead ||= areRead
      // They are the safety net: one that is damaged for days must not make the feed slow.
      indexes.dueAt = began + (areRead ? indexMs : restAfter(indexes.failures))
    }
    const isPolled = await tried('the feed of current filings', poll)
    const areFilings = await tried('filings', read)
    failures = isPolled && areFilings && !isRefused ? 0 : failures + 1
    if (failures + indexes.failures === 0 && !signal.aborted) {
      summary.followed_at = new Date().toISOString()
      delete summary.failing
    }
    reporter.stage(null)
    const restMs = Math.max(0, began + restAfter(failures) - performance.now())
    await delay(restMs, undefined, { signal }).catch(() => {})
  }

  /** @returns false where it failed for a reason that may be over at another turn */
  async function tried(part: string, act: () => Promise<void>): Promise<boolean> {
    // Whoever goes on during a block prolongs it.
    if (signal.aborted || isRefused) return true
    try {
      await act()
      return true
    } catch (error) {
      if (signal.aborted) return true
      const isOurs = error instanceof EdgarError ? error.kind === 'configuration' : !isOfTurn(error)
      if (isOurs) throw error
      isRefused = error instanceof EdgarError && error.kind === 'throttled'
      const reason = `${part}: ${messageOf(error)}`
      summary.failing = { since: summary.failing?.since ?? new Date().toISOString(), reason }
      reporter.problem({ event: 'turn_failed', part, reason: messageOf(error) }, reason)
      return false
    }
  }

  async function poll(): Promise<void> {
    const { sql, client } = app
    const now = new Date()
    const result = await pollCurrent({ sql, catalog: registry, client, now, claim: wanted.claim.inTransaction, signal })
    if (!result) throw new UserError(`${client.baseUrl} has no feed of current filings`)
    const { url, filings, added, problems, unseen } = result
    if (filings > 0) wanted.claim.stored()
    if (added > 0) reporter.fact({ event: 'current', url, filings, added }, `${added} new filings`)
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
    if (!(await hasPending(app.sql, selection))) {
      if (summary.filings) summary.filings.pending = 0
      return
    }
    // The newest come first, so a backlog of years does not hold back what EDGAR tells of meanwhile.
    await readFilings(work, wanted, { until: performance.now() + intervalMs, retries: false })
  }
}

/** The feed names filings of the last days: those of years need not be looked through at every turn. */
function later(from: string): string {
  const recent = new Date(Date.now() - RECENT_DAYS * 86_400_000).toISOString().slice(0, 10)
  return from > recent ? from : recent
}

/** A page that is no feed, an index that would remove too much, a host without a feed. */
const isOfTurn = (error: unknown) => error instanceof XmlError || error instanceof UserError
