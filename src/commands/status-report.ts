/** Reads what `status` shows from the database and the archive. */
import path from 'node:path'
import { addressOf, cacheOf, hasEntries, placeOf } from '../archive/place.ts'
import { archiveSize } from '../archive/size.ts'
import type { Config } from '../config.ts'
import { type Database, readOnly } from '../database.ts'
import { UserError } from '../declare/errors.ts'
import * as backlog from '../ingest/backlog.ts'
import { chosenFailures, chosenOf } from '../ingest/chosen.ts'
import { feedState } from '../ingest/feed/gaps.ts'
import { marked } from '../ingest/marks.ts'
import { originOf } from '../ingest/origin.ts'
import { lastReads, latestRuns } from '../ingest/runs.ts'
import { databaseSize, withoutPassword } from '../store/db.ts'
import { delays } from '../store/delays.ts'
import { unlisted, unlistedCount } from '../store/unlisted.ts'
import { nextStart } from '../store/version.ts'

/** Maximum number of rows that are shown of each kind; counts are always complete. */
const RUNS_SHOWN = 10
const FAILURES_SHOWN = 20
const EDITIONS_SHOWN = 20
const SETS_SHOWN = 20
const INDEXES_SHOWN = 10
const UNLISTED_SHOWN = 20
/** Maximum time to read the archive's size: an archive of millions of files is not read to its end for one number. */
const ARCHIVE_LOOK_MS = 1_000

export type Report = Awaited<ReturnType<typeof reportOf>>

export async function reportOf(database: Database, config: Config) {
  const { sql, dataDir, shape, address, stale, lacking } = database
  const unknown: string[] = []
  /** A part of the report; null if the database does not have its tables or columns yet. */
  const part = async <T>(name: string, read: () => Promise<T>): Promise<T | null> => {
    try {
      return await readOnly(database, name, read)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      unknown.push(name)
      return null
    }
  }
  const loaded = await part('filings', () => backlog.loaded(sql))
  const newest = await part('families', () => backlog.newestOfFamilies(sql))
  const reads = (await part('reads', () => lastReads(sql))) ?? []
  return {
    database: { address: withoutPassword(address), bytes: await databaseSize(sql) },
    archive: await archiveOf(path.join(dataDir, 'archive'), config),
    version: { code: shape.version, database: lacking.madeBy, next: nextStart(lacking) },
    spine: loaded && { ...loaded, origin: await originOf(sql) },
    chosen: await part('chosen', async () => {
      const chosen = await chosenOf(sql)
      return chosen && { ...chosen, failures: await chosenFailures(sql, FAILURES_SHOWN) }
    }),
    runs: await part('runs', () => latestRuns(sql, RUNS_SHOWN)),
    rebuilds: await part('rebuilds', () => backlog.rebuilds(sql)),
    tasks: await part('tasks', () => tasksOf(database)),
    unread: await part('unread', () => backlog.unreadLeaves(sql)),
    marks: await part('marks', () => marked(sql)),
    failures: await part('failures', () => backlog.failures(sql, FAILURES_SHOWN)),
    families:
      newest?.map(({ family, filed }) => {
        const task = shape.tasks[family] ?? null
        return { family, filed, read_at: reads.find(({ dataset }) => dataset === task)?.read_at ?? null }
      }) ?? null,
    series: await part('series', () => backlog.newestEditions(sql)),
    editions: await part('editions', () => backlog.editionLines(sql, EDITIONS_SHOWN)),
    sets: await part('sets', () => backlog.setLines(sql, SETS_SHOWN)),
    delays: await part('delays', () => delays(sql)),
    feed: await part('feed', () => feedState(sql)),
    watermarks: await part('watermarks', () => backlog.watermarks(sql, INDEXES_SHOWN)),
    indexesRead: await part('indexesRead', () => backlog.watermarkCount(sql)),
    unlisted: await part('unlisted', async () => ({
      filings: await unlistedCount(sql),
      newest: await unlisted(sql, UNLISTED_SHOWN),
    })),
    indexProblems: await part('indexProblems', () => backlog.unreadLines(sql, null, 50)),
    stale: stale.map(({ slug, reason }) => ({ dataset: slug, reason })),
    /** Parts that are null because a database of an older version lacks their tables or columns. */
    unknown,
  }
}

/**
 * Where the archive is. For a bucket, `folder` and `bytes` are of its cache, since the size of a bucket takes a request
 * for each thousand objects.
 */
async function archiveOf(own: string, config: Config) {
  const place = placeOf(config)
  const folder = place ? cacheOf(own, place) : own
  return {
    /** Address of the bucket; null if the archive is in the folder. */
    url: place && addressOf(place),
    folder,
    ...(await archiveSize(folder, ARCHIVE_LOOK_MS)),
    /** Maximum size of the cache of a bucket. */
    max: place && config.ARCHIVE_GB * 1e9,
    /** Folder with entries from before the archive was in a bucket. */
    former: place && hasEntries(own) ? own : null,
  }
}

/** Filings of each dataset that were read, have their rows from quarterly sets, wait, or failed. */
async function tasksOf({ sql, shape }: Database) {
  const [counts, byName, waiting] = await Promise.all([
    backlog.readCounts(sql),
    backlog.requestedCounts(sql, shape.requested),
    backlog.backlog(sql),
  ])
  return [...counts, ...byName].map(({ dataset, filings, read }) => {
    const { pending = 0, failed = 0, of_sets = 0 } = waiting.find((each) => each.dataset === dataset) ?? {}
    // Counts of read filings are stored only for datasets. A header counts as read if it neither waits nor failed.
    return { dataset, read: dataset === 'header' ? filings - pending - failed : read, of_sets, pending, failed }
  })
}
