/**
 * Ingests filings in these steps: claim → archive → document → parse → load. Any number of workers and processes may
 * run at once. A process may be killed at any point: each filing is then either stored completely or still in the
 * queue. The reason is that a filing's rows, its task and the record of its archive entry change in one transaction.
 */

import type { Submissions } from '../archive/submissions.ts'
import type { Catalog } from '../declare/catalog.ts'
import type { Dataset, FilingsDataset } from '../declare/dataset.ts'
import type { Records } from '../declare/refresh.ts'
import type { Limits } from '../read/apart/call.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { append, type LoggedChange } from '../store/events.ts'
import { dataChanged } from '../store/meta.ts'
import { assertNotOvertaken, overtakenTables } from '../store/overtaken.ts'
import { madeApart } from '../store/partitions.ts'
import { ddlHashOf } from '../store/schema.ts'
import { type Batch, type FilingRead, fail, readBatch } from './batch.ts'
import { bisect } from './bisect.ts'
import { changesTo, withRows } from './dataset-changes.ts'
import { itemsOfText } from './items.ts'
import { closeDictionaries, type Into, loadRows, openDictionaries } from './load.ts'
import { mark, type Touched, touch } from './marks.ts'
import { claim, type Outcome, retryPassing, type Selection, settle, waitingOf } from './queue.ts'
import { journal } from './rebuild/shadow.ts'
import { type Refreshing, refreshing } from './refresh.ts'
import { ofSubmission } from './sets/origin.ts'

interface IngestOptions extends Pick<Refreshing, 'onRefused' | 'onMaking' | 'refreshMs'> {
  sql: Sql
  catalog: Catalog
  submissions: Submissions
  selection: Selection
  /** Number of workers in this process. */
  workers: number
  /** Called after each committed batch. */
  onBatch?: (outcomes: readonly Outcome[]) => void
  /** No batch begins after this moment (of `performance.now()`); the remaining tasks wait for the next call. */
  until?: number | undefined
  /**
   * Whether tasks that failed for a temporary reason are put back into the queue; true by default. A long-running
   * command sets it to false, because it decides itself which of these tasks are due.
   */
  retries?: boolean
  /** Aborting the signal ends every wait; filings that were read by then are stored. */
  signal?: AbortSignal | undefined
  /** Limits for reading one filing, if they differ from the usual limits. */
  limits?: Partial<Limits>
}

export interface IngestResult {
  done: number
  failed: number
  unread: number
}

/**
 * Number of filings of one transaction: enough filings to share the cost of the transaction, and so few that a killed
 * process loses little work.
 */
const BATCH_SIZE = 20

/**
 * Works on pending tasks until only tasks remain that other workers hold. First puts tasks that failed for a temporary
 * reason back into the queue. Each of these is tried once a run, so that a long outage of EDGAR does not cause endless
 * requests. At the end, refreshes the rollups that the filings affect.
 *
 * @throws EdgarError if EDGAR refuses all requests, and errors of the database for which `endsRun` is true; tasks then
 *   stay pending. The signal's reason before the first task
 */
export async function drain(options: IngestOptions): Promise<IngestResult> {
  const { slices } = options.catalog
  return refreshing({ ...options, slices }, (loaded) => drainTasks(options, loaded))
}

async function drainTasks(options: IngestOptions, loaded: () => void): Promise<IngestResult> {
  const { sql, catalog, selection } = options
  const definitions = ddlHashes(catalog.filings.filter(({ slug }) => selection.datasets.includes(slug)))
  const result = { done: 0, failed: 0, unread: 0 }
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  const isOver = () => signal.aborted || performance.now() >= (options.until ?? Number.POSITIVE_INFINITY)
  async function work(accessions?: readonly string[]) {
    while (!isOver()) {
      const { outcomes, ending } = await sql.begin((tx) => workOn(tx, { ...options, signal }, definitions, accessions))
      for (const outcome of outcomes) {
        result[outcome.error === null ? 'done' : 'failed']++
        result.unread += outcome.unreadPaths.length
      }
      if (outcomes.length > 0) {
        options.onBatch?.(outcomes)
        loaded()
      }
      if (ending !== null) throw ending
      if (outcomes.length === 0) return
    }
  }
  if (selection.datasets.length === 0) return result
  if (options.retries ?? true) await retryPassing(sql, selection, options.signal)
  async function workAll(accessions?: readonly string[]) {
    const loops = Array.from({ length: options.workers }, () =>
      work(accessions).catch((error) => {
        // The other workers depend on the same EDGAR and the same database, so they stop too.
        stop.abort()
        throw error
      }),
    )
    const ended = await Promise.allSettled(loops)
    const failure = ended.find((loop) => loop.status === 'rejected')
    if (failure) throw failure.reason
  }
  if (!selection.ciks) await workAll()
  else {
    for await (const accessions of waitingOf(sql, selection)) {
      if (isOver()) break
      await workAll(accessions)
    }
  }
  return result
}

async function workOn(
  tx: Transaction,
  { sql, selection, catalog, submissions, signal, limits = {} }: IngestOptions,
  definitions: ReadonlyMap<string, string>,
  accessions: readonly string[] | undefined,
): Promise<{ outcomes: Outcome[]; ending: unknown }> {
  await holdDefinitions(tx, definitions)
  const tasks = await claim(tx, selection, BATCH_SIZE, accessions)
  if (tasks.length === 0) return { outcomes: [], ending: null }
  let logged: LoggedChange[] = []
  const batch = await readBatch(tasks, { datasets: catalog.filings, submissions, tx, signal, limits })
  try {
    logged = await store(tx, sql, catalog, batch, submissions)
  } finally {
    batch.done()
  }
  const outcomes = batch.filings.map(({ task, error, passing, unreadPaths, problems }) => {
    return { task, error, passing, unreadPaths, problems }
  })
  if (outcomes.length > 0) await settle(tx, outcomes)
  await append(tx, logged)
  // The headers of the filings that were left for another batch are also known now, so the data of their datasets has
  // changed too.
  const slugs = [...batch.filings, ...batch.left].map(({ task }) => task.dataset)
  if (slugs.length > 0) await dataChanged(tx, slugs)
  return { outcomes, ending: batch.ending }
}

