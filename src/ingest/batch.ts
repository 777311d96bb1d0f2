/**
 * Reads the filings of a batch concurrently within fixed memory, whatever they contain. The process holds at most one
 * large document at a time, and a batch takes no more filings than fit into memory.
 */

import type { Submissions } from '../archive/submissions.ts'
import { HttpError } from '../declare/api-errors.ts'
import type { FilingsDataset } from '../declare/dataset.ts'
import { messageOf } from '../declare/errors.ts'
import { type Reads, readsOf } from '../declare/kept.ts'
import type { StoredSubmission } from '../declare/ports.ts'
import type { Limits } from '../read/apart/call.ts'
import type { Transaction } from '../store/db.ts'
import { documentsOf, jobOf, type ReadingNotes, type RoleDocuments, rowsOf, sentOf, type ToRead } from './documents.ts'
import { endsRun, isOfBucket, passes } from './failures.ts'
import type { FilingRows } from './load.ts'
import { InDocument, nameOf, type ParseJob } from './parsing.ts'
import type { Outcome, Task } from './queue.ts'
import { NeedsMore, SHARED_BYTES, Together } from './together.ts'

/** One filing while a batch reads it. */
export interface FilingRead extends Outcome {
  /** The dataset that reads the filing; null for the task `header`. */
  dataset: FilingsDataset | null
  submission?: StoredSubmission
  /** Name of the document that was read, or the names of several documents. */
  document?: string
  /** Rows. The rows of a large filing are read while they are loaded. Absent if nothing could be read. */
  rows?: FilingRows['rows']
  /** True if the bucket of the archive failed to return or to store the submission. */
  isOfBucket?: boolean
}

export interface Batch {
  /** The filings in the order of their tasks. */
  filings: FilingRead[]
  /** Filings that were fetched and then left for another batch. Their tasks stay unchanged. */
  left: FilingRead[]
  /** The error that ends the run once the filings of this batch are stored. */
  ending: unknown
  /** Must be called when the rows are no longer needed. Another large document may then be read. */
  done(): void
}

interface BatchOptions {
  /** Datasets that may read the tasks. For a filing that no dataset reads, only the submission is fetched. */
  datasets: readonly FilingsDataset[]
  submissions: Submissions
  /**
   * Looks up what the archive has. The readers share the transaction of their batch: with a connection for each reader,
   * two workers used eight connections.
   */
  tx: Transaction
  /** Aborting the signal ends all waits; filings that were read are still returned. */
  signal?: AbortSignal | undefined
  limits?: Partial<Limits>
}

const MB = 1024 * 1024

/**
 * Number of concurrent readers of one batch. At 10 requests a second and 0.3 s for each, three requests are in flight,
 * so more readers would only wait.
 */
const READERS = 3

/**
 * If the documents of a filing are together larger than this, the filing is read by itself. Real documents that are
 * read whole have up to 900 KB.
 */
const LARGE = MB

/**
 * Maximum memory that the filings of a batch may take together, in bytes as `weightOf` estimates them. 20 ordinary
 * filings take 2 MB.
 */
const WEIGHT_MAX = 8 * MB

/** Reads all of the tasks, or as many as fit in one batch. */
export const readBatch = (tasks: readonly Task[], options: BatchOptions): Promise<Batch> =>
  new BatchReader(tasks, options).read()

/**
 * Reads one batch; each object reads only one batch. Its state has four parts: the filings that were read (`#filings`,
 * `#left`), an estimate of their memory (`#weight`), the slot for a large document (`#release`), and the error that
 * ends the run (`#ending`). This state is changed by the concurrent readers, and by calls that read several small
 * filings at once (`#shared`). All batches of the process share the slot. All batches with the same archive share
 * `#aloneFor`.
 */
class BatchReader {
  readonly #tasks: readonly Task[]
  /** Tasks that no reader has taken yet. */
  readonly #waiting: Iterable<Task>
  readonly #datasets: readonly FilingsDataset[]
  readonly #submissions: Submissions
  readonly #tx: Transaction
  readonly #signal: AbortSignal | undefined
  readonly #limits: Partial<Limits>
  readonly #together: Together
  readonly #aloneFor: Set<FilingsDataset>
  readonly #filings = new Map<Task, FilingRead>()
  /** Tasks of `#filings` that wait for another run. */
  readonly #unread = new Set<Task>()
  readonly #left: FilingRead[] = []
  readonly #shared: Promise<void>[] = []
  /** Submissions by accession. */
  readonly #obtained = new Map<string, Promise<StoredSubmission>>()
  #weight = 0
  #ending: unknown = null
  /** Releases the slot for a large document; undefined if this batch has not acquired it. */
  #release: (() => void) | undefined

