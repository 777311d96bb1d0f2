/** Makes the text of `/metrics`. No metric names a key or an account, since `/metrics` can be read without a key. */
import Counter from 'prom-client/lib/counter.js'
import Gauge from 'prom-client/lib/gauge.js'
import Histogram from 'prom-client/lib/histogram.js'
import Registry from 'prom-client/lib/registry.js'
import type { Code } from '../../declare/api-errors.ts'
import type { Bucket } from '../../declare/route.ts'
import type { Outcome } from './cache.ts'
import type { FairSemaphore, Refusal } from './fair-semaphore.ts'
import { addDataMetrics } from './metrics-data.ts'

/**
 * Why a stream ended. `gone`: its client is gone. `stalled`: its client reads nothing. `refused`: its key is no longer
 * valid. `failed`: an error occurred. `closed`: the server stopped.
 */
export type StreamOutcome = 'gone' | 'stalled' | 'refused' | 'failed' | 'closed'

export interface Metrics {
  /**
   * Counts one answered request. `route` is the name of the route, the label of a page, or `unmatched`. `seconds` is
   * null for a stream.
   */
  request(route: string, status: number, bucket: Bucket | 'none', seconds: number | null): void
  /** Counts an answer that is an error or was cut off by an error. */
  error(code: Code): void
  refusal(bucket: Bucket): void
  /**
   * Counts a file that ended. `whole`: the file is complete. `cut`: an error or the stop of the server cut the file
   * off. `gone`: the client closed the connection.
   */
  file(format: string, outcome: 'whole' | 'cut' | 'gone'): void
  /** Counts a stream that ended. */
  stream(outcome: StreamOutcome): void
  /** Counts one attempt to deliver to a webhook, or a delivery that was given up. */
  webhook(outcome: string): void
  cache(outcome: Outcome): void
  /** Counts a request that got no slot. */
  noSlot(cost: string, why: Refusal): void
  /** Counts a connection that was closed because the maximum number of connections was reached. */
  tooManyConnections(): void
  /** Adds gauges of how many requests of each class have a slot and how many wait for one. */
  watch<C extends string>(slots: FairSemaphore<C>, costs: readonly C[]): void
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>
  readonly type: string
}

/** The time series of one route: its answers by status, and their durations. */
interface Lines {
  counts: Map<number, Count>
  durations: Histogram.Internal<string>
}

/** A time series, and what was counted since the metrics were read last. */
interface Count {
  series: Counter.Internal
  more: number
}

/**
 * Makes the metrics of one server. The values of gauges are read when `/metrics` is scraped. Long: this function
 * lists all metrics.
 */
