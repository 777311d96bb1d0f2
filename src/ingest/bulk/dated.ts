/** Finds the JSON files of companies, and the day of each file. */
import path from 'node:path'
import type { BulkDataset } from '../../declare/dataset.ts'
import { UserError } from '../../declare/errors.ts'
import { datedName, type Edition, editionOf, type JsonSeries, type PdfRecords } from '../../declare/series.ts'
import type { EdgarClient } from '../../fetch/client.ts'
import { parseJson } from '../../read/json.ts'
import { type ArchivedFile, fetchedFile, type SourceFile } from '../files.ts'
import { holdIndex } from '../order.ts'
import { hintTable } from '../spine-hints.ts'
import { storedByBatches } from './batches.ts'
import { dropReplaced, editionsNamed, editionsOf, recordUnchanged, type StoredEdition } from './edition.ts'
import { loadEdition } from './load.ts'
import { letGo } from './release.ts'
import {
  type BulkOptions,
  type DatedPlace,
  type EditionOutcome,
  failed,
  isOutdated,
  type Storing,
  stored,
} from './store.ts'

/** A file that is an edition of a series. */
export interface Dated {
  dataset: BulkDataset
  series: string
  source: SourceFile
  /** Returns another file in the same folder, by its name. Set only for the file of a requested company. */
  inSameFolder?: (name: string) => Dated
}

const jsonOf = ({ source }: BulkDataset): [name: string, series: JsonSeries][] =>
  Object.entries(source.series).flatMap(([name, series]) => (series.format === 'json' ? [[name, series]] : []))

/**
 * Returns the datasets with a series of files that are not JSON. The names of such files contain the day, and the
 * publisher's lists name the files.
 */
export const named = (datasets: readonly BulkDataset[]): BulkDataset[] =>
  datasets.filter(({ source }) => Object.values(source.series).some(({ format }) => format !== 'json'))

/**
 * Returns a function that checks the name of a file. The function returns null if the name is that of an edition of
 * these datasets. Otherwise it returns the reason why it is not, with an example of each series.
 */
export function refusalIn(datasets: readonly BulkDataset[]): (name: string) => string | null {
  const all = datasets.flatMap(({ source }) => Object.entries(source.series))
  const isKnown = (name: string) =>
    all.some(([of, series]) =>
      series.format === 'json' ? series.file.test(name) : editionOf(of, series, name) !== null,
    )
  const examples = all.map(([name, { example }]) => (example === undefined ? name : `${name} such as ${example}`))
  return (name) => (isKnown(name) ? null : `does not have a known file name; known names: ${examples.join(', ')}`)
}

/**
 * The editions of PDFs that are fetched one by one.
 *
 * @throws UserError for a name that is not in the series
 */
export function singles(
  { datasets, store, signal, now = Date.now }: Pick<BulkOptions, 'datasets' | 'store' | 'signal' | 'now'>,
  { client, names }: NonNullable<BulkOptions['single']>,
): Dated[] {
  return names.map((name) => {
    for (const dataset of datasets) {
      for (const [series, of] of Object.entries(dataset.source.series)) {
        const match = of.format === 'pdf' ? of.record.exec(name) : null
        const at = match && (of as PdfRecords).at(match)
        if (!at) continue
        return { dataset, series, source: fetchedFile({ store, signal, client }, at, () => dayOf(now()), name) }
      }
    }
    throw new UserError(`${name} is not the name of a PDF that can be fetched by itself`)
  })
}

/**
 * Returns the local files that are JSON files of a series. Files whose names have a day are in the order of their days.
 */
export function datedAmong(files: readonly SourceFile[], datasets: readonly BulkDataset[]): Dated[] {
  const found = datasets.flatMap((dataset) =>
    jsonOf(dataset).flatMap(([series, { file }]) =>
      files
        .filter(({ name }) => file.test(name))
        .map((source): Dated => ({ dataset, series, source: withDay(source, file) })),
    ),
  )
  return found.sort((a, b) => (a.source.name < b.source.name ? -1 : 1))
}

function withDay(source: SourceFile, file: RegExp): SourceFile {
  return ofDay(source, file.exec(source.name)?.groups?.day)
}

function ofDay(source: SourceFile, day: string | undefined): SourceFile {
  return day === undefined
    ? source
    : { ...source, put: async (known) => ({ ...(await source.put(known)), day, day_from: 'name' }) }
}

/**
 * Returns the JSON files of a `DatedPlace`: its local files, the files of all companies on the hosts, or the files of
 * the companies that `ciks` names.
 */
export function datedAt(
  { datasets, store, signal, now = Date.now }: Pick<BulkOptions, 'datasets' | 'store' | 'signal' | 'now'>,
  { client, dataClient, ciks, areListsWanted = !ciks, files, day }: DatedPlace,
): Dated[] {
  const file = (from: EdgarClient, at: string) =>
    ofDay(
      fetchedFile({ store, signal, client: from }, at, () => dayOf(now())),
      day,
    )
  return datasets.flatMap((dataset) =>
    jsonOf(dataset).flatMap(([series, of]): Dated[] => {
      const waiting = (from: EdgarClient, paths: readonly string[]) =>
        paths.map((at): Dated => ({ dataset, series, source: file(from, at) }))
      if (files) return waiting(client, pathsIn(of, files))
      if (of.kind === 'snapshot') return waiting(client, areListsWanted ? [of.at] : [])
      if (!ciks) return waiting(client, [of.at.all])
      const folder = path.posix.dirname(of.at.one(''))
      const inSameFolder = (name: string) => ({ dataset, series, source: file(dataClient, `${folder}/${name}`) })
      return waiting(dataClient, ciks.map(of.at.one)).map((one) => ({ ...one, inSameFolder }))
    }),
  )
}

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)

