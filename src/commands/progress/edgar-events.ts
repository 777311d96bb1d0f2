/** Describes problems with a host in sentences. */
import type { ClientEvent } from '../../fetch/client.ts'
import { clock, duration } from '../progress.ts'
import type { Reporter } from './reporter.ts'

/** Repeated requests print at most one sentence in this time. */
const REPEAT_MS = 10_000

/** Returns a function that reports a client's events as sentences. */
export function edgarEvents(reporter: Reporter): (event: ClientEvent) => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  let unreported = 0
  return (event) => {
    const { reason } = event
    if (event.event === 'edgar.pause') {
      const until = new Date(event.until)
      const position = reporter.position()
      const length = duration((event.until - Date.now()) / 1000)
      const words = `EDGAR requests a pause until ${clock(until)} (${length}): ${reason}${position ? `; ${position}` : ''}`
      reporter.note(words, { event: 'waiting', until: until.toISOString(), reason, position })
      return reporter.waits(until)
    }
    if (event.event === 'edgar.slow') {
      const { path, bytes, ms } = event
      return reporter.note(reason, { event: 'slow', path, bytes, seconds: Math.round(ms / 1000) })
    }
    if (performance.now() - reportedAt < REPEAT_MS) return void unreported++
    const more = unreported > 0 ? ` (and ${unreported} more requests were repeated)` : ''
    const words = `${reason}; trying again in ${duration(event.delayMs / 1000)}${more}`
    reporter.note(words, { event: 'retry', reason, delay_ms: event.delayMs, repeated_before: unreported })
    reportedAt = performance.now()
    unreported = 0
  }
}
