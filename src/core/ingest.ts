/**
 * Ingest: claim → archive → document → parse → load. Any number of workers and processes; a process killed at any point
 * loses nothing and repeats nothing, because a filing's rows, its archive entry and its task change in one transaction.
 */
import type { Catalog } from './catalog.ts'
import type { Dataset, FilingsDataset } from './dataset.ts'
import type { Sql, Transaction } from './db.ts'
import type { StoredSubmission, Submissions } from './edgar/archive.ts'
import { EdgarError } from './edgar/client.ts'
import type { DocumentEntry } from './edgar/submission.ts'
import { messageOf } from './errors.ts'
import { load, type Parsed } from './load.ts'
import { dataChanged } from './meta.ts'
import { type Problem, parse } from './parse/xml.ts'
import { claim, type Outcome, type Selection, settle, type Task } from './queue.ts'
import { definitionOf } from './schema.ts'

export interface IngestOptions {
  sql: Sql
  catalog: Catalog
  submissions: Submissions
  selection: Selection
  /** Loops in this process. */
  workers: number
  /** Called after each committed batch. */
  onBatch?: (outcomes: readonly Outcome[]) => void
  signal?: AbortSignal | undefined
}

export interface IngestResult {
  done: number
  failed: number
  unread: number
}

/** Filings per transaction: enough to share its cost, few enough to lose little time when the process is killed. */
const BATCH_SIZE = 20

/** A parsed tree takes up to 18 bytes of memory per byte of a hostile document; larger forms are streamed. */
const DOCUMENT_SIZE_MAX = 64 * 1024 * 1024

/** EDGAR's answer is the same for every filing: the run stops and what is claimed stays pending. */
const RUN_ENDING: readonly EdgarError['kind'][] = ['throttled', 'configuration']

/**
 * Works on pending tasks until there are none that another worker does not hold.
 *
 * @throws EdgarError when EDGAR refuses us altogether; tasks then stay pending
 */
export async function drain(options: IngestOptions): Promise<IngestResult> {
  const { sql, catalog, selection } = options
  const definitions = await ddlHashes(catalog.filings.filter(({ slug }) => selection.datasets.includes(slug)))
  const result = { done: 0, failed: 0, unread: 0 }
  let stopped = false
  async function work() {
    while (!stopped && !options.signal?.aborted) {
      const outcomes = await sql.begin((tx) => batch(tx, options, definitions))
      if (outcomes.length === 0) return
      for (const outcome of outcomes) {
        result[outcome.error === null ? 'done' : 'failed']++
        result.unread += outcome.unreadPaths.length
      }
      options.onBatch?.(outcomes)
    }
  }
  if (selection.datasets.length === 0) return result
  const loops = Array.from({ length: options.workers }, () =>
    work().catch((error) => {
      stopped = true
      throw error
    }),
  )
  const ended = await Promise.allSettled(loops)
  const failure = ended.find((loop) => loop.status === 'rejected')
  if (failure) throw failure.reason
  return result
}

/** One filing on its way through a batch. */
interface Item {
  task: Task
  dataset: FilingsDataset | null
  submission?: StoredSubmission
  parsed?: Parsed
  error: string | null
  unreadPaths: readonly string[]
  problems: readonly Problem[]
}

async function batch(
  tx: Transaction,
  { catalog, submissions, selection }: IngestOptions,
  definitions: ReadonlyMap<string, string>,
): Promise<Outcome[]> {
  await holdDefinitions(tx, definitions)
  const tasks = await claim(tx, selection, BATCH_SIZE)
  if (tasks.length === 0) return []
  const items = await Promise.all(tasks.map((task) => read(task, catalog, submissions)))
  const obtained = items.flatMap(({ task, submission }) => (submission ? [{ filing: task, submission }] : []))
  await submissions.record(tx, obtained)
  const byDataset = Map.groupBy(items, (item) => item.dataset)
  for (const [dataset, own] of byDataset) if (dataset) await loadEach(tx, dataset, own)
  // Locked until commit, so that refreshes run one after another and each sees the rows of the one before.
  await dataChanged(tx)
  for (const [dataset, own] of byDataset) {
    await dataset?.refresh?.(
      tx,
      own.map(({ task }) => task.accession),
    )
  }
  await settle(tx, items)
  return items
}

