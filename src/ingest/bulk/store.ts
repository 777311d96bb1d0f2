/** The shared parts of all loads of editions: their options, their transaction, and the record of their result. */
import type { Store } from '../../archive/store.ts'
import { BULK } from '../../declare/catalog.ts'
import type { BulkDataset } from '../../declare/dataset.ts'
import { messageOf } from '../../declare/errors.ts'
import type { Edition, JsonRecords } from '../../declare/series.ts'
import type { EdgarClient } from '../../fetch/client.ts'
import type { Transaction } from '../../store/db.ts'
import { allRemoved, append, type LoggedChange } from '../../store/events.ts'
import { dataChanged, everythingChanged } from '../../store/meta.ts'
import { stoppable } from '../../store/stoppable.ts'
import { endsRun } from '../failures.ts'
import type { ArchivedFile, RefusedFile } from '../files.ts'
import { holdDefinitions } from '../ingest.ts'
import { forget, holdNoRebuild } from '../rebuild/shadow.ts'
import type { Refreshing } from '../refresh.ts'
import type { LoadResult } from './edition.ts'
import { recordFailed, recordLoaded, type StoredEdition } from './edition.ts'
import type { BulkFile } from './read.ts'

export interface BulkOptions extends Refreshing {
  datasets: readonly BulkDataset[]
  store: Store
  client: EdgarClient
  /** Paths of lists on the client's host; by default the lists of the SEC's site. */
  manifests?: readonly string[]
  /** Local files instead of lists. */
  files?: readonly string[]
  /** The place of the JSON files of companies; if absent, these files are not loaded. */
  dated?: DatedPlace | undefined
  /** The names of PDFs that are fetched one by one, and the host that has them. If set, no list is read. */
  single?: { client: EdgarClient; names: readonly string[] } | undefined
  /** The current time, for the day of a fetched file whose host states none. */
  now?: () => number
  /** Loads only editions that end on or after `from` and begin on or before `to`; `YYYY-MM-DD`. */
  from?: string | undefined
  to?: string | undefined
  /** Whether editions that were loaded before are loaded again. */
  again?: boolean
  /** Loads again the editions that have PDFs without text, and reads only these PDFs. */
  retry?: boolean
  /** Keeps files that rebuilds no longer need. */
  originals?: boolean
  /** Accepts a snapshot that lacks more than a quarter of the known records, or has fewer parts than usual. */
  acceptGone?: boolean
  /**
   * Whether the database has the bundled sample. The first real edition replaces the sample, so the sample's editions
   * do not count as loaded.
   */
  replaces?: boolean
  /** Called in the transaction of each edition, before anything is stored. */
  claim?: (tx: Transaction) => Promise<boolean>
  /**
   * Called with the files to be fetched.
   *
   * @returns whether to fetch them
   */
  onPlan?: (files: readonly { name: string; as: string | null }[]) => Promise<boolean>
  /** Called before each edition, including one that is already loaded. */
  onNext?: (edition: Edition, done: number, total: number) => void
  /** Called while an edition's files are read, with the bytes so far and in all. */
  onRead?: (edition: Edition, bytes: number, total: number) => void
  onEdition?: (outcome: EditionOutcome) => void
  /** Reports each local file that is not an edition of these datasets, or cannot be read. */
  onRefusedFile?: (refused: RefusedFile) => void
  /**
   * Called with each JSON file of a requested company, changed or not, after it was archived and before it is loaded.
   *
   * @returns the first day of filings for which the company's continuation files are wanted, null if all of these files
   *   are wanted, and undefined if none is wanted
   */
  onProfile?: (file: ArchivedFile, key: string, series: JsonRecords) => Promise<string | null | undefined>
  /** Called for an edition that is skipped because this edition or a newer edition was loaded before. */
  onKnown?: (edition: Edition) => void
}

export interface EditionOutcome {
  edition: Edition
  /** The result of the load; null if the edition failed, or is unchanged. */
  result: LoadResult | null
  error: string | null
}

export interface DatedPlace {
  /** The host with the files of all companies. */
  client: EdgarClient
  /** The host with a file for each company. */
  dataClient: EdgarClient
  /** Companies whose own files are wanted, ten digits each; if absent, the files of all companies. */
  ciks?: readonly string[] | undefined
  /** With `ciks`: whether the lists that are one file each, such as the lists of tickers, are wanted too. */
  areListsWanted?: boolean | undefined
  /**
   * Returns the names of the files in a folder, if local files take the place of both hosts: the bundled sample has
   * files of companies, and no zip.
   */
  files?: (folder: string) => readonly string[]
  /**
   * The day of all files, whatever the host states. It is set for the sample, since its files have the date of their
   * installation.
   */
  day?: string
}