/** Returns the paths of those local files whose names belong to the series. */
function pathsIn(series: JsonSeries, files: (folder: string) => readonly string[]): string[] {
  const folder = path.posix.dirname(series.kind === 'snapshot' ? series.at : series.at.one('0'.repeat(10)))
  const names = series.kind === 'snapshot' ? series.file : series.record
  return files(folder)
    .filter((name) => names.test(name))
    .map((name) => `${folder}/${name}`)
}

/** The file that was last loaded from the source's address. */
const fileOf = (known: readonly StoredEdition[], { url }: SourceFile): ArchivedFile | undefined =>
  known
    .filter(({ state }) => state === 'done')
    .flatMap(({ files }) => files)
    .findLast((file) => file.source_url === url)

/** Returns the edition with the name that it has before its file is read. */
export function unread({ series, source }: Dated, { now = Date.now }: Pick<BulkOptions, 'now'>): Edition {
  const day = dayOf(now())
  return { series, name: source.name, from: day, to: day }
}

/** Name of a continuation file as EDGAR writes it. The name of a local copy also contains a day. */
const CONTINUATION = /^(?<own>CIK\d{10})-submissions-\d{3}\.json$/

/**
 * Selects the continuation files of a company from the names in its profile, each once. Skips all other names, since
 * they could lead to any path of the host, or to more files than a company has.
 *
 * @param own `CIK0000320193`
 */
export const continuationsOf = (names: readonly string[], own: string): string[] => [
  ...new Set(names.filter((name) => CONTINUATION.exec(name)?.groups?.own === own)),
]

/** Returns the names of those continuation files of a company that are wanted. */
async function moreOf(
  { store }: BulkOptions,
  { dataset, series, source }: Dated,
  { sha256 }: ArchivedFile,
  from: string | null,
): Promise<string[]> {
  const of = dataset.source.series[series]!
  if (of.format !== 'json' || of.kind !== 'update' || !of.more) return []
  const document = parseJson(Buffer.concat(await Array.fromAsync(store.read(sha256))))
  return continuationsOf(of.more(document, from), source.name.replace(/\.json$/, ''))
}

/**
 * Calls `onProfile` with a file of a company.
 *
 * @returns the result of `onProfile`: the first day for which the company's continuation files are wanted
 */
async function profiled(
  { onProfile }: BulkOptions,
  { dataset, series, source }: Dated,
  file: ArchivedFile,
): Promise<string | null | undefined> {
  const of = dataset.source.series[series]!
  if (!onProfile || of.format !== 'json' || of.kind !== 'update') return null
  const key = of.record.exec(source.name)?.groups?.key
  return key === undefined ? null : onProfile(file, key, of)
}

/**
 * Fetches a file and loads it as the edition of its day. Returns null if that edition or a newer edition was loaded
 * before.
 */
export async function oneDated(
  options: BulkOptions,
  definitions: ReadonlyMap<string, string>,
  dated: Dated,
  unnamed: Edition,
  queue: Dated[],
): Promise<EditionOutcome | null> {
  const { dataset, series, source } = dated
  const { sql, slices, store, signal, again = false, acceptGone = false, originals = false, replaces = false } = options
  let edition = unnamed
  let files: ArchivedFile[] = []
  try {
    const isList = dataset.source.series[series]!.kind === 'snapshot'
    const earlier = () => (isList ? editionsOf(sql, [series]) : editionsNamed(sql, series, source.name))
    const known = replaces ? [] : await earlier()
    const file = await source.put(fileOf(known, source))
    const from = await profiled(options, dated, file)
    const day = file.day ?? unnamed.to
    files = [{ ...file, day, day_from: file.day_from ?? 'fetched' }]
    edition = { series, name: datedName(file.name, day, file.sha256), from: day, to: day }
    const same = known.find(({ name }) => name === edition.name)
    const goOn = async () => {
      if (!dated.inSameFolder || from === undefined) return
      for (const name of await moreOf(options, dated, file, from)) queue.push(dated.inSameFolder(name))
    }
    if (!again && same?.state === 'done') {
      await recordUnchanged(sql, edition, { files, listed: null })
      // A chosen filer's continuation files may be missing although its own file was loaded before.
      if (options.onProfile) await goOn()
      return null
    }
    if (isOutdated({ dataset, edition }, known)) return null
    // Without this lock, lists of filings that are stored would miss filings that an index adds meanwhile.
    const locks = hintTable(dataset) === null ? undefined : holdIndex
    const parts: Storing = { ...options, definitions, dataset, edition, files, listed: null, before: locks }
    const result = isList
      ? await stored(parts, (tx, readable) =>
          loadEdition(tx, dataset, edition, readable, { slices, acceptGone, originals, signal }),
        )
      : await storedByBatches(parts)
    const dropped = await dropReplaced(sql, edition, file.name)
    await letGo(sql, store, [...dropped, ...(result.released ?? [])])
    await goOn()
    return { edition, result, error: null }
  } catch (error) {
    return failed(options, edition, { files, listed: null }, error)
  }
}
