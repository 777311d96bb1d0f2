/** `ingest` of sets of filings, from the publisher's list or from local files: each into the archive, then into the tables. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Store } from '../../archive/store.ts'
import type { FilingsDataset } from '../../declare/dataset.ts'
import { messageOf, UserError } from '../../declare/errors.ts'
import type { SetsSource } from '../../declare/sets.ts'
import { type EdgarClient, EdgarError } from '../../fetch/client.ts'
import { linksOf } from '../../fetch/links.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { endsRun } from '../failures.ts'
import { holdRebuild } from '../rebuild.ts'
import { loadSet, type SetResult } from './load.ts'
import { type SetNotes, setNotes } from './notes.ts'

export interface SetsOptions {
  sql: Sql
  store: Store
  dataset: FilingsDataset
  /** Local files, or the host whose list is read: by default the list that the dataset names. */
  from: { files: readonly string[] } | { client: EdgarClient; list?: string }
  /** Only listed sets that end on or after `since` and begin on or before `until`; `YYYY-MM-DD`. */
  since?: string | undefined
  until?: string | undefined
  /** Loads again what was loaded before. */
  again?: boolean
  claim?: (tx: Transaction) => Promise<void>
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

/** A set that can be had, with the days that its name says. */
interface Known {
  name: string
  from: string
  to: string
  url: string
  /** Whether the address stands for the bytes. A local file may be another one by the same name. */
  isListed: boolean
  put: () => Promise<{ sha256: string; bytes: number }>
}

/** Real sets have up to 100 MB. */
const SET_SIZE_MAX = 2 * 1024 ** 3
/** The SEC's list has 109 KB. */
const LIST_SIZE_MAX = 8 * 1024 ** 2

/**
 * Loads sets in the order of their days, until `signal` aborts. One that fails is recorded with its reason and does not
 * stop the others. A listed set that was loaded from the same address is not fetched again.
 *
 * @throws UserError for a file that is not there or is no set of the dataset, EdgarError for a list that is not there or
 *   has no set, and what `endsRun`
 */
export async function ingestSets(options: SetsOptions): Promise<SetOutcome[]> {
  const { dataset, sql, signal } = options
  const { sets } = dataset
  if (!sets) throw new UserError(`${dataset.slug} has no sets: its filings are read from their submissions alone`)
  const known = await ('files' in options.from
    ? local(options, sets, options.from.files)
    : listed(options, sets, options.from))
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

async function local(
  { store }: SetsOptions,
  { file: pattern, days }: SetsSource,
  files: readonly string[],
): Promise<Known[]> {
  return Promise.all(
    files.map(async (file) => {
      const name = path.basename(file)
      const match = pattern.exec(name)
      if (!match) throw new UserError(`${file} has no name of a set, such as 2013q2_form13f.zip`)
      await stat(file).catch((cause) => {
        throw new UserError(`${file} cannot be read`, { cause })
      })
      const put = () => store.put(createReadStream(file))
      return { name, ...days(match), url: pathToFileURL(file).href, isListed: false, put }
    }),
  )
}

async function listed(
  { store, since, until, signal }: SetsOptions,
  { file: pattern, days, list: usual }: SetsSource,
  { client, list = usual }: { client: EdgarClient; list?: string },
): Promise<Known[]> {
  const html = await client.get(list, async ({ body }) => Buffer.concat(await Array.fromAsync(body)).toString('utf8'), {
    sizeMax: LIST_SIZE_MAX,
    signal,
  })
  if (html === null) throw new EdgarError('configuration', `${client.baseUrl} has no list of sets at ${list}`)
  const sets = linksOf(list, html).flatMap(({ name, path: at }): Known[] => {
    const match = pattern.exec(name)
    if (!match) return []
    return [{ name, ...days(match), url: client.baseUrl + at, isListed: true, put: () => fetched(at) }]
  })
  if (sets.length === 0)
    throw new EdgarError('refused', `${client.baseUrl}${list} links to no set such as 2013q2_form13f.zip`)
  return sets.filter(({ from, to }) => (!since || to >= since) && (!until || from <= until))

  async function fetched(at: string) {
    const put = await client.get(at, ({ body }) => store.put(body), { sizeMax: SET_SIZE_MAX, signal })
    if (!put) throw new Error(`${client.baseUrl}${at} is listed and not there`)
    return put
  }
}

/** Null when it was stopped: what was committed stays. */
async function one(
  { sql, store, again = false, claim, onBatch, signal }: SetsOptions,
  dataset: FilingsDataset & { sets: SetsSource },
  { name, from, to, url, isListed, put }: Known,
): Promise<SetOutcome | null> {
  const found = setNotes()
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
    if (isListed && before?.source_url === url) return nothing
    const { sha256, bytes } = await put()
    if (before?.sha256 === sha256) {
      await keep({ state: 'done' })
      return nothing
    }
    await keep({ state: 'begun', sha256, bytes })
    const options = { sql, bytes: () => store.read(sha256), again, claim, onBatch, signal }
    const result = await loadSet(options, dataset, { name, sha256, to }, found)
    await keep({
      ...result,
      state: 'done',
      error: null,
      refused: found.refused,
      refusals: sql.json(found.refusals as never),
      unread_paths: [...found.unread].sort(),
      problems: sql.json(found.problems as never),
      problem_count: found.problemCount,
    })
    return { ...nothing, result }
  } catch (error) {
    if (signal?.aborted) return null
    if (endsRun(error)) throw error
    await keep({ state: 'failed', error: messageOf(error) })
    return { ...nothing, error: messageOf(error) }
  }
}
