/**
 * Lets a long-running command survive an outage of the database: it reports the outage once, and waits until the
 * database is back.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../declare/errors.ts'
import { isAway } from '../../ingest/failures.ts'
import type { Sql } from '../../store/db.ts'
import { duration } from '../progress.ts'
import type { Reporter } from './reporter.ts'

interface Waiting {
  sql: Sql
  reporter: Reporter
  signal: AbortSignal
}

/**
 * Interval between checks whether the database is back. It begins with `first`, and doubles after each check until it
 * is `last`.
 */
const LOOK_MS = { first: 250, last: 5_000 }

/** Interval between reports that the database still cannot be reached. */
const REPORT_MS = 10 * 60_000

/**
 * Runs `act`, and runs it again after each outage that interrupts it. @throws every other error; the signal's reason
 */
export async function throughOutages<T>(waiting: Waiting, act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!isAway(error) || waiting.signal.aborted) throw error
      await untilBack(waiting, error)
      waiting.signal.throwIfAborted()
    }
  }
}

/**
 * Waits until the database answers, however long that takes, or until the signal aborts.
 *
 * @param error the error that showed the outage
 */
export async function untilBack({ sql, reporter, signal }: Waiting, error: unknown): Promise<void> {
  const began = performance.now()
  const report = (reason: string, words: string) => reporter.problem({ event: 'database_away', reason }, words)
  report(messageOf(error), `the database went away: ${messageOf(error)}; the work continues when it is back`)
  let reportedAt = began
  for (let waitMs = LOOK_MS.first; !signal.aborted; waitMs = Math.min(waitMs * 2, LOOK_MS.last)) {
    try {
      await sql`select`
      const seconds = (performance.now() - began) / 1000
      const event = { event: 'database_back', seconds: Math.round(seconds * 10) / 10 }
      return reporter.note(`the database is back after ${duration(seconds)}`, event)
    } catch (again) {
      // The database answers, but refuses the connection; the next statement reports why.
      if (!isAway(again)) return
      if (performance.now() - reportedAt > REPORT_MS) {
        reportedAt = performance.now()
        report(messageOf(again), `the database is still away: ${messageOf(again)}`)
      }
    }
    await delay(waitMs, undefined, { signal }).catch(() => {})
  }
}
