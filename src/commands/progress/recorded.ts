/** Runs a long command: records it in core.run, stops it on signals, and prints a summary at its end. */
import { hostname } from 'node:os'
import { type App, type OpenOptions, open } from '../../app.ts'
import type { Config } from '../../config.ts'
import { messageOf } from '../../declare/errors.ts'
import { isOfStop } from '../../ingest/failures.ts'
import type { Refused } from '../../ingest/making.ts'
import { beginRun, type Run, type RunOutcome, type RunSummary } from '../../ingest/runs.ts'
import { edgarEvents } from './edgar-events.ts'
import { throughOutages } from './outage.ts'
import type { Reporter } from './reporter.ts'
import { nextSteps, summaryText } from './summary.ts'

export interface Work {
  app: App
  reporter: Reporter
  /** Filled by the work as it proceeds. */
  summary: RunSummary
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal
  /** Counts filings or files that could not be read: the command then ends with status 1. */
  problem(count?: number): void
  /** Reports that a part of the request is not done, which counts as a problem. */
  skip(part: string, reason: string): void
  /**
   * Reports that the database refuses rows of a rollup, which counts as a problem; each rollup key is reported once a
   * run.
   */
  refused(key: Refused): void
  /** Reports that the rollups of a slice are being made. */
  making(slug: string): void
}

interface Recorded {
  command: string
  /** The requested source: `all`, `formd`. */
  what: string
  reporter: Reporter
  /** Whether the command runs for days: an outage of the database does not end such a command. */
  isLasting?: boolean
}

interface Opened {
  config: Config
  reporter: Reporter
  baseUrl?: string | undefined
  /** Whether all documents of fetched submissions are kept. */
  originals?: boolean
  /** Whether a missing database is created. */
  make: boolean
  /**
   * Set by a command that does not bring a database of an older version to this version. `read`: the command works with
   * the database as it is. `write`: the command refuses the database.
   */
  only?: 'read' | 'write'
  /** The command as typed, for the refusal. */
  command?: string
}

/** Interval between stored states of the work, for `status` in another terminal and for operators after a kill. */
const NOTE_MS = 5_000

const STATUS = { SIGINT: 130, SIGTERM: 143 } as const
type Signal = keyof typeof STATUS

/** Opens everything, and does work as one recorded run (see `summedUp`). @returns the exit status, like `opened` */
export async function recorded(
  { command, what, isLasting = false, ...place }: Opened & Omit<Recorded, 'reporter'>,
  work: (parts: Work) => Promise<void>,
): Promise<number> {
  return opened(place, (parts) => summedUp({ ...parts, command, what, isLasting }, work))
}

/**
 * Opens everything, does work that signals can stop, and closes everything.
 *
 * @returns the exit status: 0 if everything was done, 1 if something could not be read or was skipped, 128 or more if a
 *   signal stopped it
 */
