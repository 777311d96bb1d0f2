/** Metrics of the data: waiting and failed tasks, the age of the data, and the time of the last successful ingest. */
import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Registry } from 'prom-client'
import Gauge from 'prom-client/lib/gauge.js'
import {
  type Backlog,
  backlog,
  newestEditions,
  newestOfFamilies,
  readCounts,
  readThrough,
} from '../../ingest/backlog.ts'
import { type FeedState, feedState } from '../../ingest/feed/gaps.ts'
import { lastSuccesses } from '../../ingest/runs.ts'
import type { Sql } from '../../store/db.ts'
import { operatingState } from '../../store/operating.ts'
import { memoized } from '../memoized.ts'

interface Reading {
  tasks: Backlog[]
  families: Awaited<ReturnType<typeof newestOfFamilies>>
  editions: Awaited<ReturnType<typeof newestEditions>>
  through: string | null
  successes: Awaited<ReturnType<typeof lastSuccesses>>
  operating: Awaited<ReturnType<typeof operatingState>>
  feed: FeedState
}

/**
 * One reading serves all scrapes for `KEEP_MS`, or for `KEEP_TIMES` times the duration of the reading if that is
 * longer. So reading takes at most a hundredth of the time.
 */
const KEEP_MS = 5_000
const KEEP_TIMES = 100
/** Maximum wait of a scrape for an unreachable database. The missing metrics then show the outage to the operator. */
const WAIT_MS = 2_000

/**
 * Adds gauges of the data, read from the database when they are scraped. Long: it is a list of gauges, each with its
 * query.
 *
 * @param now in milliseconds since 1970
 * @param dataDir the folder whose disk is watched; null for none
 */
export function addDataMetrics(
  registry: Registry,
  { sql, now, dataDir }: { sql: Sql; now: () => number; dataDir: string | null },
): void {
  const read = memoized(() => readAll(sql), { keepMs: KEEP_MS, times: KEEP_TIMES, waitMs: WAIT_MS })
  const gauge = (
    name: string,
    help: string,
    labelNames: string[],
    values: (reading: Reading) => readonly (readonly [labels: Record<string, string>, value: number])[],
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        this.reset()
        const { value: reading, is } = await read()
        if (reading && is === 'current') for (const [labels, value] of values(reading)) this.set(labels, value)
      },
    })
  const ageOf = (day: string) => Math.max(0, (now() - endOf(day)) / 1000)

  gauge('openfilings_filings_pending', 'Filings that wait to be read', ['dataset'], ({ tasks }) =>
    tasks.map(({ dataset, pending }) => [{ dataset }, pending]),
  )
  gauge('openfilings_filings_failed', 'Filings that could not be read', ['dataset'], ({ tasks }) =>
    tasks.map(({ dataset, failed }) => [{ dataset }, failed]),
  )
  gauge(
    'openfilings_filings_of_sets',
    'Filings that have their rows from quarterly sets, and whose submissions were not read',
    ['dataset'],
    ({ tasks }) => tasks.map(({ dataset, of_sets }) => [{ dataset }, of_sets]),
  )
  gauge(
    'openfilings_newest_filing_timestamp_seconds',
    'Day of the newest filing of a family, at 00:00 UTC',
    ['family'],
    ({ families }) => families.map(({ family, filed }) => [{ family }, Date.parse(filed) / 1000]),
  )
  gauge(
    'openfilings_last_success_timestamp_seconds',
    'When a command last did all that was requested',
    ['command', 'what'],
    ({ successes }) => successes.map(({ command, what, ended_at }) => [{ command, what }, Date.parse(ended_at) / 1000]),
  )
  gauge(
    'openfilings_feed_gaps_open',
    'Gaps of the feed of current filings in which filings may be missing, since their daily indexes are not read yet',
    [],
    ({ feed }) => [[{}, feed.open]],
  )
  gauge(
    'openfilings_feed_unread_entries',
    'Entries of the feed of current filings that could not be read, and that no index has listed since',
    [],
    ({ feed }) => [[{}, feed.unread]],
  )
  gauge(
    'openfilings_feed_newest_accepted_timestamp_seconds',
    'When EDGAR accepted the newest entry that was read from the feed of current filings',
    [],
    ({ feed: { reading } }) => (reading ? [[{}, Date.parse(reading.newest_at) / 1000]] : []),
  )
  gauge(
    'openfilings_webhooks',
    'Webhooks whose last delivery succeeded (active) or failed (failing), and webhooks that are paused (paused)',
    ['state'],
    ({ operating: { webhooks } }) => Object.entries(webhooks).map(([state, count]) => [{ state }, count]),
  )
  gauge(
    'openfilings_webhook_deliveries_dead',
    'Deliveries to webhooks that were given up, and not sent again since',
    [],
    ({ operating }) => [[{}, operating.dead]],
  )
  gauge(
    'openfilings_edgar_paused_until_timestamp_seconds',
    'No process sends requests to EDGAR before this moment, after its rate limit page; 0 if there was no pause',
    [],
    ({ operating }) => [[{}, operating.pausedUntil]],
  )
  if (dataDir !== null) addDisk(registry, dataDir)
  gauge(
    'openfilings_data_lag_seconds',
    'Time since the end of the last day that was loaded, for the indexes of filings and for each series of files',
    ['source'],
    ({ through, editions }) => [
      ...(through ? [[{ source: 'filings' }, ageOf(through)] as const] : []),
      ...editions.map(({ series, through: day }) => [{ source: series }, ageOf(day)] as const),
    ],
  )
}

/**
 * Measures the disk that holds the archive and, if used, the embedded database. The metrics are absent while the folder
 * cannot be read.
 */
function addDisk(registry: Registry, dataDir: string): void {
  const gauge = (name: string, help: string, bytes: (disk: StatsFs) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.reset()
        const disk = await statfs(dataDir).catch(() => null)
        if (disk) this.set(bytes(disk))
        else this.remove()
      },
    })
  gauge(
    'openfilings_disk_free_bytes',
    'Free bytes of the disk of the data folder',
    ({ bavail, bsize }) => bavail * bsize,
  )
  gauge('openfilings_disk_size_bytes', 'Bytes of the disk of the data folder', ({ blocks, bsize }) => blocks * bsize)
}

async function readAll(sql: Sql): Promise<Reading> {
  const [listed, waiting, families, editions, through, successes, feed, operating] = await Promise.all([
    readCounts(sql),
    backlog(sql),
    newestOfFamilies(sql),
    newestEditions(sql),
    readThrough(sql),
    lastSuccesses(sql),
    feedState(sql),
    operatingState(sql),
  ])
  // A dataset with nothing to do still has a line with 0. Without this line, an alert could not distinguish the dataset
  // from a dataset that is not watched.
  const idle = listed.filter(({ dataset }) => !waiting.some((each) => each.dataset === dataset))
  const tasks = [...waiting, ...idle.map(({ dataset }) => ({ dataset, pending: 0, failed: 0, of_sets: 0 }))]
  return { tasks, families, editions, through, successes, feed, operating }
}

/**
 * The end of a day, in milliseconds since 1970. The age is computed in UTC, so it begins some hours before the day ends
 * in New York.
 */
const endOf = (day: string) => Date.parse(day) + 86_400_000
