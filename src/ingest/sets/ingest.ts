/** `ingest` of sets of filings from local files: each into the archive, then into the tables. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Store } from '../../archive/store.ts'
import type { FilingsDataset } from '../../declare/dataset.ts'
import { messageOf, UserError } from '../../declare/errors.ts'
import type { SetsSource } from '../../declare/sets.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { endsRun } from '../failures.ts'
import { holdRebuild } from '../rebuild.ts'
import { loadSet, type SetResult } from './load.ts'
import { type SetNotes, setNotes } from './notes.ts'

export interface SetsOptions {
  sql: Sql
  store: Store
  dataset: FilingsDataset
  /** Local files. */
  files: readonly string[]
  /** Loads again what was loaded before. */
  again?: boolean
  claim?: (tx: Transaction) => Promise<boolean>
  onNext?: (name: string) => void
  onBatch?: (done: number, total: number) => void
  onSet?: (outcome: SetOutcome) => void
  signal?: AbortSignal | undefined
}

export interface SetOutcome {
  name: string
  /** Null when the set failed, or was loaded before. */
  result: SetResult | null
  found: SetNotes
  error: string | null
}

/** A set among the files, with the days that its name says. */
interface Known {
  file: string
  name: string
  from: string
  to: string
}

/**
 * Loads sets in the order of their days, until `signal` aborts. One that fails is recorded with its reason and does not
 * stop the others.
 *
 * @throws UserError for a file that is not there or is no set of the dataset, and what `endsRun`
 */
export async function ingestSets(options: SetsOptions): Promise<SetOutcome[]> {
  const { dataset, files, sql, signal } = options
  const { sets } = dataset
  if (!sets) throw new UserError(`${dataset.slug} has no sets: its filings are read from their submissions alone`)
  const known = await Promise.all(files.map((file) => knownOf(sets, file)))
  known.sort((a, b) => (a.to + a.name < b.to + b.name ? -1 : 1))
  const outcomes: SetOutcome[] = []
  for (const set of known) {
    if (signal?.aborted) break
    options.onNext?.(set.name)
    // A rebuild replays what was loaded before it; what came in between would be lost.
    const outcome = await sql.begin(async (lock) => {
      await holdRebuild(lock, dataset)
      return one(options, { ...dataset, sets }, set)
    })
    if (outcome === null) break
    outcomes.push(outcome)
    options.onSet?.(outcome)
  }
  return outcomes
}

async function knownOf({ file: pattern, days }: SetsSource, file: string): Promise<Known> {
  const name = path.basename(file)
  const match = pattern.exec(name)
  if (!match) throw new UserError(`${file} has no name of a set, such as 2013q2_form13f.zip`)
  await stat(file).catch((cause) => {
    throw new UserError(`${file} cannot be read`, { cause })
  })
  return { file, name, ...days(match) }
}

/** Null when it was stopped: what was committed stays. */
async function one(
  { sql, store, again = false, claim, onBatch, signal }: SetsOptions,
  dataset: FilingsDataset & { sets: SetsSource },
  { file, name, from, to }: Known,
): Promise<SetOutcome | null> {
  const found = setNotes()
  const { slug } = dataset
  const record = (state: 'begun' | 'done' | 'failed', more: Record<string, unknown>) => {
    const row = { state, ...more }
    return sql`update bulk.filing_set set ${sql(row)}, finished_at = now() where dataset = ${slug} and name = ${name}`
  }
  try {
    const { sha256, bytes } = await store.put(createReadStream(file))
    const [before] = await sql<{ state: string; sha256: string }[]>`
      select state, sha256 from bulk.filing_set where dataset = ${slug} and name = ${name}`
    if (!again && before?.state === 'done' && before.sha256 === sha256)
      return { name, result: null, found, error: null }
    const begun = { from_day: from, to_day: to, sha256, bytes, source_url: pathToFileURL(file).href, state: 'begun' }
    await sql`
      insert into bulk.filing_set ${sql({ dataset: slug, name, ...begun })}
      on conflict (dataset, name) do update set ${sql(begun)}`
    const options = { sql, bytes: () => store.read(sha256), again, claim, onBatch, signal }
    const result = await loadSet(options, dataset, { name, sha256, to }, found)
    await record('done', {
      ...result,
      error: null,
      refused: found.refused,
      refusals: sql.json(found.refusals as never),
      unread_paths: [...found.unread].sort(),
      problems: sql.json(found.problems as never),
      problem_count: found.problemCount,
    })
    return { name, result, found, error: null }
  } catch (error) {
    if (signal?.aborted) return null
    if (endsRun(error)) throw error
    await record('failed', { error: messageOf(error) })
    return { name, result: null, found, error: messageOf(error) }
  }
}
