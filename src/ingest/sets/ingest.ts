/** `ingest` of quarterly data sets: takes listed or local files into the archive, then into the tables. */
import type { Store } from '../../archive/store.ts'
import type { FilingsDataset } from '../../declare/dataset.ts'
import { messageOf, UserError } from '../../declare/errors.ts'
import type { SetsSource } from '../../declare/sets.ts'
import type { EdgarClient } from '../../fetch/client.ts'
import { linksOf } from '../../fetch/links.ts'
import type { Transaction } from '../../store/db.ts'
import { dataChanged } from '../../store/meta.ts'
import { endsRun, isOfStop } from '../failures.ts'
import { listedFiles, localFiles, type SourceFile } from '../files.ts'
import { columnsOf, type Notes, notes } from '../notes.ts'
import { holdRebuild } from '../rebuild/shadow.ts'
import { type Refreshing, refreshing } from '../refresh.ts'
import { loadSet, type SetResult } from './load.ts'

export interface SetsOptions extends Refreshing {
  store: Store
  dataset: FilingsDataset
  /** Local files, or the host whose list is read; the default list is the list that the dataset names. */
  from: { files: readonly string[] } | { client: EdgarClient; list?: string }
  /** Loads only listed sets that end on or after `since` and begin on or before `until`; `YYYY-MM-DD`. */
  since?: string | undefined
  until?: string | undefined
  /** Loads sets again that were loaded before. */
  again?: boolean
  /** Keeps the files in the archive, even if no filing has rows from them any more. */
  originals?: boolean
  claim?: (tx: Transaction) => Promise<boolean>
  /**
   * Called with the sets to be fetched.
   *
   * @returns whether to fetch them
   */
  onPlan?: (sets: readonly { name: string; as: string | null }[]) => Promise<boolean>
  onNext?: (name: string) => void
  /** Called with the progress. The filings that `done` has counted last might not be committed yet. */
  onBatch?: (done: number, total: number) => void
  /** Called after each commit. */
  onStored?: () => void
  onSet?: (outcome: SetOutcome) => void
}

export interface SetOutcome {
  name: string
  /** The result of the load; null if the set failed, or was loaded before. */
  result: SetResult | null
  found: Notes
  error: string | null
}

/** A set that is available, with the days in its name. */
interface Known extends SourceFile {
  days: { from: string; to: string }
}

/**
 * Loads sets in the order of their days, until `signal` aborts. If a set fails, this is recorded with the reason, and
 * the other sets are still loaded. A listed set that was loaded from the same address is not fetched again. At the end,
 * this function refreshes the rollups that the stored filings affect.
 *
 * @throws UserError if none of the files is a set of the dataset, EdgarError if a list is missing or links to no set, and
 *   errors for which `endsRun` is true
 */
export async function ingestSets(options: SetsOptions): Promise<SetOutcome[]> {
  return refreshing(options, (loaded) =>
    loadSets({
      ...options,
      onStored() {
        options.onStored?.()
        loaded()
      },
    }),
  )
}

async function loadSets(options: SetsOptions): Promise<SetOutcome[]> {
  const { dataset, sql, signal } = options
  const { sets } = dataset
  if (!sets) throw new UserError(`${dataset.slug} has no quarterly data sets: its filings are read from submissions`)
  const { known, impossible } = await knownOf(options, sets)
  known.sort((a, b) => (a.days.to + a.name < b.days.to + b.name ? -1 : 1))
  const outcomes = impossible.map(([name, error]): SetOutcome => ({ name, result: null, found: notes(), error }))
  for (const outcome of outcomes) options.onSet?.(outcome)
  if (options.onPlan && 'client' in options.from) {
    const done = new Set(options.again ? [] : await loadedFrom(options, known))
    const isWanted = await options.onPlan(known.filter(({ url }) => !done.has(url)))
    if (!isWanted) return outcomes
  }
  for (const set of known) {
    if (signal?.aborted) break
    options.onNext?.(set.name)
    // Waits for a running rebuild of the dataset. A rebuild replays only the sets that were loaded before it began, so
    // a set that is loaded during the rebuild would be lost.
    const outcome = await sql
      .begin(async (lock) => {
        await holdRebuild(lock, dataset, { signal })
        return one(options, { ...dataset, sets }, set)
      })
      .catch((error) => {
        if (!isOfStop(error, signal)) throw error
        return null
      })
    if (outcome === null) break
    outcomes.push(outcome)
    options.onSet?.(outcome)
  }
  return outcomes
}

