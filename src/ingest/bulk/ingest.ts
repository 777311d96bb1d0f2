/**
 * `ingest` of bulk datasets: takes the files that are listed or given, fetches them into the archive, and loads them in
 * the order of days.
 */
import type { Store } from '../../archive/store.ts'
import { BULK } from '../../declare/catalog.ts'
import type { BulkDataset } from '../../declare/dataset.ts'
import { messageOf } from '../../declare/errors.ts'
import { type Edition, editionOf } from '../../declare/series.ts'
import type { EdgarClient } from '../../fetch/client.ts'
import { MANIFESTS, readManifest } from '../../fetch/manifest.ts'
import type { Transaction } from '../../store/db.ts'
import { allRemoved, append } from '../../store/events.ts'
import { dataChanged, everythingChanged } from '../../store/meta.ts'
import { endsRun } from '../failures.ts'
import { type ArchivedFile, listedFiles, localFiles, type SourceFile } from '../files.ts'
import { ddlHashes, holdDefinitions } from '../ingest.ts'
import { type Refreshing, refreshing } from '../refresh.ts'
import { forget, holdNoRebuild } from '../shadow.ts'
import { editionsOf, recordFailed, recordLoaded, recordUnchanged, type StoredEdition } from './edition.ts'
import { type LoadResult, loadEdition } from './load.ts'

export interface BulkOptions extends Refreshing {
  datasets: readonly BulkDataset[]
  store: Store
  client: EdgarClient
  /** Paths of lists below the client's host; by default those that the site has. */
  manifests?: readonly string[]
  /** Local files instead of lists. */
  files?: readonly string[]
  /** Only editions that end on or after `from` and begin on or before `to`; `YYYY-MM-DD`. */
  from?: string | undefined
  to?: string | undefined
  /** Loads again what was loaded before. */
  again?: boolean
  /** Believes a snapshot that lacks a quarter of what was known. */
  acceptGone?: boolean
  /** The database holds the bundled sample. The first edition replaces it, so its editions do not count as loaded. */
  replaces?: boolean
  /** Called in the transaction of each edition, before anything of it is stored. */
  claim?: (tx: Transaction) => Promise<boolean>
  /** Called before each edition, also before one that was loaded already. */
  onNext?: (edition: Edition, done: number, total: number) => void
  /** Called while an edition's files are read, with the bytes so far and in all. */
  onRead?: (edition: Edition, bytes: number, total: number) => void
  onEdition?: (outcome: EditionOutcome) => void
  /** Called for an edition that is not loaded, because it or a newer one was loaded before. */
  onKnown?: (edition: Edition) => void
}

export interface EditionOutcome {
  edition: Edition
  /** Null when the edition failed, or is the same as before. */
  result: LoadResult | null
  error: string | null
}

interface Waiting {
  dataset: BulkDataset
  edition: Edition
  parts: Map<number, SourceFile>
}

/**
 * Brings the datasets up to date, until `signal` aborts. An edition that fails is recorded with its reason and does not
 * stop the others. An edition that was loaded before is fetched again only if the list now says something else of it. Ends
 * with the rollups of what was loaded.
 *
 * @throws UserError for a local file that is no edition of these datasets, what `endsRun`, and the signal's reason while
 *   it waits for lists
 */
export async function ingestBulk(options: BulkOptions): Promise<EditionOutcome[]> {
  if (options.datasets.length === 0) return []
  return refreshing(options, (loaded) => loadEditions(options, loaded))
}

async function loadEditions(options: BulkOptions, loaded: () => void): Promise<EditionOutcome[]> {
  const { sql, datasets, from, to, again = false } = options
  const sources = options.files
    ? await localFiles(options, options.files, (name) => isEdition(name, datasets), seriesOf(datasets).join(', '))
    : await listedFiles(options, options.manifests ?? MANIFESTS, readManifest)
  const editions = grouped(sources, datasets).filter(
    ({ edition }) => (!from || edition.to >= from) && (!to || edition.from <= to),
  )
  const definitions = await ddlHashes(datasets)
  const outcomes: EditionOutcome[] = []
  let replaces = options.replaces ?? false
  for (const [done, waiting] of editions.entries()) {
    if (options.signal?.aborted) break
    options.onNext?.(waiting.edition, done, editions.length)
    const stored = replaces ? [] : await editionsOf(sql, [waiting.edition.series])
    const before = stored.find(({ name }) => name === waiting.edition.name)
    const known = (!again && before && isLoaded(before, waiting)) || isOutdated(waiting, stored)
    const outcome = known ? null : await one({ ...options, replaces }, definitions, waiting, before)
    if (outcome) {
      outcomes.push(outcome)
      if (outcome.error === null) replaces = false
      options.onEdition?.(outcome)
      loaded()
    } else if (!options.signal?.aborted) options.onKnown?.(waiting.edition)
  }
  return outcomes
}

/**
 * Whether the edition is listed just as when it was loaded, and by the same host. Another host may mean another file by
 * that name and size.
 */