  constructor(tasks: readonly Task[], { datasets, submissions, tx, signal, limits = {} }: BatchOptions) {
    this.#tasks = tasks
    this.#waiting = tasks.values()
    this.#datasets = datasets
    this.#submissions = submissions
    this.#tx = tx
    this.#signal = signal
    this.#limits = limits
    this.#together = new Together({ signal, limits })
    this.#aloneFor = aloneBySubmissions.get(submissions) ?? new Set()
    aloneBySubmissions.set(submissions, this.#aloneFor)
  }

  async read(): Promise<Batch> {
    await Promise.all(Array.from({ length: READERS }, () => this.#work()))
    this.#together.begin()
    await Promise.all(this.#shared)
    return {
      filings: this.#tasks.flatMap((task) => (this.#unread.has(task) ? [] : (this.#filings.get(task) ?? []))),
      left: this.#left,
      ending: this.#ending,
      done: () => this.#release?.(),
    }
  }

  /**
   * Whether the batch takes no further filing: its filings are too heavy, an error ends the run, or the signal has
   * aborted. One filing is always read, whatever its weight.
   */
  #isFull(): boolean {
    const isHeavy = this.#filings.size > 0 && this.#weight >= WEIGHT_MAX
    return isHeavy || this.#ending !== null || this.#signal?.aborted === true
  }

  /** Runs one reader: takes tasks until none are left or the batch is full. */
  async #work(): Promise<void> {
    for (const task of this.#waiting) {
      if (this.#isFull()) return
      const dataset = this.#datasets.find(({ slug }) => slug === task.dataset) ?? null
      const filing: FilingRead = { task, dataset, error: null, passing: false, unreadPaths: [], problems: [] }
      try {
        filing.submission = await this.#obtain(task)
        this.#weight += weightOf(filing.submission)
        if (dataset && !(await this.#fill(filing, dataset))) {
          this.#left.push(filing)
          return
        }
      } catch (error) {
        if (this.#signal?.aborted) return
        if (endsRun(error)) {
          this.#ending ??= error
          return
        }
        fail(filing, error)
      }
      this.#filings.set(task, filing)
    }
  }

  /**
   * Obtains a submission once for all tasks of the batch that read it, with the documents that any of their datasets
   * reads. A family's dataset and the dataset of documents read the same filings.
   */
  #obtain(task: Task): Promise<StoredSubmission> {
    const known = this.#obtained.get(task.accession)
    if (known) return known
    const all = this.#tasks.filter(({ accession }) => accession === task.accession)
    const datasets = this.#datasets.filter(({ slug }) => all.some(({ dataset }) => dataset === slug)).map(readsOf)
    const reads: Reads = (document) => datasets.some((isRead) => isRead(document))
    const obtained = this.#submissions.obtain(task, {
      isRetry: all.some(({ attempts }) => attempts > 0),
      ...(datasets.length > 0 ? { reads } : {}),
      sql: this.#tx,
      signal: this.#signal,
    })
    this.#obtained.set(task.accession, obtained)
    return obtained
  }

  /** Returns false if the filing does not fit in this batch. */
  async #fill(filing: FilingRead, dataset: FilingsDataset): Promise<boolean> {
    const submission = filing.submission!
    const found = documentsOf(dataset.source, submission)
    const own = found.flatMap(([, { reader }, entry]) => (reader === 'lazy' ? [] : [entry]))
    if (own.length > 0) filing.document = own.map(nameOf).join(', ')
    if (own.some(({ cutOff }) => cutOff)) throw new Error(submission.header.cutOff)
    const size = sizeOf(found)
    const held = sizeOf(found.filter(([, { reader }]) => reader !== 'stream'))
    if (held > LARGE && !(await this.#acquireSlot())) return false
    return this.#fillRows(filing, { task: filing.task, dataset, submission, found, isSmall: size <= LARGE }, size)
  }

  /**
   * Fills in the rows of a filing. The documents of a large filing are read one after the other, while its rows are
   * loaded. Returns false if the filing does not fit in this batch.
   */
  async #fillRows(filing: FilingRead, wanted: ToRead, size: number): Promise<boolean> {
    if (size > LARGE) {
      filing.rows = () => this.#rowsOf(filing, wanted)
      return true
    }
    if (this.#isFull()) return false
    const alone = async (job?: ParseJob) => {
      const all = await Array.fromAsync(this.#rowsOf(filing, wanted, job))
      filing.rows = all
      this.#weight += size + all.length * ROW_WEIGHT
    }
    const job = await jobOf(wanted, this.#submissions)
    const sent = sentOf(job)
    if (sent === null || sent > SHARED_BYTES || this.#aloneFor.has(wanted.dataset)) await alone(job)
    else {
      this.#weight += sent
      this.#shared.push(this.#fillShared(filing, job, sent, alone))
    }
    return true
  }

  /**
   * Reads the rows of a filing. They are read again for each load. Clears the filing's notes, so that a second load
   * does not note everything twice.
   */
  #rowsOf(filing: FilingRead, wanted: ToRead, job?: ParseJob) {
    const notes: ReadingNotes = { unreadPaths: [], problems: [] }
    filing.unreadPaths = notes.unreadPaths
    filing.problems = notes.problems
    return rowsOf(wanted, notes, { submissions: this.#submissions, signal: this.#signal, limits: this.#limits }, job)
  }

  /**
   * Fills in the rows of a small filing. The rows arrive when one call reads the filing together with other filings.
   */
  async #fillShared(filing: FilingRead, job: ParseJob, size: number, alone: () => Promise<void>): Promise<void> {
    try {
      const read = await this.#together.read(job, size).catch((error) => {
        if (!(error instanceof NeedsMore)) throw error
        this.#aloneFor.add(filing.dataset!)
      })
      if (!read) return await alone()
      const { rows, unreadPaths, problems } = read
      Object.assign(filing, { rows, unreadPaths, problems })
      this.#weight += rows.length * ROW_WEIGHT
    } catch (error) {
      const ends = endsRun(error)
      if (this.#signal?.aborted || ends) this.#unread.add(filing.task)
      if (this.#signal?.aborted) return
      if (ends) this.#ending ??= error
      else fail(filing, error)
    }
  }

  /**
   * Returns false if this batch already holds the slot for a large document: waiting for the slot again would be a
   * deadlock.
   */
  async #acquireSlot(): Promise<boolean> {
    if (this.#release) return false
    this.#release = () => {}
    this.#release = await acquireSlot()
    return true
  }
}

const ROW_WEIGHT = 256

/**
 * For each archive, the datasets to read alone. Their parsers requested a document that was not sent when one call read
 * several filings. From then on, each filing of these datasets is read alone: reading a filing twice would cost more
 * than such a call saves.
 */
const aloneBySubmissions = new WeakMap<Submissions, Set<FilingsDataset>>()

const sizeOf = (found: RoleDocuments) => found.reduce((sum, [, , entry]) => sum + entry.size, 0)

/**
 * Estimates the memory of a submission: its header and its list of documents, as objects, take several times the memory
 * of their text. The documents stay on disk.
 */
const weightOf = ({ documents, bytes }: StoredSubmission) => 8 * (documents[0]?.start ?? bytes) + 512 * documents.length

/** Records why a filing could not be stored, and drops its rows. */
export function fail(filing: FilingRead, error: unknown): void {
  const isNamed = filing.document === undefined || error instanceof InDocument
  const cause = isNamed ? error : new Error(filing.document, { cause: error })
  filing.error = messageOf(cause)
  filing.isOfBucket = isOfBucket(error)
  filing.passing = passes(error) || isEarly(error, filing.task)
  delete filing.rows
}

/**
 * Time after the filing date in which EDGAR might not serve the filing yet. EDGAR announces a filing some seconds
 * before it serves it, and an index may be a day late.
 */
const EARLY_MS = 3 * 86_400_000

/** Whether EDGAR probably does not serve the submission yet. */
const isEarly = (error: unknown, { filed_date }: Task, now = Date.now()) =>
  error instanceof HttpError && error.status === 404 && now - Date.parse(filed_date) < EARLY_MS

/** Resolves when the last batch in the queue for the large-document slot has released the slot. */
let last: Promise<void> = Promise.resolve()

/** Acquires the process's single slot for large documents. The returned function releases it. */
async function acquireSlot(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const before = last
  last = promise
  await before
  return resolve
}
