/**
 * Rebuilds a dataset from the archive. A shadow schema with the current definition is filled from archived submissions
 * and sets, and swapped in; until then the old tables go on serving.
 */

import type { Store } from '../archive/store.ts'
import type { SpineFiling, Submissions } from '../archive/submissions.ts'
import type { FilingsDataset, Slice } from '../declare/dataset.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { append } from '../store/events.ts'
import { dataChanged } from '../store/meta.ts'
import { createIndexes, createTables, createViews, definitionOf, recordDefinition } from '../store/schema.ts'
import { readBatch } from './batch.ts'
import { loadEach } from './ingest.ts'
import { closeDictionaries } from './load.ts'
import { type Outcome, settle, type Task } from './queue.ts'
import { makeAll } from './refresh.ts'
import { loadSet } from './sets/load.ts'
import { setNotes } from './sets/notes.ts'
import { ofSubmissions } from './sets/origin.ts'
import { INDEX_LOCK } from './spine.ts'

interface RebuildResult {
  filings: number
  failed: number
}

/** One rebuild of a dataset at a time. Ingest of the same dataset waits only while the schemas are swapped. */
const REBUILD_LOCK = 4_713_003

const BATCH_SIZE = 100

/** Held until the transaction ends by who rebuilds the dataset, or fills it from a set. */
export async function holdRebuild(lock: Transaction, { slug }: FilingsDataset): Promise<void> {
  await lock`select pg_advisory_xact_lock(${REBUILD_LOCK}, hashtext(${slug}))`
}

/**
 * Reads every archived filing of the dataset again. Filings that fail keep their error and can be retried. Those that are
 * ingested meanwhile are read before the swap.
 */