/** Addresses from which sets were loaded before. */
async function loadedFrom({ sql, dataset }: SetsOptions, known: readonly Known[]): Promise<string[]> {
  const rows = await sql<{ url: string }[]>`
    select source_url as url from bulk.filing_set
    where dataset = ${dataset.slug} and state = 'done' and source_url = any(${known.map(({ url }) => url)})`
  return rows.map(({ url }) => url)
}

/** Returns the available sets, and the files and links that are not valid sets, each with the reason. */
async function knownOf(
  { from, since, until, ...place }: SetsOptions,
  source: SetsSource,
): Promise<{ known: Known[]; impossible: [name: string, reason: string][] }> {
  const { file: pattern, example, days, list: usual } = source
  const daysOf = (name: string) => {
    const match = pattern.exec(name)
    return match && days(match)
  }
  const withDays = (file: SourceFile): Known => ({ ...file, days: daysOf(file.name)! })
  if ('files' in from) {
    const refusalOf = (name: string) => {
      try {
        return daysOf(name) ? null : `does not have the name of a set, such as ${example}`
      } catch (error) {
        return `is not the name of a quarterly data set: ${messageOf(error)}`
      }
    }
    const { usable, refused } = await localFiles(place, from.files, refusalOf)
    return { known: usable.map(withDays), impossible: refused.map(({ name, reason }) => [name, reason]) }
  }
  const { client, list = usual } = from
  const impossible = new Map<string, string>()
  const isListed = (name: string) => {
    try {
      return daysOf(name) !== null
    } catch (error) {
      impossible.set(name, messageOf(error))
      return false
    }
  }
  const files = await listedFiles({ ...place, client }, [list], (page, html) => {
    const sets = linksOf(page, html).filter(({ name }) => isListed(name))
    const [reason = `it does not link to any set such as ${example}`] = impossible.values()
    if (sets.length === 0) throw new Error(reason)
    return sets.map((link) => ({ ...link, as: link.path }))
  })
  const isInDays = ({ days }: Known) => (!since || days.to >= since) && (!until || days.from <= until)
  return { known: files.map(withDays).filter(isInDays), impossible: [...impossible] }
}

/** Loads one set. Returns null if the load was stopped; the committed batches stay. */
async function one(
  { sql, slices, store, again = false, originals = false, claim, onBatch, onStored, signal }: SetsOptions,
  dataset: FilingsDataset & { sets: SetsSource },
  { name, url, as, put, days: { from, to } }: Known,
): Promise<SetOutcome | null> {
  const found = notes()
  const { slug } = dataset
  const keep = (row: Record<string, unknown>) => {
    const all = { dataset: slug, name, from_day: from, to_day: to, source_url: url, ...row }
    return sql`
      insert into bulk.filing_set ${sql(all)}
      on conflict (dataset, name) do update set ${sql(row)}, source_url = excluded.source_url, finished_at = now()`
  }
  const nothing = { name, result: null, found, error: null }
  try {
    const [before] = await sql<{ sha256: string; source_url: string }[]>`
      select sha256, source_url from bulk.filing_set
      where dataset = ${slug} and name = ${name} and state = 'done' and not ${again}`
    if (as !== null && before?.source_url === url) return nothing
    const { sha256, bytes } = await put()
    if (before?.sha256 === sha256) {
      await keep({ state: 'done' })
      return nothing
    }
    await keep({ state: 'begun', sha256, bytes, originals })
    const options = { sql, slices, bytes: () => store.read(sha256), again, claim, onBatch, onStored, signal }
    const result = await loadSet(options, dataset, { name, sha256, to }, found)
    const done = {
      ...result,
      state: 'done',
      error: null,
      ...columnsOf(sql, found),
    }
    await keep(done)
    // Only a set that is loaded completely proves that it lacks a filing, so answers may change now.
    await sql.begin((tx) => dataChanged(tx, [slug]))
    return { ...nothing, result }
  } catch (error) {
    if (isOfStop(error, signal)) return null
    if (endsRun(error)) throw error
    await keep({ state: 'failed', error: messageOf(error) })
    return { ...nothing, error: messageOf(error) }
  }
}
