/**
 * `ingest` of bulk datasets: takes listed or local files, fetches them into the archive, and loads them in the order of
 * days.
 */
import type { BulkDataset } from '../../declare/dataset.ts'
import { type Edition, editionOf } from '../../declare/series.ts'
import { MANIFESTS, readManifest } from '../../fetch/manifest.ts'
import { type ArchivedFile, listedFiles, localFiles, type SourceFile } from '../files.ts'
import { ddlHashes } from '../ingest.ts'
import { refreshing } from '../refresh.ts'
import { storedByBatches } from './batches.ts'
import { type Dated, datedAmong, datedAt, named, oneDated, refusalIn, singles, unread } from './dated.ts'
import { editionsOf, editionsToRetry, recordUnchanged, type StoredEdition } from './edition.ts'
import { loadEdition } from './load.ts'
import { missedFeeds } from './missed.ts'
import { letGo } from './release.ts'
import { condense } from './rest.ts'
import { type BulkOptions, type EditionOutcome, failed, isOutdated, type Storing, stored } from './store.ts'

export type { BulkOptions, DatedPlace, EditionOutcome } from './store.ts'

interface Waiting {
  dataset: BulkDataset
  edition: Edition
  parts: Map<number, SourceFile>
}

/**
 * Brings the datasets up to date, until `signal` aborts. An edition that fails is recorded with its reason and does not
 * stop the others. A loaded edition is fetched again only if its entry in the list has changed. At the end, this
 * function refreshes the rollups that the loaded editions affect.
 *
 * @throws UserError if none of the local files is an edition of these datasets, errors for which `endsRun` is true, and
 *   the signal's reason while it waits for lists
 */
export async function ingestBulk(options: BulkOptions): Promise<EditionOutcome[]> {
  if (options.datasets.length === 0) return []
  return refreshing(options, (loaded) => loadEditions(options, loaded))
}

/**
 * Loads all editions that the options select. Branches: there are many, because options choose where editions come from
 * and an edition may be skipped for several reasons.
 */
async function loadEditions(options: BulkOptions, loaded: () => void): Promise<EditionOutcome[]> {
  const { sql, from, to, again = false, retry = false } = options
  const local = options.files && (await localFiles(options, options.files, refusalIn(options.datasets)))
  const files = local?.usable
  for (const refused of local?.refused ?? []) options.onRefusedFile?.(refused)
  const listed = named(options.datasets)
  const isListed = listed.length > 0 && !options.single
  const sources = files ?? (isListed ? await listedFiles(options, options.manifests ?? MANIFESTS, readManifest) : [])
  const missed = files || !isListed || options.replaces || to ? [] : await missedFeeds(options, sources, listed)
  const waiting = grouped([...sources, ...missed], listed).filter(
    ({ edition }) => (!from || edition.to >= from) && (!to || edition.from <= to),
  )
  const dated = datedOf(options, files)
  const definitions = ddlHashes(options.datasets)
  const failing = new Set(
    retry
      ? await editionsToRetry(
          sql,
          waiting.map(({ edition }) => edition.series),
        )
      : [],
  )
  const outcomes: EditionOutcome[] = []
  let replaces = options.replaces ?? false
  if (options.onPlan && !files) {
    const planned = await toFetch({ sql, again, replaces, waiting, dated })
    if (!(await options.onPlan(planned))) return outcomes
  }
  async function settle(edition: Edition, load: (parts: BulkOptions) => Promise<EditionOutcome | null>): Promise<void> {
    const outcome = await load({ ...options, replaces })
    if (outcome) {
      outcomes.push(outcome)
      if (outcome.error === null) replaces = false
      options.onEdition?.(outcome)
      loaded()
    } else if (!options.signal?.aborted) options.onKnown?.(edition)
  }
  for (const [done, next] of waiting.entries()) {
    if (options.signal?.aborted) return outcomes
    options.onNext?.(next.edition, done, waiting.length + dated.length)
    const stored = replaces ? [] : await editionsOf(sql, [next.edition.series])
    const before = stored.find(({ name }) => name === next.edition.name)
    const isRetried = retry && before !== undefined && failing.has(`${before.series}/${before.name}`)
    const isKnown = (!again && !isRetried && before && isLoaded(before, next)) || isOutdated(next, stored)
    await settle(next.edition, async (parts) => (isKnown ? null : one(parts, definitions, next, before, isRetried)))
  }
  for (const [at, next] of dated.entries()) {
    if (options.signal?.aborted) return outcomes
    const edition = unread(next, options)
    options.onNext?.(edition, waiting.length + at, waiting.length + dated.length)
    await settle(edition, (parts) => oneDated(parts, definitions, next, edition, dated))
  }
  return outcomes
}

/**
 * Returns the files to fetch: those of editions that were never loaded, those of editions whose entry in the list has
 * changed since they were loaded, and dated files without validators.
 */
