/**
 * Rebuilds a dataset of filings: fills the shadow from archived submissions in the order of accessions, then from sets.
 */

import type { Store } from '../archive/store.ts'
import type { SpineFiling, Submissions } from '../archive/submissions.ts'
import type { FilingsDataset } from '../declare/dataset.ts'
import { BucketError } from '../declare/errors.ts'
import type { Transaction } from '../store/db.ts'
import { madeWithin } from '../store/partitions.ts'
import { within } from '../store/path.ts'
import { readBatch } from './batch.ts'
import { loadEach } from './ingest.ts'
import { itemsOfText } from './items.ts'
import { closeDictionaries, removeRows } from './load.ts'
import { notes } from './notes.ts'
import { type Outcome, settle, type Task } from './queue.ts'
import { type Rebuilding, rebuildInShadow } from './rebuild/rebuilding.ts'
import { areTooLong, filledThrough, type RefusedIndex, type Shadow, shadowOf } from './rebuild/shadow.ts'
import { loadSet } from './sets/load.ts'
import { lostInRebuild, ofSubmissions } from './sets/origin.ts'

interface RebuildResult {
  /** Number of filings that this run read. A resumed rebuild does not read the filings in its shadow again. */
  filings: number
  failed: number
}

const BATCH_SIZE = 100

interface RebuildOptions extends Rebuilding {
  submissions: Submissions
  store: Store
  onProgress?: (filings: number, total: number) => void
}

/**
 * Reads every archived filing of the dataset again. Filings that fail are recorded as failed, with their error, and can
 * be retried.
 */
export async function rebuild(options: RebuildOptions, dataset: FilingsDataset): Promise<RebuildResult> {
  const filings = new FilingsRebuild(options, dataset)
  await rebuildInShadow(options, dataset, {
    fill: (shadow) => filings.fill(shadow),
    again: (tx, schema, accessions) => filings.again(tx, schema, accessions),
    refuse: (tx, index) => filings.refuse(tx, index),
    settle: (tx) => filings.settle(tx),
  })
  return filings.result
}

/**
 * One rebuild of a dataset in this process. The object counts the filings that were read (`#read`) and the filings that
 * failed (`#failed`). The database records how far the shadow is filled, so another process can continue from there.
 */
class FilingsRebuild {
  readonly #options: RebuildOptions
  readonly #dataset: FilingsDataset
  /** The schema to fill. */
  readonly #shadow: string
  #read = 0
  #failed = 0

  constructor(options: RebuildOptions, dataset: FilingsDataset) {
    this.#options = options
    this.#dataset = dataset
    this.#shadow = shadowOf(dataset)
  }

