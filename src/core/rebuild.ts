/**
 * Rebuilds a dataset from the archive: a shadow schema with the current definition is filled from archived submissions and
 * swapped in, while the old tables go on serving.
 */
import type { FilingsDataset } from './dataset.ts'
import type { Sql, Transaction } from './db.ts'
import type { SpineFiling, Submissions } from './edgar/archive.ts'
import { messageOf } from './errors.ts'
import { loadEach, readFiling } from './ingest.ts'
import type { Parsed } from './load.ts'
import { dataChanged } from './meta.ts'
import { type Outcome, settle } from './queue.ts'
import { createIndexes, createTables, createViews, definitionOf, recordDefinition } from './schema.ts'

export interface RebuildResult {
  filings: number
  failed: number
}

/** One rebuild of a dataset at a time. Ingest of the same dataset waits for the swap alone. */
const REBUILD_LOCK = 4_713_003

const BATCH_SIZE = 100

/**
 * Reads every archived filing of the dataset again. Filings that fail keep their error and can be retried; those ingested
 * meanwhile are read before the swap.
 */
export async function rebuild(
  {
    sql,
    submissions,
    onProgress,
    signal,
  }: {
    sql: Sql
    submissions: Submissions
    onProgress?: (filings: number, total: number) => void
    signal?: AbortSignal | undefined
  },
  dataset: FilingsDataset,
): Promise<RebuildResult> {
  const shadow = `${dataset.slug}_next`
  const definition = await definitionOf(dataset)
  const lock = await sql.reserve()
  try {
    await lock`select pg_advisory_lock(${REBUILD_LOCK}, hashtext(${dataset.slug}))`
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
    await sql.begin((tx) => createIndexes(tx, dataset, shadow))
    return await sql.begin(async (tx) => {
      // Every batch of ingest holds this row in share mode: from here on none is under way.
      await tx`select from core.dataset where slug = ${dataset.slug} for update`
      const last = await fill(tx, started, (filings) => onProgress?.(first.filings + filings, total + filings))
      await tx`drop schema if exists ${tx(dataset.slug)} cascade`
      await tx`alter schema ${tx(shadow)} rename to ${tx(dataset.slug)}`
      await createViews(tx, dataset)
      await recordDefinition(tx, dataset, definition)
      await dataChanged(tx)
      await dataset.refresh?.(tx, null)
      const exceptions = new Map([...first.exceptions, ...last.exceptions])
      await resettle(tx, exceptions)
      const failed = [...exceptions.values()].filter((outcome) => outcome.error !== null).length
      return { filings: first.filings + last.filings, failed }
    })
  } finally {
    await lock`select pg_advisory_unlock(${REBUILD_LOCK}, hashtext(${dataset.slug}))`
    lock.release()
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
      const read = await Promise.all(filings.map(readAgain))
      if (tx) await loadEach(tx, dataset, read, shadow)
      else await sql.begin((own) => loadEach(own, dataset, read, shadow))
      filled.filings += read.length
      for (const outcome of read) {
        const plain = outcome.error === null && outcome.unreadPaths.length === 0 && outcome.problems.length === 0
        if (!plain) filled.exceptions.set(outcome.task.accession, outcome)
      }
      onBatch(filled.filings)
    }
  }

  async function readAgain(filing: SpineFiling): Promise<Outcome & { parsed?: Parsed }> {
    const task = { ...filing, dataset: dataset.slug }
    try {
      const submission = await submissions.obtain(filing)
      return { task, error: null, ...(await readFiling(dataset, filing.filed_date, submission, submissions)) }
    } catch (error) {
      return { task, error: messageOf(error), unreadPaths: [], problems: [] }
    }
  }

  /** Replaces the outcomes of the old definition by those of the new one. */
  async function resettle(tx: Transaction, exceptions: ReadonlyMap<string, Outcome>): Promise<void> {
    await tx`
      update edgar.task set state = 'done', error = null, unread = 0, unread_paths = '{}', problems = '[]'
      where dataset = ${dataset.slug} and state <> 'pending'`
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
  /** By accession: what failed, was not read whole, or had unreadable values. */
  exceptions: Map<string, Outcome>
}
