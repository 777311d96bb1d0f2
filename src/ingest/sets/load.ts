/**
 * Loads the filings of one set into the tables that their submissions fill, in batches that are committed one by one.
 * If the submission of a filing was read, the filing is not changed. A load that was interrupted continues after its
 * last batch.
 */
import { type FilingsDataset, filingTable, type Slice } from '../../declare/dataset.ts'
import type { When } from '../../declare/refresh.ts'
import type { SetsSource } from '../../declare/sets.ts'
import { openZip } from '../../read/zip.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { allRemoved, append, type LoggedChange } from '../../store/events.ts'
import { dataChanged, everythingChanged } from '../../store/meta.ts'
import { attachBare, bareTables, indexBare, madeBare } from '../../store/partitions.ts'
import { stoppable } from '../../store/stoppable.ts'
import { changesTo, withRows } from '../dataset-changes.ts'
import { ddlHashes, holdDefinitions } from '../ingest.ts'
import { closeDictionaries, Entries, openDictionaries } from '../load.ts'
import { mark, type Touched, touch } from '../marks.ts'
import { type Notes, unread } from '../notes.ts'
import { holdNoIndex } from '../order.ts'
import { forget } from '../rebuild/shadow.ts'
import { loadFilings, type Reading, type SetFile } from './filings.ts'
import { untilStopped } from './members.ts'
import { refusedBySet } from './origin.ts'
import { stage } from './stage.ts'
import { drop, type SetFiling, type StagedSet } from './staged.ts'

interface SetOptions {
  sql: Sql
  /** All slices that may follow the dataset. */
  slices: readonly Slice[]
  bytes: () => AsyncIterable<Uint8Array>
  /** Loads filings again that this same file supplied before. */
  again?: boolean
  /** If set, fills the shadow of a rebuild with the filings that this file supplied before. */
  shadow?: string
  /** Called in the transaction of each batch, before anything is stored. */
  claim?: ((tx: Transaction) => Promise<boolean>) | undefined
  /** Called with the progress after each batch, even if the batch is committed together with later batches. */
  onBatch?: ((done: number, total: number) => void) | undefined
  /** Called after each commit. */
  onStored?: (() => void) | undefined
  signal?: AbortSignal | undefined
}

export interface SetResult {
  /** Number of filings of the set. */
  filings: number
  /** Number of filings that this load stored. */
  loaded: number
}

/** Allows one set at a time, since large filings of all sets wait in one table. */
const SETS_LOCK = 4_713_022

