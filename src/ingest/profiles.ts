/**
 * Reads the profiles of chosen filers, and adds to the spine the filings that they list. A profile is EDGAR's JSON file
 * of a company, with its continuation files; loading it as an edition stores the company too.
 */
import type { Catalog } from '../declare/catalog.ts'
import type { BulkDataset } from '../declare/dataset.ts'
import { messageOf, UserError } from '../declare/errors.ts'
import type { FilerNames, JsonRecords, Profile } from '../declare/series.ts'
import type { EdgarClient } from '../fetch/client.ts'
import { parseJson } from '../read/json.ts'
import { type IndexEntry, type IndexReader, parseLine } from '../read/master-index.ts'
import { continuationsOf } from './bulk/dated.ts'
import { type BulkOptions, ingestBulk } from './bulk/ingest.ts'
import { gathered, MEMBER_SIZE_MAX } from './bulk/read-json.ts'
import { type ChosenFiler, chosenBefore, recordChosen } from './chosen.ts'
import { endsRun } from './failures.ts'
import type { ArchivedFile } from './files.ts'
import { loadIndex } from './spine.ts'

export interface ProfilesOptions extends Omit<BulkOptions, 'datasets' | 'dated' | 'onProfile' | 'now'> {
  catalog: Catalog
  /** The dataset of profiles. */
  dataset: BulkDataset
  dataClient: EdgarClient
  /** The chosen filers: the CIK in ten digits, and the entry as the operator wrote it. */
  filers: readonly { cik: string; entry: string }[]
  /**
   * First day of the wanted filings. If absent, filers that were chosen before keep the first day of the last run, and
   * all filings of new filers are wanted.
   */
  from?: string | undefined
  now: Date
  /** Whether the database holds data of this source. Nothing is recorded about filers until it holds such data. */
  isMade: () => Promise<boolean>
  /** Minimum number of filings that are stored together. */
  batch?: number
}

export interface ProfilesResult {
  /** Filers whose profiles had something new, and filers whose profiles had not changed. */
  read: number
  unchanged: number
  /** Lines of profiles that cannot be read. */
  unread: number
  /** Number of filings in the wanted days, and number of these filings that are new. */
  filings: number
  added: number
  /** Filers with a file that could not be read. A file with only some unreadable lines counts as read. */
  failed: { cik: string; entry: string; reason: string }[]
}

/** Once this number of filings is gathered, they are stored in a transaction, before further profiles are read. */
const BATCH = 50_000

/** Length of a CIK; the key of a continuation file has more characters. */
const CIK_LENGTH = 10

/**
 * Fetches the profiles that changed, and stores the filings that they list. If the profile of a filer cannot be read,
 * the other filers are still read, and the next run reads this profile again.
 *
 * @throws errors for which `endsRun` is true, and the signal's reason; UserError if the database refuses filings
 */
export async function readProfiles(options: ProfilesOptions): Promise<ProfilesResult> {
  const { sql, filers, dataset, client, dataClient, signal } = options
  const ciks = filers.map(({ cik }) => cik)
  const before = options.replaces ? new Map<string, ChosenFiler>() : await chosenBefore(sql, ciks)
  const reading = new Reading(options, before)
  try {
    await ingestBulk({
      ...options,
      datasets: [dataset],
      dated: { client, dataClient, ciks },
      now: () => options.now.getTime(),
      onProfile: (file, key, series) => reading.take(file, key, series),
      onEdition(outcome) {
        if (outcome.error !== null) reading.fail(outcome.edition.name, outcome.error)
        options.onEdition?.(outcome)
      },
    })
  } catch (error) {
    // EDGAR may refuse the same filer in every run. The filers before this filer must be stored even then, although no
    // run ever reaches the end. If storing fails too, the first error is the cause.
    if (!signal?.aborted) await reading.end().catch(() => {})
    throw error
  }
  // The profiles are in the archive, so the next run finds the filings that were not stored.
  signal?.throwIfAborted()
  await reading.end()
  return reading.result
}

interface Filer extends ChosenFiler {
  names: FilerNames | null
  /** Keys of the continuation files that were not read yet. */
  expected: Set<string>
  /** Number of lines of the filer's files that cannot be read. */
  unread: number
  isUnchanged: boolean
  isRequested: boolean
}