export function metrics(read: {
  dataVersion: () => number | null
  cacheBytes: () => number
  poolMax: number
  filesInFlight: () => number
  streamsInFlight: () => number
  data: Parameters<typeof addDataMetrics>[1]
}): Metrics {
  const registry = new Registry()
  const registers = [registry]

  const requests = new Counter({
    name: 'openfilings_http_requests_total',
    help: 'Requests answered',
    labelNames: ['route', 'status', 'bucket'],
    registers,
  })
  const errors = new Counter({
    name: 'openfilings_http_errors_total',
    help: 'Answers with an error by its code, and answers that were cut off by an error',
    labelNames: ['code'],
    registers,
  })
  const duration = new Histogram({
    name: 'openfilings_http_request_duration_seconds',
    help: 'Time from the request line until the last byte was handed over',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const refusals = new Counter({
    name: 'openfilings_limit_refusals_total',
    help: 'Requests refused with 429',
    labelNames: ['bucket'],
    registers,
  })
  const answers = new Counter({
    name: 'openfilings_cache_answers_total',
    help: 'Cacheable answers by their origin: hit, shared with a running request, or miss',
    labelNames: ['outcome'],
    registers,
  })
  const files = new Counter({
    name: 'openfilings_files_total',
    help: 'Lists sent as files, by how they ended: whole, cut (by an error or the end of the server), or gone (the client disconnected)',
    labelNames: ['format', 'outcome'],
    registers,
  })
  const streams = new Counter({
    name: 'openfilings_streams_total',
    help: 'Streams of events by how they ended: gone or stalled (the client), refused (the key), failed, closed (the server)',
    labelNames: ['outcome'],
    registers,
  })
  const webhooks = new Counter({
    name: 'openfilings_webhook_deliveries_total',
    help: 'Tries of deliveries to webhooks: delivered or failed; and deliveries that were given up',
    labelNames: ['outcome'],
    registers,
  })
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  const slotRefusals = new Counter({
    name: 'openfilings_places_refused_total',
    help: 'Requests refused with 503 because too many waited (full) or the wait was too long (late)',
    labelNames: ['class', 'reason'],
    registers,
  })
  const connections = new Counter({
    name: 'openfilings_connections_refused_total',
    help: 'Connections closed because the maximum number was reached',
    registers,
  })
  const watched: (() => void)[] = []
  const byClass = (name: string, help: string) => new Gauge({ name, help, labelNames: ['class'], registers })
  const running = byClass(
    'openfilings_places_running',
    'Requests that use a connection of the database (point, list, heavy) or wait for EDGAR (fetch)',
  )
  const waiting = byClass('openfilings_places_waiting', 'Requests that wait for a connection or for EDGAR')
  gauge('openfilings_database_pool_max', 'Connections that requests may use at once', () => read.poolMax)
  gauge('openfilings_files_under_way', 'Files of whole lists that are being sent', read.filesInFlight)
  gauge('openfilings_streams_under_way', 'Streams of events that are being followed', read.streamsInFlight)
  gauge('openfilings_cache_bytes', 'Bytes of answers kept in memory', read.cacheBytes)
  gauge(
    'openfilings_data_version',
    'Number of times that data changed, for all slices together; -1 before it is known',
    () => read.dataVersion() ?? -1,
  )

  addDataMetrics(registry, read.data)

  let collecting: Promise<void> | undefined
  /**
   * Adds the metrics of the process, the heap, the garbage collection and the event loop lag at the first scrape.
   * Adding them loads OpenTelemetry, which takes 35 ms of processor time, and most processes are never scraped.
   */
  const ofProcess = () => {
    collecting ??= import('prom-client/lib/defaultMetrics.js').then(({ default: collect }) => {
      collect({ register: registry })
    })
    return collecting
  }

  // The library finds a time series by sorting and joining its labels, which takes 0.7 µs. An answer from memory takes
  // 40 µs, and 595,000 refusals in a minute were measured. So frequent events are counted here, and their counts are
  // added to the time series when the metrics are read.
  const counts: Count[] = []
  const countOf = <K>(known: Map<K, Count>, key: K, seriesOf: () => Counter.Internal): Count => {
    let found = known.get(key)
    if (!found) {
      found = { series: seriesOf(), more: 0 }
      known.set(key, found)
      counts.push(found)
    }
    return found
  }

  // The bucket need not be a part of a key, since each route has only one bucket.
  const lines = new Map<string, Lines>()
  const linesOf = (route: string): Lines => {
    let found = lines.get(route)
    if (!found) {
      found = { counts: new Map(), durations: duration.labels({ route }) }
      lines.set(route, found)
    }
    return found
  }
  const codes = new Map<Code, Count>()
  const outcomes = new Map<Outcome, Count>()

  return {
    request(route, status, bucket, seconds) {
      const line = linesOf(route)
      countOf(line.counts, status, () => requests.labels({ route, status, bucket })).more++
      if (seconds !== null) line.durations.observe(seconds)
    },
    error(code) {
      countOf(codes, code, () => errors.labels({ code })).more++
    },
    refusal: (bucket) => refusals.inc({ bucket }),
    file: (format, outcome) => files.inc({ format, outcome }),
    stream: (outcome) => streams.inc({ outcome }),
    webhook: (outcome) => webhooks.inc({ outcome }),
    cache(outcome) {
      countOf(outcomes, outcome, () => answers.labels({ outcome })).more++
    },
    noSlot: (cost, why) => slotRefusals.inc({ class: cost, reason: why }),
    tooManyConnections: () => connections.inc(),
    watch(slots, costs) {
      watched.push(() => {
        for (const cost of costs) {
          running.set({ class: cost }, slots.running(cost))
          waiting.set({ class: cost }, slots.waiting(cost))
        }
      })
    },
    async text() {
      for (const read of watched) read()
      for (const count of counts) {
        count.series.inc(count.more)
        count.more = 0
      }
      await ofProcess()
      return registry.metrics()
    },
    type: registry.contentType,
  }
}