/** Takes the lock to load a set, until the transaction ends. */
export async function holdSets(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(${SETS_LOCK})`
}

/** Maximum number of filings and of lines of a batch. A single filing may have more lines. */
const FILINGS_MAX = 50
const LINES_MAX = 20_000
/**
 * A batch with this number of characters takes no further filing. The last filing and the next one have at most 8 M
 * characters each, so at most 32 M are in memory. 20,000 real lines have 3 M.
 */
const SIZE_MAX = 16 * 1024 ** 2

/**
 * Loads one set. Long: its inner functions share the options, the file and the notes of the set.
 *
 * @param found collects the parts that were refused, unread or unreadable
 * @throws Error if a set cannot be read as a whole, errors for which `endsRun` is true, and the signal's reason during
 * the first pass and between two batches
 */
export async function loadSet(
  options: SetOptions,
  dataset: FilingsDataset & { sets: SetsSource },
  file: SetFile,
  found: Notes,
): Promise<SetResult> {
  const { sql, bytes, shadow, onBatch, signal } = options
  const definitions = shadow ? new Map<string, string>() : ddlHashes([dataset])
  // The lock is taken in a separate transaction, so that it always ends with that transaction. A stop ends the wait for
  // the lock, which may be as long as the load of another set.
  return stoppable(sql, signal, async (lock) => {
    await holdSets(lock)
    const zip = await openZip(untilStopped(bytes(), signal), { sizeMax: dataset.sets.bytesMax })
    try {
      const staged = await stage(sql, dataset.sets, zip, found, signal)
      try {
        return await loadStaged(staged)
      } finally {
        await staged.close()
      }
    } finally {
      await zip.close()
    }
  })

  async function loadStaged(staged: StagedSet): Promise<SetResult> {
    if (!shadow && staged.refused.length > 0) await sql.begin((tx) => refuseAll(tx, dataset, file, staged.refused))
    const result = { filings: 0, loaded: 0 }
    const parsedMembers = new Set<string>()
    const onStored = (filings: number) => {
      result.filings += filings
      onBatch?.(result.filings, staged.count)
    }
    const all = { ...options, file, staged, found, parsedMembers, onBatch: onStored, partitions: madeBare(sql) }
    const batches = batchesOf(staged.filings())
    try {
      for (let batch = await batches.next(); !batch.done; ) {
        signal?.throwIfAborted()
        const next = async () => {
          const { value, done } = batch
          if (done) return null
          batch = await batches.next()
          return value
        }
        const { stored, read } = await sql.begin((tx) => loadNext(tx, all, next))
        result.loaded += stored
        options.onStored?.()
        if (read > 0) onStored(read)
      }
    } finally {
      await batches.return(undefined)
    }
    for (const member of parsedMembers) {
      for (const column of staged.headers.get(member)!.unread()) unread(found, `${member}.tsv/${column}`)
    }
    await sql.begin(drop)
    return result
  }

  async function loadNext(tx: Transaction, all: BatchOptions, next: () => Promise<readonly SetFiling[] | null>) {
    // The lock ensures that an index that adds or removes a filing of the batch is loaded before or after the batch,
    // not during it.
    await holdNoIndex(tx)
    await holdDefinitions(tx, definitions)
    const isOther = await options.claim?.(tx)
    const { logged, ...counts } = await loadBatches(tx, dataset, all, next)
    // A rebuild that was killed then starts from the beginning: its shadow lacks the filings of sets that were loaded
    // since it was killed.
    if (counts.stored > 0 && !shadow) await forget(tx, dataset.slug)
    await append(tx, [...(isOther ? await allRemoved(tx) : []), ...logged])
    if (isOther) await everythingChanged(tx, [dataset.slug])
    else if (counts.stored > 0 && !shadow) await dataChanged(tx, [dataset.slug])
    return counts
  }
}

/** Puts back into the queue the filings that the first pass refused. */
async function refuseAll(tx: Transaction, dataset: FilingsDataset, file: SetFile, refused: readonly string[]) {
  await holdNoIndex(tx)
  await holdTasksOf(tx, dataset, refused)
  await refusedBySet(tx, dataset, file, refused)
}

async function* batchesOf(filings: AsyncIterable<SetFiling>): AsyncGenerator<SetFiling[]> {
  let batch: SetFiling[] = []
  let [lines, size] = [0, 0]
  for await (const filing of filings) {
    batch.push(filing)
    lines += filing.lines
    size += filing.size
    if (batch.length < FILINGS_MAX && lines < LINES_MAX && size < SIZE_MAX) continue
    yield batch
    batch = []
    ;[lines, size] = [0, 0]
  }
  if (batch.length > 0) yield batch
}

interface BatchOptions extends Omit<SetOptions, 'onBatch'>, Omit<Reading, 'entries'> {
  onBatch: (filings: number) => void
}

/**
 * Loads a batch. If the batch needs a partition that does not exist yet, loads all later batches too: a new partition
 * is filled as a table without indexes and indexed afterwards, which takes a third of the time of inserting into its
 * indexes.
 *
 * @returns the number of stored filings, the changes, and the number of filings read since the last `onBatch`
 */
async function loadBatches(
  tx: Transaction,
  dataset: FilingsDataset & { sets: SetsSource },
  options: BatchOptions,
  next: () => Promise<readonly SetFiling[] | null>,
): Promise<{ stored: number; read: number; logged: LoggedChange[] }> {
  const { shadow, signal, slices } = options
  const schema = shadow ?? dataset.slug
  const touched: Touched = new Map()
  const touchAll = async (keys: readonly string[], when: When) => {
    if (!shadow) await touch(tx, touched, slices, dataset, { series: null, keys, day: null }, when)
  }
  const partitioned = Object.values(dataset.tables).filter(({ partition }) => partition)
  const hasBare = async () => {
    for (const t of partitioned) if ((await bareTables(tx, t, schema)).length > 0) return true
    return false
  }
  const stored: string[] = []
  const before = new Set<string>()
  let read = 0
  await openDictionaries(tx, dataset, schema)
  const reading = { ...options, entries: new Entries(dataset) }
  do {
    if (read > 0) options.onBatch(read)
    const batch = await next()
    read = batch?.length ?? 0
    if (batch === null) break
    const days = await wanted(tx, dataset, options, batch)
    await touchAll([...days.keys()], 'before_load')
    if (!shadow) for (const accession of await withRows(tx, dataset, [...days.keys()])) before.add(accession)
    stored.push(...(await loadFilings(tx, dataset, reading, batch, days)))
  } while (!signal?.aborted && (await hasBare()))
  for (const t of partitioned) await indexBare(tx, t, schema)
  await closeDictionaries(tx, dataset, schema)
  let logged: LoggedChange[] = []
  if (!shadow && stored.length > 0) {
    await touchAll(stored, 'after_load')
    await mark(tx, touched)
    const after = await withRows(tx, dataset, [...before, ...stored])
    logged = changesTo(dataset, { before, after, loaded: stored })
  }
  // From here until the commit, other transactions that need a new partition wait.
  for (const t of partitioned) await attachBare(tx, t, schema)
  return { stored: stored.length, read, logged }
}

/**
 * Returns the filings of the batch that are to be stored, each with its filing date if an index lists it. Locks the
 * tasks of these filings: a worker that is reading one of the filings from its submission finishes first, and a
 * submission that is read later replaces the rows that are stored here.
 */
async function wanted(
  tx: Transaction,
  dataset: FilingsDataset,
  { shadow, again = false, file: { sha256, to } }: BatchOptions,
  batch: readonly SetFiling[],
): Promise<Map<string, string | null>> {
  const accessions = batch.map(({ accession }) => accession)
  if (!shadow) await holdTasksOf(tx, dataset, accessions)
  const isWanted = shadow
    ? tx`s.sha256 = ${sha256} and r.accession is null`
    : tx`(r.accession is null and s.accession is null) or (s.to_day <= ${to} and (s.sha256 <> ${sha256} or ${again}))`
  const rows = await tx<{ accession: string; filed_date: string | null }[]>`
    select a.accession, f.filed_date
    from unnest(${accessions}::text[]) a (accession)
    left join edgar.filing f on f.accession = a.accession
    left join bulk.set_filing s on s.dataset = ${dataset.slug} and s.accession = a.accession
    left join ${tx(shadow ?? dataset.slug)}.${tx(filingTable(dataset).name)} r on r.accession = a.accession
    where ${isWanted}`
  return new Map(rows.map((row) => [row.accession, row.filed_date]))
}

/** Locks the tasks of these filings until commit. */
async function holdTasksOf(tx: Transaction, { slug }: FilingsDataset, accessions: readonly string[]): Promise<void> {
  await tx`
    select from edgar.task where dataset = ${slug} and accession = any(${accessions as string[]}) order by accession for update`
}