export async function rebuild(
  {
    sql,
    slices,
    submissions,
    store,
    onProgress,
    signal,
  }: {
    sql: Sql
    slices: readonly Slice[]
    submissions: Submissions
    store: Store
    onProgress?: (filings: number, total: number) => void
    signal?: AbortSignal | undefined
  },
  dataset: FilingsDataset,
): Promise<RebuildResult> {
  const shadow = `${dataset.slug}_next`
  const definition = await definitionOf(dataset)
  // In a transaction of its own, so that the lock ends with it whatever happens.
  return sql.begin(async (lock) => {
    await holdRebuild(lock, dataset)
    const [{ started } = { started: '' }] = await sql<{ started: string }[]>`select clock_timestamp() as started`
    await sql.begin(async (tx) => {
      // A killed rebuild leaves its shadow behind.
      await tx`drop schema if exists ${tx(shadow)} cascade`
      await createTables(tx, dataset, shadow)
    })
    const [{ total } = { total: 0 }] = await sql<{ total: number }[]>`
      select count(*)::float8 as total from edgar.task join edgar.submission using (accession)
      where dataset = ${dataset.slug} and finished_at is not null`
    onProgress?.(0, total)
    const first = await fill(null, '-infinity', (filings) => onProgress?.(filings, total))
    const lost = await replay()
    await sql.begin((tx) => createIndexes(tx, dataset, shadow))
    return sql.begin(async (tx) => {
      // An index that removes filings works on the same tables, tasks and rollups.
      await tx`select pg_advisory_xact_lock(${INDEX_LOCK})`
      // Every batch of ingest holds this row in share mode: from here on none is under way.
      await tx`select from core.dataset where slug = ${dataset.slug} for update`
      const last = await fill(tx, started, (filings) => onProgress?.(first.filings + filings, total + filings))
      await tx`drop schema if exists ${tx(dataset.slug)} cascade`
      await tx`alter schema ${tx(shadow)} rename to ${tx(dataset.slug)}`
      await createViews(tx, dataset)
      await recordDefinition(tx, dataset, definition)
      await makeAll(tx, slices, dataset)
      const exceptions = new Map([...first.exceptions, ...last.exceptions])
      await resettle(tx, exceptions)
      await ofSubmissions(tx, dataset)
      await append(tx, [{ slug: dataset.slug, what: 'corrected', keys: null }])
      await dataChanged(tx, [dataset.slug])
      const failed = [...exceptions.values()].filter((outcome) => outcome.error !== null).length
      return { filings: first.filings + last.filings, failed: failed + lost }
    })
  })

  /** Fills the shadow with the filings whose rows are of sets. @returns how many of them cannot be read any more */
  async function replay(): Promise<number> {
    const { sets } = dataset
    if (!sets) return 0
    const files = await sql<{ name: string; sha256: string; to: string }[]>`
      select distinct name, sha256, to_day as to from bulk.set_filing where dataset = ${dataset.slug} order by to_day, name`
    let lost = 0
    for (const file of files) {
      const found = setNotes()
      const options = { sql, slices, bytes: () => store.read(file.sha256), shadow, signal }
      await loadSet(options, { ...dataset, sets }, file, found)
      lost += found.refused
    }
    return lost
  }

  /** Reads filings finished since `since` into the shadow, in transactions of its own or in the caller's. */
  async function fill(tx: Transaction | null, since: string, onBatch: (filings: number) => void): Promise<Filled> {
    const filled: Filled = { filings: 0, exceptions: new Map() }
    let after = ''
    for (;;) {
      signal?.throwIfAborted()
      const filings = await (tx ?? sql)<SpineFiling[]>`
        select accession, f.form_type, f.filed_date, f.path
        from edgar.task t join edgar.submission using (accession) join edgar.filing f using (accession)
        where t.dataset = ${dataset.slug} and t.finished_at >= ${since} and accession > ${after}
        order by accession limit ${BATCH_SIZE}`
      if (filings.length === 0) return filled
      after = filings.at(-1)!.accession
      // Read as on ingest's first try: a submission in the archive is not fetched again.
      let waiting: readonly Task[] = filings.map((filing) => ({ ...filing, dataset: dataset.slug, attempts: 0 }))
      while (waiting.length > 0) waiting = await readSome(tx, waiting, filled)
      onBatch(filled.filings)
    }
  }

  /** Reads as many of the tasks as fit in memory, and returns the others. */
  async function readSome(tx: Transaction | null, tasks: readonly Task[], filled: Filled): Promise<Task[]> {
    const { filings, ending, done } = await readBatch(tasks, { datasets: [dataset], submissions })
    try {
      const store = async (own: Transaction) => {
        await loadEach(own, dataset, filings, shadow)
        await closeDictionaries(own, dataset, shadow)
      }
      await (tx ? store(tx) : sql.begin(store))
    } finally {
      done()
    }
    if (ending !== null) throw ending
    filled.filings += filings.length
    for (const { task, error, passing, unreadPaths, problems } of filings) {
      if (error === null && unreadPaths.length === 0 && problems.length === 0) continue
      filled.exceptions.set(task.accession, { task, error, passing, unreadPaths, problems })
    }
    const read = new Set(filings.map(({ task }) => task))
    return tasks.filter((task) => !read.has(task))
  }

  /** Puts the outcomes of the new definition in the place of the old ones. */
  async function resettle(tx: Transaction, exceptions: ReadonlyMap<string, Outcome>): Promise<void> {
    // A filing that never came into the archive was not read now either, so it stays failed.
    await tx`
      update edgar.task t set state = 'done', error = null, passing = false, unread = 0, unread_paths = '{}', problems = '[]'
      where dataset = ${dataset.slug} and state <> 'pending'
        and exists (select from edgar.submission s where s.accession = t.accession)`
    await settle(tx, [...exceptions.values()])
    await tx`
      update edgar.coverage v set extracted = (
        select count(*) from edgar.task t join edgar.filing f using (accession)
        where t.dataset = ${dataset.slug} and t.state = 'done' and f.form_type = v.form_type)
      where v.task = ${dataset.slug}`
  }
}

interface Filled {
  filings: number
  /** What failed, was not read whole, or had unreadable values, by accession. */
  exceptions: Map<string, Outcome>
}
