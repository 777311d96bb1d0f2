/** Makes the objects that all requests of a server share, and the metrics that count requests. */
import type { Cost } from '../../declare/route.ts'
import { WideColumns } from '../files/parquet.ts'
import { keyring } from '../keyring.ts'
import { limiter } from '../limits.ts'
import { sharedReadings } from '../stream/pages.ts'
import type { StreamParts } from '../stream/send.ts'
import { answerCache } from './cache.ts'
import { FETCHES_MAX, shares } from './costs.ts'
import { FairSemaphore } from './fair-semaphore.ts'
import { inFlight } from './in-flight.ts'
import { type Metrics, metrics as makeMetrics } from './metrics.ts'
import type { ServerOptions } from './options.ts'
import type { Parts, SharedRun } from './request.ts'
import { type Changes, type DataVersions, lookedAgain } from './version.ts'

/** Interval at which streams that read a replica check whether it has caught up. */
const REPLICA_LOOK_MS = 5_000

/**
 * @param stop `closing` aborts when the server begins to close; `isEnding` states whether running answers are cut off
 */
export function partsOf(
  options: ServerOptions,
  data: DataVersions,
  stop: { closing: AbortSignal; isEnding: () => boolean },
): Parts & { metrics: Metrics } {
  const { sql, readers, now } = options
  // A key may get a second file while its first one is read slowly. The limit also bounds the memory for its files.
  const files = inFlight('files', { max: 2 })
  // A stream takes 7 KB (bench/streams.ts) and at most one page of 50 KB that its client has not read. All 4,000
  // streams together take 230 MB.
  const streams = inFlight('streams', { max: 50, maxOfAll: 4_000 })
  const metrics = makeMetrics({
    dataVersion: data.total,
    cacheBytes: () => cache.bytes,
    poolMax: readers.max,
    filesInFlight: () => files.count,
    streamsInFlight: () => streams.count,
    data: { sql: options.metricsSql ?? sql, now: () => now().getTime(), dataDir: options.dataDir ?? null },
  })
  const cache = answerCache<SharedRun>({
    bytesMax: options.cacheBytes ?? 64 * 1024 * 1024,
    onOutcome: metrics.cache,
  })
  return {
    ...options,
    ...stop,
    whyClosed: options.whyClosed ?? (() => null),
    files,
    fileSlotWaitMs: options.fileSlotWaitMs ?? 120_000,
    wideColumns: new WideColumns(),
    fileStallMs: options.fileStallMs ?? 300_000,
    ...streamParts(options, data),
    streams,
    ...slotsOf(options, metrics),
    cache,
    pageBytes: (options.cacheBytes ?? 64 * 1024 * 1024) / 4,
    dataVersion: data.of,
    metrics,
    keys: keyring(sql, { now }),
    limiter: options.limiter ?? limiter(),
  }
}

/**
 * Options of streams. A replica shows a change later than the primary announces it, so streams that read a
 * replica check again.
 */
function streamParts(
  { readers, heartbeatMs = 15_000, streamStallMs = 60_000 }: ServerOptions,
  data: Changes,
): Pick<StreamParts, 'changes' | 'shared' | 'heartbeatMs' | 'streamStallMs'> {
  const changes = readers.snapshot ? lookedAgain(data, REPLICA_LOOK_MS) : data
  return { changes, shared: sharedReadings(data.count), heartbeatMs, streamStallMs }
}

/** Slots for the database, and for requests to EDGAR. */
function slotsOf(options: ServerOptions, metrics: Metrics): Pick<Parts, 'slots' | 'fetches'> {
  // `fetchWaitMs` is longer than a slow answer of EDGAR with retries, but shorter than the time that clients and
  // proxies wait.
  const { readers, statementTimeoutMs = 15_000, fetchWaitMs = 25_000, slotWaitMs: waitMs } = options
  const queue = { onRefusal: metrics.noSlot, ...(waitMs === undefined ? {} : { waitMs }) }
  const classes = shares(statementTimeoutMs)
  const own = new FairSemaphore<Cost>({ classes, max: readers.max, ...queue })
  const fetches = new FairSemaphore<'fetch'>({
    classes: { fetch: { slots: 1, timeMs: fetchWaitMs } },
    max: FETCHES_MAX,
    ...queue,
  })
  metrics.watch(own, Object.keys(classes) as Cost[])
  metrics.watch(fetches, ['fetch'])
  return { slots: own, fetches }
}