async function read(task: Task, catalog: Catalog, submissions: Submissions): Promise<Item> {
  const dataset = catalog.filings.find(({ slug }) => slug === task.dataset) ?? null
  const item: Item = { task, dataset, error: null, unreadPaths: [], problems: [] }
  try {
    item.submission = await submissions.obtain(task)
    if (dataset) Object.assign(item, await readFiling(dataset, task.filed_date, item.submission, submissions))
  } catch (error) {
    if (error instanceof EdgarError && RUN_ENDING.includes(error.kind)) throw error
    item.error = messageOf(error)
  }
  return item
}

/**
 * Loads what was parsed; when the database refuses the batch, one by one, so that the bad filing fails alone and its
 * `error` is set.
 */
export async function loadEach(
  tx: Transaction,
  dataset: FilingsDataset,
  items: readonly { parsed?: Parsed; error: string | null }[],
  schema = dataset.slug,
): Promise<void> {
  const readable = items.filter((item) => item.parsed)
  const parsed = readable.map((item) => item.parsed!)
  try {
    await tx.savepoint((sp) => load(sp, dataset, parsed, schema))
  } catch (error) {
    if (readable.length === 1) readable[0]!.error = messageOf(error)
    else for (const item of readable) await loadEach(tx, dataset, [item], schema)
  }
}

/**
 * Reads the dataset's document of one submission: rows, what was not read, what could not be.
 *
 * @throws Error naming the document when it is missing, malformed or of another form
 */
export async function readFiling(
  dataset: FilingsDataset,
  filedDate: string,
  submission: StoredSubmission,
  submissions: Submissions,
): Promise<{ parsed: Parsed; unreadPaths: string[]; problems: Problem[] }> {
  const entry = documentOf(dataset, submission)
  const name = entry.filename ?? `document ${entry.seq}`
  const chunks: Buffer[] = []
  for await (const chunk of submissions.document(submission, entry, { unwrapped: true })) chunks.push(chunk)
  try {
    const root = parse(Buffer.concat(chunks), { sizeMax: DOCUMENT_SIZE_MAX })
    const rows = [...dataset.parse(root)] as unknown as Parsed['rows']
    const parsed = { accession: submission.accession, filedDate, rows }
    return { parsed, unreadPaths: root.unread(), problems: root.problems() }
  } catch (cause) {
    throw new Error(name, { cause })
  }
}

/** The document the dataset reads: by file name, else the first XML document of one of its forms. */
function documentOf({ source }: FilingsDataset, { documents, accession }: StoredSubmission): DocumentEntry {
  const wanted = source.document.toLowerCase()
  const found =
    documents.find((entry) => entry.filename?.toLowerCase() === wanted) ??
    documents.find((entry) => entry.wrapper === 'XML' && source.forms.includes(entry.type))
  if (!found) throw new Error(`${accession} has no document ${source.document}`)
  return found
}

/** Digest of the DDL that this code writes for, by slug. */
export async function ddlHashes(datasets: readonly Dataset[]): Promise<Map<string, string>> {
  return new Map(await Promise.all(datasets.map(async (d) => [d.slug, (await definitionOf(d)).ddlHash] as const)))
}

/**
 * Holds the definitions that this code writes for until the transaction ends, so that a rebuild swaps tables between two
 * batches and never under one.
 *
 * @throws Error when the stored tables have another definition: rows of one must not enter tables of another
 */
export async function holdDefinitions(tx: Transaction, definitions: ReadonlyMap<string, string>): Promise<void> {
  const slugs = [...definitions.keys()]
  const built = await tx<{ slug: string; ddl_hash: string }[]>`
    select slug, ddl_hash from core.dataset where slug = any(${slugs}) order by slug for share`
  for (const slug of slugs) {
    if (built.find((row) => row.slug === slug)?.ddl_hash !== definitions.get(slug)) {
      throw new Error(`the tables of ${slug} have another definition: run "openfilings rebuild ${slug}"`)
    }
  }
}