async function toFetch({
  sql,
  again = false,
  replaces = false,
  waiting,
  dated,
}: Pick<BulkOptions, 'sql' | 'again' | 'replaces'> & { waiting: readonly Waiting[]; dated: readonly Dated[] }): Promise<
  SourceFile[]
> {
  const series = new Set([...waiting.map(({ edition }) => edition.series), ...dated.map((one) => one.series)])
  const stored = replaces ? [] : await editionsOf(sql, [...series])
  const isKnown = (next: Waiting) => {
    const own = stored.filter((one) => one.series === next.edition.series)
    const before = own.find(({ name }) => name === next.edition.name)
    return (!again && before !== undefined && isLoaded(before, next)) || isOutdated(next, own)
  }
  // A host that supports conditional requests answers, for most of its files, that they are unchanged. So files with
  // validators are not in the plan.
  const known = new Set(
    stored.flatMap(({ files }) => files.filter((file) => file.validators).map((file) => file.source_url)),
  )
  return [
    ...waiting.filter((next) => !isKnown(next)).flatMap(({ parts }) => [...parts.values()]),
    ...dated.map(({ source }) => source).filter(({ url }) => !known.has(url)),
  ]
}

/**
 * Files whose names do not contain their day: local files, individually requested files, or the files of a
 * `DatedPlace`.
 */
function datedOf(options: BulkOptions, files: readonly SourceFile[] | undefined): Dated[] {
  if (files) return datedAmong(files, options.datasets)
  if (options.single) return singles(options, options.single)
  return options.dated ? datedAt(options, options.dated) : []
}

/**
 * Whether the edition was loaded from the same host, and the list describes its files as it did then. Another host may
 * have another file with the same name and size.
 */
function isLoaded({ state, listed, files }: StoredEdition, waiting: Waiting): boolean {
  if (state !== 'done' || listed === null || listed !== listedAs(waiting)) return false
  const [{ from }] = [...waiting.parts.values()] as [SourceFile]
  return files.every(({ source_url }) => isOf(from, source_url))
}

/** Whether the file at `url` is from this host or folder. */
function isOf(host: string, url: string): boolean {
  const { origin } = new URL(host)
  return origin === 'null' ? url.startsWith(`${host}/`) : new URL(url).origin === origin
}

const listedAs = ({ parts }: Waiting) => [...parts.values()].map(({ as }) => as).join() || null

async function one(
  options: BulkOptions,
  definitions: ReadonlyMap<string, string>,
  waiting: Waiting,
  before: StoredEdition | undefined,
  isRetried: boolean,
): Promise<EditionOutcome | null> {
  const { sql, slices, store, again = false, acceptGone = false, originals = false, signal } = options
  const { dataset, edition, parts } = waiting
  const as = listedAs(waiting)
  let files: ArchivedFile[] = []
  try {
    assertWhole(waiting)
    for (const part of [...parts.keys()].sort((a, b) => a - b)) files = [...files, await parts.get(part)!.put()]
    const digests = (all: readonly ArchivedFile[]) => all.map(({ sha256 }) => sha256).join()
    if (!again && !isRetried && before?.state === 'done' && digests(before.files) === digests(files)) {
      await recordUnchanged(sql, edition, { files, listed: as })
      return null
    }
    const storing: Storing = { ...options, definitions, dataset, edition, files, listed: as }
    const result =
      dataset.source.series[edition.series]!.kind === 'update'
        ? await storedByBatches(storing)
        : await stored(storing, (tx, readable) =>
            loadEdition(tx, dataset, edition, readable, { slices, acceptGone, originals, signal }),
          )
    // Removes the files that the edition had before this load, and the files of the editions that it replaces. A file
    // that something else needs stays.
    const former = originals ? [] : (before?.files ?? []).map(({ sha256 }) => sha256)
    await letGo(sql, store, [...former, ...(result.released ?? [])])
    // A failure is ignored: condensing only saves space, and the next load tries again.
    if (!originals) await condense({ sql, store, signal }, dataset, edition.series).catch(() => null)
    return { edition, result, error: null }
  } catch (error) {
    return failed(options, edition, { files, listed: as }, error)
  }
}

/**
 * Checks that all parts are there.
 *
 * @throws Error that names the missing parts of an edition that comes in parts
 */
function assertWhole({ edition, parts }: Waiting): void {
  if (parts.has(0)) return
  const last = Math.max(2, ...parts.keys())
  const missing = Array.from({ length: last }, (_, i) => i + 1).filter((part) => !parts.has(part))
  if (missing.length > 0) throw new Error(`${edition.name} comes in parts: part ${missing.join(', ')} is missing`)
}

/**
 * Groups the files by edition, in the order of the editions' days. Editions of one day are in the order of their names,
 * so a period (`ADV…`) comes before a snapshot (`IA_…`).
 */
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

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