/**
 * One reading of many profiles. Its state consists of the facts about each filer, and the filings that wait to be
 * stored.
 */
class Reading {
  readonly result: ProfilesResult = { read: 0, unchanged: 0, unread: 0, filings: 0, added: 0, failed: [] }
  readonly #options: ProfilesOptions
  readonly #before: ReadonlyMap<string, ChosenFiler>
  readonly #filers: Map<string, Filer>
  #entries: IndexEntry[] = []
  /** Why the filings of a batch were not stored. It is then unknown to which filers these filings belong. */
  #refusal: UserError | null = null

  constructor(options: ProfilesOptions, before: ReadonlyMap<string, ChosenFiler>) {
    this.#options = options
    this.#before = before
    const filerOf = ({ cik, entry }: { cik: string; entry: string }): Filer => ({
      ...{
        cik,
        entry,
        name: null,
        names: null,
        from_day: firstDay(options.from, before.get(cik)),
        through: null,
        digest: null,
      },
      ...{ problem: null, expected: new Set(), unread: 0, isUnchanged: false, isRequested: false },
    })
    this.#filers = new Map(options.filers.map((filer) => [filer.cik, filerOf(filer)]))
  }

  /** Adds the filings of a file. @returns the same as `onProfile` of `BulkOptions` */
  async take({ sha256 }: ArchivedFile, key: string, series: JsonRecords): Promise<string | null | undefined> {
    const filer = this.#filers.get(key.slice(0, CIK_LENGTH))
    if (!filer) return undefined
    const isFirst = key.length === CIK_LENGTH
    // Skips a continuation file that the filer's own profile does not name: the profile of one filer must not lead to
    // files of another.
    if (!isFirst && !filer.expected.has(key)) return undefined
    if (isFirst) {
      filer.isRequested = true
      filer.digest = sha256
      const last = this.#before.get(filer.cik)
      filer.isUnchanged =
        !this.#options.again &&
        last !== undefined &&
        last.through !== null &&
        last.problem === null &&
        last.digest === sha256 &&
        last.from_day === filer.from_day
      if (filer.isUnchanged) return undefined
    }
    try {
      const bytes = await gathered(this.#options.store.read(sha256))
      const document = parseJson(bytes, { sizeMax: MEMBER_SIZE_MAX })
      this.#add(filer, series.profile!(document, key))
      if (isFirst) filer.expected = expectedOf(series, series.more?.(document, filer.from_day) ?? [], filer.cik)
      else filer.expected.delete(key)
    } catch (error) {
      filer.problem = messageOf(error)
      if (endsRun(error)) throw error
      // The edition fails for the same reason, and is reported.
      return undefined
    }
    if (this.#entries.length >= (this.#options.batch ?? BATCH)) await this.#store([])
    return filer.from_day
  }

  /** Notes that a file could not be fetched or loaded. */
  fail(name: string, error: string): void {
    const filer = this.#filers.get(/^CIK(\d{10})/.exec(name)?.[1] ?? '')
    if (filer) filer.problem = `${name}: ${error}`
  }

  /**
   * Stores the filings that wait, and how each filer was read.
   *
   * @throws UserError if the database refuses filings now, or has refused some before; in both cases nothing is
   * recorded
   */
  async end(): Promise<void> {
    if (this.#refusal) throw this.#refusal
    const through = this.#options.now.toISOString().slice(0, 10)
    const rows: ChosenFiler[] = []
    for (const { expected, names: _, unread, isUnchanged, isRequested, ...row } of this.#filers.values()) {
      this.result.unread += unread
      const [missing] = expected
      const failure = row.problem ?? (missing === undefined ? null : `CIK${missing}.json was not read`)
      // A filer may not have been requested because the operator did not want the requests. Such a filer does not count
      // as failed.
      if (!isRequested && failure === null) continue
      if (failure !== null) this.result.failed.push({ cik: row.cik, entry: row.entry, reason: failure })
      else this.result[isUnchanged ? 'unchanged' : 'read']++
      const problem = failure ?? (unread > 0 ? `${unread} of its lines cannot be read` : null)
      // If a profile was not read completely, no digest of it is recorded. So the next run reads the profile again even
      // if it has not changed.
      const reached = problem === null ? { through } : { through: null, digest: null }
      rows.push({ ...row, problem, ...reached })
    }
    await this.#store(rows)
  }

  /** Adds the filings of the wanted days. Each filing is checked as a line of an index is. */
  #add(filer: Filer, { names, filings, unread }: Profile): void {
    filer.names ??= names
    filer.name = filer.names?.now ?? null
    filer.unread += unread
    for (const { accession, form_type, filed_date } of filings) {
      if (filer.from_day !== null && filed_date < filer.from_day) continue
      const cik = filer.cik
      // EDGAR serves a submission under the CIK of each of its filers.
      const path = `edgar/data/${Number(cik)}/${accession}.txt`
      const name = nameOn(filer.names, filed_date).replace(/\s+/g, ' ')
      const line = [cik, name, form_type, filed_date, path].join('|')
      const entry = parseLine(line)
      if (typeof entry === 'string') filer.unread++
      else this.#entries.push(entry)
    }
  }

  async #store(rows: readonly ChosenFiler[]): Promise<void> {
    const { sql, catalog, dataClient, claim, now, isMade } = this.#options
    const entries = this.#entries
    const wanted = [...this.#filers.keys()]
    this.#entries = []
    if (entries.length === 0) {
      if (await isMade()) await sql.begin((tx) => recordChosen(tx, rows, { now, wanted }))
      return
    }
    const reader = readerOf(entries)
    const result = await loadIndex(sql, catalog, {
      url: `${dataClient.baseUrl}/submissions/`,
      ...{ reader, host: dataClient.baseUrl, source: '/submissions/', isOfProfiles: true, now },
      through: now.toISOString().slice(0, 10),
      note: (tx) => recordChosen(tx, rows, { now, wanted }),
      ...(claim ? { claim } : {}),
    })
    const [refused] = reader.problems
    if (refused) {
      this.#refusal = new UserError(`the filings that the profiles list were not stored: ${refused.reason}`)
      throw this.#refusal
    }
    this.result.filings += result.filings
    this.result.added += result.added
  }
}

/**
 * Returns the first day from which a filer's filings are wanted. Once filings are listed, this day is never moved to a
 * later day: the filings between the two days would be missing. If no day is given, each filer keeps the first day of
 * the last run, even if that run failed.
 */
function firstDay(given: string | undefined, last: ChosenFiler | undefined): string | null {
  if (!last || last.through === null) return given ?? last?.from_day ?? null
  if (given === undefined || last.from_day === null) return last.from_day
  return given < last.from_day ? given : last.from_day
}

/** The name that the filer had on a day; an index of that day states the same name. */
const nameOn = (names: FilerNames | null, day: string) =>
  names?.before.find(({ to }) => day <= to)?.name ?? names?.now ?? ''

/** The keys of the continuation files that a profile names for its own filer. */
function expectedOf(series: JsonRecords, names: readonly string[], cik: string): Set<string> {
  return new Set(continuationsOf(names, `CIK${cik}`).flatMap((name) => series.record.exec(name)?.groups?.key ?? []))
}

/**
 * Sorts entries as in an index, by CIK as text: a filing of several chosen filers is listed under the first. If both
 * the profile and a continuation file of a filer list a filing, only one entry is kept: the number of filings under a
 * name is the number of entries.
 */
function readerOf(entries: readonly IndexEntry[]): IndexReader {
  const once = new Map<string, IndexEntry>()
  for (const entry of entries) {
    const id = `${entry.accession} ${entry.cik}`
    if (!once.has(id)) once.set(id, entry)
  }
  const sorted = [...once.values()]
    .map((entry) => ({ entry, key: String(Number(entry.cik)) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  async function* batches() {
    yield sorted.map(({ entry }) => entry)
  }
  const outcome = { problems: [], problemCount: 0, lastReceived: null, begun: true }
  return { entries: batches(), ...outcome, mentioned: new Set(), unplaced: 0 }
}
