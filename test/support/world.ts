/** A complete ingest environment for tests: an EDGAR on loopback, a database, and an archive in a temporary folder. */
import { globSync, rmSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { boundedStore, CACHE } from '../../src/archive/cache.ts'
import { diskStore, type Store } from '../../src/archive/store.ts'
import { type Keeping, type Submissions, submissions } from '../../src/archive/submissions.ts'
import { companiesIn } from '../../src/commands/sample-work.ts'
import type { Catalog } from '../../src/declare/catalog.ts'
import { relationsOf } from '../../src/declare/dataset.ts'
import { readsOfForms } from '../../src/declare/kept.ts'
import { type EdgarClient, edgarClient } from '../../src/fetch/client.ts'
import { type BulkOptions, type EditionOutcome, ingestBulk } from '../../src/ingest/bulk/ingest.ts'
import { crawl } from '../../src/ingest/crawl.ts'
import { drain, type IngestResult } from '../../src/ingest/ingest.ts'
import type { IndexResult } from '../../src/ingest/spine.ts'
import registry from '../../src/registry.ts'
import type { Connection, Sql } from '../../src/store/db.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { type Host, startHost } from './edgar-host.ts'

export const checkout = path.resolve(import.meta.dirname, '../..')
export const sample = path.join(checkout, 'sample')

type After = { after(fn: () => Promise<void>): void }

export interface World {
  sql: Sql
  slices: Catalog['slices']
  /** Address of the database. */
  target: Connection['target']
  host: Host
  client: EdgarClient
  submissions: Submissions
  /** Kinds of submissions that the archive keeps: by default those that datasets read, as in production. */
  keeping: Keeping
  store: Store
  /** The archive's folder. */
  archive: string
  /** Reads the indexes of the given days; by default reads the indexes of all quarters that the root has. */
  crawl(options?: { from?: string; to?: string; now?: Date; again?: boolean }): Promise<IndexResult[]>
  drain(
    options?: { datasets?: string[]; workers?: number } & Partial<Parameters<typeof drain>[0]>,
  ): Promise<IngestResult>
  /** Loads the adviser files. */
  bulk(options?: Partial<BulkOptions>): Promise<EditionOutcome[]>
}

/** Opens a database with the schema of the catalog and no data. */
export async function openWorld(
  t: After,
  options: { root?: string; catalog?: Catalog; database?: FreshDatabase } = {},
): Promise<World> {
  const { root = sample, catalog = registry } = options
  const { sql, target } = options.database ?? (await freshDatabase(t))
  const host = await startHost({ root })
  t.after(() => host.close())
  const folder = await temporaryFolder(t)
  // Waiting is tested in the client's own test; here retries and pauses take milliseconds.
  const sleep = (ms: number) => delay(Math.min(ms, 5))
  // If a test makes half of all answers fail, one filing in fifty would exhaust five attempts.
  const client = edgarClient({ baseUrl: host.url, userAgent: null, sleep, pauseMs: 10, timeoutMs: 5000, attempts: 15 })
  t.after(() => client.close())
  const archive = path.join(folder, 'archive')
  const store = diskStore(archive)
  const cache = boundedStore(path.join(archive, CACHE), 1e9)
  const keeping: Keeping = { readsOf: readsOfForms(catalog), cache }
  const own = submissions({ sql, store, client, keeping })
  const datasets = [...catalog.filings.map(({ slug }) => slug), 'header']
  return {
    sql,
    slices: catalog.slices,
    target,
    host,
    client,
    submissions: own,
    keeping,
    store,
    archive,
    crawl: ({ from, to, now = new Date('2026-11-21T12:00:00Z'), again = false } = {}) =>
      crawl({
        sql,
        catalog,
        client,
        now,
        again,
        ...(from || to ? EVER : indexed(root)),
        ...(from && { from }),
        ...(to && { to }),
      }),
    drain: ({ datasets: some = datasets, workers = 2, ...more } = {}) =>
      drain({ sql, catalog, submissions: own, selection: { datasets: some }, workers, ...more }),
    bulk: (options = {}) =>
      ingestBulk({
        ...{ sql, slices: catalog.slices, datasets: catalog.bulk, store, client },
        dated: { client, dataClient: client, ...companiesIn(root) },
        ...options,
      }),
  }
}

const EVER = { from: '1993-01-01', to: '2026-12-31' }

/**
 * Returns the days from the first to the last quarter for which a root has indexes, since requests for other quarters
 * would fail.
 */
function indexed(root: string): { from: string; to: string } {
  const quarters = globSync('Archives/edgar/{full,daily}-index/*/QTR*', { cwd: root })
    .map((folder) => folder.replace(/^.*(\d{4}).QTR(\d)$/, '$1$2'))
    .sort()
  const [first, last] = [quarters[0], quarters.at(-1)]
  if (!first || !last) return EVER
  const day = (quarter: string, days: readonly string[]) => `${quarter.slice(0, 4)}-${days[Number(quarter[4]) - 1]}`
  return {
    from: day(first, ['01-01', '04-01', '07-01', '10-01']),
    to: day(last, ['03-31', '06-30', '09-30', '12-31']),
  }
}

export async function temporaryFolder(t: After): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'openfilings-test-'))
  t.after(async () => {
    try {
      // An archive of 400 files takes 10 ms, and `rm` takes 55.
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Another process added a file meanwhile: `rm` looks again.
      await rm(folder, { recursive: true, force: true })
    }
  })
  // A database server that runs as another user must reach its data folder.
  await chmod(folder, 0o755)
  return folder
}