/**
 * Stores archive entries, rows and marks of a batch. If the database refuses part of a filing, only that filing fails.
 *
 * @returns how the rows changed
 */
async function store(
  tx: Transaction,
  sql: Sql,
  { slices }: Catalog,
  { filings, left }: Batch,
  submissions: Submissions,
): Promise<LoggedChange[]> {
  // If the database refuses one of the submissions, they are recorded in parts, and then too they must be locked in the
  // order of `record`.
  const obtained = [...filings, ...left]
    .filter((filing) => filing.submission)
    .sort((a, b) => (a.task.accession < b.task.accession ? -1 : 1))
  await bisect(
    tx,
    obtained,
    (sp, some) =>
      submissions.record(
        sp,
        some.map(({ task, submission }) => ({ filing: task, submission: submission! })),
      ),
    fail,
  )
  const byDataset = Map.groupBy(filings, ({ dataset }) => dataset)
  const datasets = [...byDataset.keys()].filter((dataset) => dataset !== null)
  const touched: Touched = new Map()
  const read = new Map(datasets.map((dataset) => [dataset, recordsOf(byDataset.get(dataset)!)]))
  const logged: LoggedChange[] = []
  for (const [dataset, records] of read) {
    const own = byDataset.get(dataset)!
    const before = await withRows(tx, dataset, records.keys)
    await touch(tx, touched, slices, dataset, records, 'before_load')
    await loadEach(tx, dataset, own, { schema: dataset.slug, partitions: madeApart(sql) })
    await touch(tx, touched, slices, dataset, records, 'after_load')
    // `archived` includes the filings that could not be read: a rebuild must know that these failed.
    const archived = own.filter(({ submission }) => submission).map(({ task }) => task.accession)
    await journal(tx, dataset, 'record', archived)
    const after = await withRows(tx, dataset, records.keys)
    const loaded = own.filter(({ error }) => error === null).map(({ task }) => task.accession)
    logged.push(...changesTo(dataset, { before, after, loaded }))
  }
  await mark(tx, touched)
  // Closing a dictionary waits for other workers that insert the same entries. So the dictionaries are closed in the
  // order of slugs, and before `settle`, `append` and `dataChanged` take their locks. Otherwise two workers could wait
  // for each other.
  for (const dataset of datasets.toSorted((a, b) => (a.slug < b.slug ? -1 : 1))) await closeDictionaries(tx, dataset)
  return logged
}

/** Returns the filings whose rows are about to be replaced. */
const recordsOf = (filings: readonly FilingRead[]): Records => ({
  series: null,
  keys: filings.filter(({ rows }) => rows).map(({ task }) => task.accession),
  day: null,
})

/**
 * Loads the filings that were read and not refused before. If the database refuses part of a filing, only that filing
 * fails. Call `closeDictionaries` next.
 */
export async function loadEach(
  tx: Transaction,
  dataset: FilingsDataset,
  filings: readonly FilingRead[],
  into: Into,
): Promise<void> {
  await openDictionaries(tx, dataset, into.schema)
  const load = async (sp: Transaction, some: readonly FilingRead[]) => {
    const read = some.map(({ task, rows }) => ({ accession: task.accession, filedDate: task.filed_date, rows: rows! }))
    await loadRows(sp, dataset, read, into)
    // A rebuild stores these items later, when its tables replace the served tables.
    if (into.schema === dataset.slug)
      await itemsOfText(
        sp,
        dataset,
        read.map(({ accession }) => accession),
      )
    if (dataset.sets && into.schema === dataset.slug)
      await ofSubmission(
        sp,
        dataset,
        read.map(({ accession }) => accession),
      )
  }
  const isLarge = ({ rows }: FilingRead) => typeof rows === 'function'
  const held = filings.filter((filing) => filing.rows && !isLarge(filing))
  for (const some of [held, ...filings.filter(isLarge).map((filing) => [filing])]) {
    await bisect(tx, some, load, fail)
    // Frees the rows, which are the largest part of a batch.
    for (const filing of some) delete filing.rows
  }
}

/** Digests of the DDL that this code expects, by slug. */
export const ddlHashes = (datasets: readonly Dataset[]): Map<string, string> =>
  new Map(datasets.map((dataset) => [dataset.slug, ddlHashOf(dataset)]))

/**
 * Locks, until the transaction ends, the definitions of the datasets whose rows this code writes. A rebuild can then
 * swap tables between two batches, but not during a batch.
 *
 * @throws Overtaken if the database or the tables are of another version, because rows of one version must not enter
 *   tables of another version
 */
export async function holdDefinitions(tx: Transaction, definitions: ReadonlyMap<string, string>): Promise<void> {
  await assertNotOvertaken(tx)
  const slugs = [...definitions.keys()]
  const built = await tx<{ slug: string; ddl_hash: string }[]>`
    select slug, ddl_hash from core.dataset where slug = any(${slugs}) order by slug for share`
  for (const slug of slugs) {
    if (built.find((row) => row.slug === slug)?.ddl_hash !== definitions.get(slug)) throw overtakenTables(slug)
  }
}