  get result(): RebuildResult {
    return { filings: this.#read, failed: this.#failed }
  }

  /** Fills the shadow from archived submissions, and then from sets. */
  async fill({ through }: Shadow): Promise<void> {
    const { sql, signal, onProgress } = this.#options
    const { slug } = this.#dataset
    const [{ total } = { total: 0 }] = await sql<{ total: number }[]>`
      select count(*)::float8 as total from edgar.task join edgar.submission using (accession)
      where dataset = ${slug} and finished_at is not null and accession > ${through}`
    onProgress?.(0, total)
    for (let after = through; ; ) {
      signal?.throwIfAborted()
      const filings = await sql<SpineFiling[]>`
        select accession, f.form_type, f.filed_date, f.path
        from edgar.task t join edgar.submission using (accession) join edgar.filing f using (accession)
        where t.dataset = ${slug} and t.finished_at is not null and accession > ${after}
        order by accession limit ${BATCH_SIZE}`
      if (filings.length === 0) break
      let waiting = this.#tasksOf(filings)
      // Memory limits the size of a batch: the filings of one page are committed in several batches, in the order of
      // accessions.
      while (waiting.length > 0) {
        waiting = await sql.begin(async (tx) => {
          const left = await this.#readSome(tx, waiting)
          const read = waiting.filter((task) => !left.includes(task))
          const first = left[0]?.accession
          const before = read.filter(({ accession }) => first === undefined || accession < first)
          if (before.length > 0) await filledThrough(tx, this.#dataset, before.at(-1)!.accession)
          return left
        })
      }
      after = filings.at(-1)!.accession
      onProgress?.(this.#read, total)
    }
    this.#failed += await this.#replay()
  }

  /**
   * Fills the shadow with the filings whose rows are from sets.
   *
   * @returns the number of these filings that can no longer be read
   */
  async #replay(): Promise<number> {
    const { sql, slices, store, signal } = this.#options
    const { slug, sets } = this.#dataset
    if (!sets) return 0
    const files = await sql<{ name: string; sha256: string; to: string }[]>`
      select distinct name, sha256, to_day as to from bulk.set_filing where dataset = ${slug} order by to_day, name`
    let lost = 0
    for (const file of files) {
      const found = notes()
      const options = { sql, slices, bytes: () => store.read(file.sha256), shadow: this.#shadow, signal }
      await loadSet(options, { ...this.#dataset, sets }, file, found)
      lost += found.refused
    }
    return lost
  }

  /**
   * Reads the given filings into the shadow again.
   *
   * @returns keys of the rollups that the filings affect
   */
  async again(tx: Transaction, schema: string, accessions: readonly string[]): Promise<string[]> {
    const { slug, refresh } = this.#dataset
    const touched = async () =>
      refresh ? within(tx, schema, () => refresh.touched(tx, { series: null, keys: accessions, day: null })) : []
    const before = await touched()
    // As in the served tables, a filing keeps its rows from a set until its submission can be read.
    const ofSets = await tx<{ accession: string }[]>`
      select accession from bulk.set_filing where dataset = ${slug} and accession = any(${accessions as string[]})`
    const kept = new Set(ofSets.map(({ accession }) => accession))
    await removeRows(
      tx,
      this.#dataset,
      accessions.filter((accession) => !kept.has(accession)),
      schema,
    )
    await tx`delete from core.shadow_task where slug = ${slug} and accession = any(${accessions as string[]})`
    const filings = await tx<SpineFiling[]>`
      select accession, f.form_type, f.filed_date, f.path
      from edgar.task t join edgar.submission using (accession) join edgar.filing f using (accession)
      where t.dataset = ${slug} and t.finished_at is not null and accession = any(${accessions as string[]})
      order by accession`
    for (let waiting = this.#tasksOf(filings); waiting.length > 0; ) waiting = await this.#readSome(tx, waiting)
    return [...before, ...(await touched())]
  }

  /** Fails the filings with texts that are too long for this index, so that they do not stop the rebuild. */
  async refuse(tx: Transaction, index: RefusedIndex): Promise<number> {
    const { table, why } = index
    const rows = await tx<{ accession: string }[]>`
      select distinct accession from ${tx(this.#shadow)}.${tx(table.name)} where ${areTooLong(tx, index)}`
    const accessions = rows.map(({ accession }) => accession)
    await removeRows(tx, this.#dataset, accessions, this.#shadow)
    const filings = await tx<SpineFiling[]>`
      select accession, form_type, filed_date, path from edgar.filing where accession = any(${accessions})`
    const error = `${why} (index of ${table.name})`
    for (const task of this.#tasksOf(filings)) {
      await this.#note(tx, { task, error, passing: false, unreadPaths: [], problems: [] })
    }
    return accessions.length
  }

  /** Records the outcome of a filing that failed or has something to report. */
  async #note(tx: Transaction, outcome: Outcome): Promise<void> {
    const { slug } = this.#dataset
    await tx`
      insert into core.shadow_task ${tx({ slug, accession: outcome.task.accession, outcome: tx.json(outcome as never) })}
      on conflict (slug, accession) do update set outcome = excluded.outcome`
  }

  /** Replaces the old outcomes of tasks by the outcomes under the new definition. */
  async settle(tx: Transaction): Promise<void> {
    const { slug } = this.#dataset
    const exceptions = await tx<{ outcome: Outcome }[]>`
      select s.outcome from core.shadow_task s join edgar.task t on t.accession = s.accession and t.dataset = s.slug
      where s.slug = ${slug} order by s.accession`
    // A filing that was never archived was not read by this rebuild either, so it stays failed.
    await tx`
      update edgar.task t set state = 'done', error = null, passing = false, unread = 0, unread_paths = '{}', problems = '[]'
      where dataset = ${slug} and state in ('done', 'failed')
        and (state <> 'done' or error is not null or passing or unread > 0 or problems <> '[]')
        and exists (select from edgar.submission s where s.accession = t.accession)`
    const outcomes = exceptions.map(({ outcome }) => outcome)
    await settle(tx, outcomes)
    await tx`
      update edgar.coverage v set extracted = (
        select count(*) from edgar.task t join edgar.filing f using (accession)
        where t.dataset = ${slug} and t.state = 'done' and f.form_type = v.form_type)
      where v.task = ${slug}`
    await itemsOfText(tx, this.#dataset, null, this.#shadow)
    await ofSubmissions(tx, this.#dataset)
    if (this.#dataset.sets) await lostInRebuild(tx, this.#dataset, this.#shadow)
    this.#failed += outcomes.filter(({ error }) => error !== null).length
  }

  /**
   * Makes tasks that have no earlier attempts. For a task with earlier attempts, a submission that is cut off in the
   * archive would be fetched again.
   */
  #tasksOf(filings: readonly SpineFiling[]): Task[] {
    return filings.map((filing) => ({ ...filing, dataset: this.#dataset.slug, attempts: 0 }))
  }

  /** Reads as many of the tasks as fit into memory, and returns the other tasks. */
  async #readSome(tx: Transaction, tasks: readonly Task[]): Promise<Task[]> {
    const { submissions, signal } = this.#options
    const dataset = this.#dataset
    const { filings, ending, done } = await readBatch(tasks, { datasets: [dataset], submissions, tx, signal })
    try {
      await loadEach(tx, dataset, filings, { schema: this.#shadow, partitions: madeWithin })
      await closeDictionaries(tx, dataset, this.#shadow)
    } finally {
      done()
    }
    if (ending !== null) throw ending
    // If the bucket failed, the served tables may have rows of this filing that the shadow lacks. Such a shadow must
    // not replace the served tables.
    const away = filings.find(({ isOfBucket }) => isOfBucket)
    if (away) {
      const { accession } = away.task
      throw new BucketError(`the rebuild stops at ${accession}, and the next rebuild continues there: ${away.error}`, {
        isPassing: true,
      })
    }
    signal?.throwIfAborted()
    this.#read += filings.length
    const noted = filings.filter(
      ({ error, unreadPaths, problems }) => error !== null || unreadPaths.length > 0 || problems.length > 0,
    )
    for (const { task, error, passing, unreadPaths, problems } of noted) {
      await this.#note(tx, { task, error, passing, unreadPaths, problems })
    }
    const read = new Set(filings.map(({ task }) => task))
    return tasks.filter((task) => !read.has(task))
  }
}