/** Makes a copy of the sample that a test may damage. */
export async function copyOfSample(t: After): Promise<string> {
  const folder = await temporaryFolder(t)
  await cp(sample, folder, { recursive: true })
  return folder
}

/** Writes `master.idx` of a quarter (`2025/QTR4`) or day (`2025/QTR4/20251203`) below a root, listing the given lines. */
export async function writeIndex(
  root: string,
  period: string,
  lines: readonly string[],
  { lastReceived = '' }: { lastReceived?: string } = {},
): Promise<void> {
  const [year, quarter, day] = period.split('/')
  const folder = path.join(root, 'Archives/edgar', day ? 'daily-index' : 'full-index', year!, quarter!)
  const head = [
    'Description:           Master Index of EDGAR Dissemination Feed',
    `Last Data Received:    ${lastReceived}`,
    '',
  ]
  const names = 'CIK|Company Name|Form Type|Date Filed|Filename'
  await mkdir(folder, { recursive: true })
  await writeFile(
    path.join(folder, day ? `master.${day}.idx` : 'master.idx'),
    [...head, names, '-'.repeat(80), ...lines, ''].join('\n'),
  )
}

let daysAhead = 0

/**
 * Dates the whole index of a quarter to two days after the previous one, and after all known filings. A filing that is
 * missing in two such indexes counts as removed.
 *
 * @returns a moment an hour later, for reading it
 */
export async function madeLater(root: string, period: string): Promise<Date> {
  daysAhead += 2
  const made = Date.now() + daysAhead * 86_400_000
  const [year, quarter] = period.split('/')
  const file = path.join(root, 'Archives/edgar/full-index', year!, quarter!, 'master.idx')
  await utimes(file, new Date(made), new Date(made))
  return new Date(made + 3_600_000)
}

/** Returns every row of every table that ingest fills, without times, for comparing two runs. */
export async function everyRow(
  sql: Sql,
  { slices }: Pick<Catalog, 'slices'> = registry,
): Promise<Record<string, unknown[]>> {
  const spine = {
    filing: 'first_seen_at',
    filer: 'name_id',
    filing_item: '',
    coverage: '',
    submission: 'fetched_at,source_url',
    task: 'finished_at,attempts',
  }
  const tables = [
    ...Object.entries(spine).map(([name, omit]) => [`edgar.${name}`, omit] as const),
    ...slices.flatMap((dataset) => relationsOf(dataset).map((t) => [t.id, ''] as const)),
  ]
  // Runs one statement for all tables: most of the hundred tables are empty, and sending a statement costs more than
  // reading such a table.
  const each = tables.map(
    ([name, omit]) =>
      `select '${name}' as name, (to_jsonb(t) - string_to_array('${omit}', ','))::text as row from ${name} t`,
  )
  const found = await sql.unsafe<{ name: string; row: string }[]>(each.join(' union all '))
  found.sort((a, b) => (a.row < b.row ? -1 : a.row > b.row ? 1 : 0))
  const rows: Record<string, { row: string }[]> = Object.fromEntries(tables.map(([name]) => [name, []]))
  for (const { name, row } of found) rows[name]!.push({ row })
  return rows
}