function isLoaded({ state, listed, files }: StoredEdition, waiting: Waiting): boolean {
  if (state !== 'done' || listed === null || listed !== listedAs(waiting)) return false
  const [{ from }] = [...waiting.parts.values()] as [SourceFile]
  return files.every(({ source_url }) => isOf(from, source_url))
}

/** Whether the file came from that host, or out of that folder. */
function isOf(host: string, url: string): boolean {
  const { origin } = new URL(host)
  return origin === 'null' ? url.startsWith(`${host}/`) : new URL(url).origin === origin
}

/** Whether a newer snapshot was loaded. Records of an older one would seem to come back. */
function isOutdated({ dataset, edition }: Waiting, stored: readonly StoredEdition[]): boolean {
  if (dataset.source.series[edition.series]!.kind !== 'snapshot') return false
  return stored.some(({ state, name, to_day }) => state === 'done' && name !== edition.name && to_day >= edition.to)
}

const listedAs = ({ parts }: Waiting) => [...parts.values()].map(({ as }) => as).join() || null

async function one(
  options: BulkOptions,
  definitions: ReadonlyMap<string, string>,
  waiting: Waiting,
  before: StoredEdition | undefined,
): Promise<EditionOutcome | null> {
  const { sql, slices, store, again = false, acceptGone = false, replaces = false, signal } = options
  const { dataset, edition, parts } = waiting
  const as = listedAs(waiting)
  let files: ArchivedFile[] = []
  try {
    assertWhole(waiting)
    for (const part of [...parts.keys()].sort((a, b) => a - b)) files = [...files, await parts.get(part)!.put()]
    const digests = (all: readonly ArchivedFile[]) => all.map(({ sha256 }) => sha256).join()
    if (!again && before?.state === 'done' && digests(before.files) === digests(files)) {
      await recordUnchanged(sql, edition, { files, listed: as })
      return null
    }
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
    const result = await sql.begin(async (tx) => {
      await holdNoRebuild(tx, dataset)
      await holdDefinitions(tx, new Map([[dataset.slug, definitions.get(dataset.slug)!]]))
      const isOther = await options.claim?.(tx)
      let read = 0
      const onChunk = (chunk: Uint8Array) => {
        signal?.throwIfAborted()
        read += chunk.length
        options.onRead?.(edition, read, total)
      }
      const readable = files.map(({ name, sha256 }) => ({ name, bytes: () => each(store.read(sha256), onChunk) }))
      const loaded = await loadEdition(tx, dataset, edition, readable, { slices, acceptGone, signal })
      await recordLoaded(tx, edition, { files, listed: as, result: loaded })
      // A rebuild that was killed begins anew.
      if (loaded.isNews) await forget(tx, dataset.slug)
      await append(tx, [...(isOther ? await allRemoved(tx) : []), ...loaded.happened])
      if (isOther) await everythingChanged(tx, [dataset.slug, BULK])
      else if (loaded.isNews) await dataChanged(tx, [dataset.slug, BULK])
      return loaded
    })
    return { edition, result, error: null }
  } catch (error) {
    // The operator stopped it: nothing of the edition is stored, and nothing failed.
    if (signal?.aborted) return null
    if (endsRun(error)) throw error
    const reason = messageOf(error)
    // The sample's editions of this name stay until something takes their place.
    if (!replaces) await recordFailed(sql, edition, { files, listed: as, error: reason })
    return { edition, result: null, error: reason }
  }
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

/** @throws Error naming the parts that are missing of an edition in parts */
function assertWhole({ edition, parts }: Waiting): void {
  if (parts.has(0)) return
  const last = Math.max(2, ...parts.keys())
  const missing = Array.from({ length: last }, (_, i) => i + 1).filter((part) => !parts.has(part))
  if (missing.length > 0) throw new Error(`${edition.name} comes in parts: part ${missing.join(', ')} is missing`)
}

/** Editions that have all their files, in the order of days. A period that ends on the day of a snapshot comes before it. */
function grouped(sources: readonly SourceFile[], datasets: readonly BulkDataset[]): Waiting[] {
  const found = new Map<string, Waiting>()
  for (const source of sources) {
    for (const dataset of datasets) {
      for (const [name, series] of Object.entries(dataset.source.series)) {
        const match = editionOf(name, series, source.name)
        if (!match) continue
        const id = `${name}/${match.edition.name}`
        const waiting = found.get(id) ?? { dataset, edition: match.edition, parts: new Map() }
        waiting.parts.set(match.part, source)
        found.set(id, waiting)
      }
    }
  }
  return [...found.values()].sort(
    (a, b) => compare(a.edition.to, b.edition.to) || compare(a.edition.name, b.edition.name),
  )
}

const seriesOf = (datasets: readonly BulkDataset[]) => datasets.flatMap(({ source }) => Object.keys(source.series))

const isEdition = (name: string, datasets: readonly BulkDataset[]) =>
  datasets.some(({ source }) => Object.entries(source.series).some(([series, of]) => editionOf(series, of, name)))

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
