/** Runs `ingest --follow` in this process, so that a test can shorten the delays after a refusal. */
import type { App } from '../../../src/app.ts'
import { claimFor } from '../../../src/commands/claim.ts'
import { follow } from '../../../src/commands/follow.ts'
import { chooseFilers } from '../../../src/commands/ingest/choose.ts'
import type { FilingsWanted } from '../../../src/commands/ingest/filings.ts'
import { rechoosing } from '../../../src/commands/ingest/rechoose.ts'
import { watchListOf } from '../../../src/commands/ingest/watch-list.ts'
import { summedUp, type Work } from '../../../src/commands/progress/recorded.ts'
import type { Reporter } from '../../../src/commands/progress/reporter.ts'
import { ownShape } from '../../../src/database.ts'
import { edgarClient } from '../../../src/fetch/client.ts'
import type { World } from '../world.ts'
import { daysAgo } from './made.ts'

export interface Following {
  reported: Record<string, unknown>[]
  summary: Work['summary']
  /** Settles when following has ended. */
  ended: Promise<unknown>
  /** Stops following. @returns milliseconds that stopping took */
  stop(): Promise<number>
}

export async function following(
  t: { after(end: () => Promise<void>): void },
  { sql, submissions, host }: Pick<World, 'sql' | 'submissions' | 'host'>,
  {
    intervalMs = 30,
    indexMs = 100,
    stopMs,
    datasets = ['formd'],
    chosen,
    watch,
    rechoose,
    from = daysAgo(5),
    store,
  }: {
    intervalMs?: number
    indexMs?: number
    stopMs?: number
    datasets?: string[]
    chosen?: readonly string[]
    /** A watch list, instead of `chosen`. */
    watch?: string
    /** Called instead of reading `watch` again. */
    rechoose?: FilingsWanted['rechoose']
    /** First day of the wanted filings. */
    from?: string
    store?: App['store']
  } = {},
): Promise<Following> {
  const client = edgarClient({
    ...{ baseUrl: host.url, userAgent: null, timeoutMs: 1_500, attempts: 2, pauseMs: 10 },
    sleep: async (ms) => void (await new Promise((resolve) => setTimeout(resolve, Math.min(ms, 5)))),
  })
  const app = {
    sql,
    client,
    dataClient: client,
    store,
    clients: [client],
    submissions,
    keeping: {},
    disk: 'the disk of the database in the data folder /data',
    shape: await ownShape(),
    stale: [],
    // Following uses no other member of an app.
  } as unknown as App
  const reported: Following['reported'] = []
  const report = (one: object) => void reported.push(one as Record<string, unknown>)
  const nothing = () => {}
  const reporter: Reporter = {
    ...{ stage: nothing, progress: nothing, waits: nothing, position: () => null },
    ...{ fact: report, note: (_, one) => report(one ?? {}), problem: report, summary: nothing, close: nothing },
  }
  const stop = new AbortController()
  const begun = Promise.withResolvers<Work['summary']>()
  const recorded = { command: 'ingest', what: 'all --follow', app, reporter, signal: stop.signal, isLasting: true }
  const ended = summedUp(recorded, async (work) => {
    begun.resolve(work.summary)
    const claim = await claimFor(app, reporter, stop.signal)
    const list = watch === undefined ? undefined : await watchListOf({ watch })
    const own = { claim, again: false }
    const filers = list
      ? await chooseFilers(work, list, own)
      : chosen?.map((cik, at) => ({ cik, entry: cik, place: `entry ${at + 1}` }))
    const ofFilers = filers ? { ciks: filers.map(({ cik }) => cik), chosen: filers } : {}
    const again = rechoose ?? (list && rechoosing(work, watch!, list, own))
    const options = { again: false, retry: false, workers: 2, singly: false }
    const filings = { datasets, from, ...options, ...ofFilers, rechoose: again, claim }
    await follow(work, filings, { intervalMs, indexMs, ...(stopMs === undefined ? {} : { stopMs }) })
    await claim.release()
  })
  ended.catch((error) => begun.reject(error))
  let isStopped = false
  const end = async () => {
    isStopped = true
    const began = performance.now()
    stop.abort(new Error('stopped'))
    await ended.finally(() => client.close())
    return performance.now() - began
  }
  ended.catch(() => {
    isStopped = true
  })
  t.after(async () => void (isStopped || (await end())))
  return { reported, summary: await begun.promise, ended, stop: end }
}