/**
 * Records that an edition could not be loaded.
 *
 * @throws errors for which `endsRun` is true
 */
export async function failed(
  { sql, signal, replaces = false }: BulkOptions,
  edition: Edition,
  from: { files: readonly ArchivedFile[]; listed: string | null },
  error: unknown,
): Promise<EditionOutcome | null> {
  // The operator stopped the load, so the edition did not fail.
  if (signal?.aborted) return null
  if (endsRun(error)) throw error
  const reason = messageOf(error)
  // The sample's editions of this name stay until real editions replace them.
  if (!replaces) await recordFailed(sql, edition, { ...from, error: reason })
  return { edition, result: null, error: reason }
}

export interface Storing extends Omit<BulkOptions, 'files'> {
  definitions: ReadonlyMap<string, string>
  dataset: BulkDataset
  edition: Edition
  files: readonly ArchivedFile[]
  listed: string | null
  /**
   * Takes the locks that come before those of the definitions in the global order of locks (`order.ts`). This function
   * is called before the definitions are locked.
   */
  before?: ((tx: Transaction) => Promise<unknown>) | undefined
}

/** Loads an edition of archived files. One transaction stores its rows and everything else that the load changes. */
export function stored(
  parts: Storing,
  load: (tx: Transaction, files: BulkFile[]) => Promise<LoadResult>,
): Promise<LoadResult> {
  const { edition, files, listed, originals } = parts
  return transacted(parts, async (tx) => {
    const loaded = await load(tx, readableOf(parts))
    await recordLoaded(tx, edition, { files, listed, result: loaded, originals })
    return loaded
  })
}

/** Returns the archived files. While they are read, progress is reported to `onRead`. */
export function readableOf({ store, edition, files, onRead, signal }: Storing): BulkFile[] {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let read = 0
  const onChunk = (chunk: Uint8Array) => {
    signal?.throwIfAborted()
    read += chunk.length
    onRead?.(edition, read, total)
  }
  return files.map(({ name, sha256 }) => ({ name, bytes: () => each(store.read(sha256), onChunk) }))
}

/** Runs a load and logs its changes in the same transaction. */
export function transacted<T extends { isNews: boolean; also?: readonly string[]; logged: LoggedChange[] }>(
  { sql, definitions, dataset, claim, before, signal }: Storing,
  load: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return stoppable(sql, signal, async (tx) => {
    await holdNoRebuild(tx, dataset)
    await before?.(tx)
    await holdDefinitions(tx, new Map([[dataset.slug, definitions.get(dataset.slug)!]]))
    const isOther = await claim?.(tx)
    const loaded = await load(tx)
    // The shadow of a rebuild that was killed is outdated now, so that rebuild begins again from the start.
    if (loaded.isNews) await forget(tx, dataset.slug)
    await append(tx, [...(isOther ? await allRemoved(tx) : []), ...loaded.logged])
    if (isOther) await everythingChanged(tx, [dataset.slug, BULK, ...(loaded.also ?? [])])
    else if (loaded.isNews) await dataChanged(tx, [dataset.slug, BULK, ...(loaded.also ?? [])])
    return loaded
  })
}

async function* each(
  bytes: AsyncIterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onChunk(chunk)
    yield chunk
  }
}

/**
 * Whether a newer snapshot was loaded. If an older snapshot were loaded after a newer snapshot, records that are gone
 * would seem to come back.
 */
export function isOutdated(
  { dataset, edition }: { dataset: BulkDataset; edition: Edition },
  stored: readonly StoredEdition[],
): boolean {
  if (dataset.source.series[edition.series]!.kind !== 'snapshot') return false
  return stored.some(({ state, name, to_day }) => state === 'done' && name !== edition.name && isLater(to_day, edition))
}

/**
 * A second feed of a day is a reissue with the same name, so an edition of the same day with another name counts as
 * later. Editions of files whose name has no day are distinguished by their bytes, so several editions may have the
 * same day.
 */
const isLater = (day: string, { to, name }: Edition) => (name.includes(' ') ? day > to : day >= to)