export async function opened(
  { config, baseUrl, originals = false, make, only, command, reporter }: Opened,
  act: (parts: { app: App; reporter: Reporter; signal: AbortSignal }) => Promise<RunOutcome>,
): Promise<number> {
  let stopped: Signal | null = null
  const stop = new AbortController()
  const onSignal = (signal: Signal) => {
    stopped ??= signal
    stop.abort(new Error(`stopped by ${signal}`))
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  let app: App | undefined
  let removed: Error | undefined
  const onRemoved = (error: Error) => {
    removed = error
    stop.abort(error)
  }
  try {
    const opening = { ...(only ? { only } : {}), ...(command ? { command } : {}) }
    const options = { baseUrl, originals, make, ...opening, reporter, onEdgar: edgarEvents(reporter) }
    app = await openReported(config, { ...options, onRemoved })
    const outcome = await act({ app, reporter, signal: stop.signal })
    if (removed) throw removed
    return stopped ? STATUS[stopped as Signal] : outcome === 'done' ? 0 : 1
  } catch (error) {
    if (stopped) return STATUS[stopped as Signal]
    throw error
  } finally {
    process.removeListener('SIGINT', onSignal).removeListener('SIGTERM', onSignal)
    reporter.close()
    await app?.close()
  }
}

/**
 * Does work as one run, which is recorded from its beginning and summed up at its end.
 *
 * @throws the error that ended the work early, after the summary
 */
export async function summedUp(
  { command, what, app, reporter, signal, isLasting = false }: Recorded & { app: App; signal: AbortSignal },
  work: (parts: Work) => Promise<void>,
): Promise<RunOutcome> {
  signal.throwIfAborted()
  const summary: RunSummary = {}
  const begin = () => beginRun(app.sql, { command, what, pid: process.pid, host: hostname() })
  const run = await (isLasting ? throughOutages({ sql: app.sql, reporter, signal }, begin) : begin())
  const noting = keepNoting(run, summary)
  const began = performance.now()
  let problems = 0
  const problem = (count = 1) => {
    problems += count
  }
  const skip = (part: string, reason: string) => {
    summary.skipped = [...(summary.skipped ?? []), { part, reason }]
    problem()
    reporter.problem({ event: 'skipped', part, reason }, `${part} skipped: ${reason}`)
  }
  const refused = ({ slug, key, reason }: Refused) => {
    const before = summary.refused ?? []
    if (before.some((each) => each.slug === slug && each.key === key)) return
    summary.refused = [...before, { slug, key, reason }]
    problem()
    reporter.problem(
      { event: 'refused', slug, key, reason },
      `the rollups of ${slug} for ${key ?? 'all keys'} cannot be made: ${reason}`,
    )
  }
  const making = (slug: string) => reporter.stage(`making rollups of ${slug}`)
  let failure: unknown
  try {
    await work({ app, reporter, summary, signal, problem, skip, refused, making })
  } catch (error) {
    failure = error
  }
  noting.stop()
  countRequests(app, summary)
  const outcome: RunOutcome = signal.aborted ? 'stopped' : failure ? 'failed' : problems > 0 ? 'problems' : 'done'
  // An error that only coincides with a stop has a cause of its own, and nobody else reports it.
  if (failure !== undefined && !isOfStop(failure, signal)) summary.error = messageOf(failure)
  // The work may have failed because the database cannot be reached. The summary can be printed without the database.
  await run.end(outcome, summary).catch(() => {})
  const seconds = (performance.now() - began) / 1000
  const fields = { event: 'summary', command, what, outcome, seconds: Math.round(seconds * 10) / 10, ...summary }
  const next = nextSteps(outcome === 'failed' ? failure : undefined, summary)
  reporter.summary(
    { ...fields, next },
    summaryText(what ? `${command} ${what}` : command, outcome, seconds, summary, next),
    outcome === 'done' || outcome === 'stopped',
  )
  if (outcome === 'failed') throw failure
  return outcome
}

/** Opens everything, and reports the progress of a first start. */
export async function openReported(config: Config, options: OpenOptions & { reporter: Reporter }): Promise<App> {
  const { reporter, ...rest } = options
  let what = ''
  const app = await open(config, {
    ...rest,
    log: (line) => reporter.note(line),
    onProgress(now, done, total) {
      if (now !== what) reporter.stage(now, total)
      what = now
      reporter.progress(done, total)
    },
  })
  reporter.stage(null)
  return app
}

/** Writes one note at a time, so that notes do not queue up at a slow database. */
function keepNoting(run: Run, summary: RunSummary): { stop(): void } {
  let writing = false
  const timer = setInterval(async () => {
    if (writing) return
    writing = true
    await run.note(summary).catch(() => {})
    writing = false
  }, NOTE_MS)
  return { stop: () => clearInterval(timer) }
}

function countRequests({ clients }: App, summary: RunSummary): void {
  const all = clients.map((client) => client.stats())
  const sum = (of: (stats: (typeof all)[number]) => number) => all.reduce((total, stats) => total + of(stats), 0)
  summary.requests = { sent: sum((s) => s.requests), repeated: sum((s) => s.retries), pauses: sum((s) => s.pauses) }
  const slow = all.flatMap((stats) => stats.slow).toSorted((a, b) => b.ms - a.ms)
  if (slow.length > 0)
    summary.slow = slow.map(({ path, bytes, ms }) => ({ path, bytes, seconds: Math.round(ms / 1000) }))
}
