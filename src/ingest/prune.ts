/**
 * Finds and removes archive entries that are not needed. If pruning is interrupted, nothing needed is lost: a
 * replacement is written before the old entry is removed, and the next run finds leftover entries.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pdfVersion } from '../archive/pdfs.ts'
import { DERIVED } from '../archive/size.ts'
import { textVersions } from '../archive/texts.ts'
import type { Transaction } from '../store/db.ts'
import { lacksHistory } from './bulk/history.ts'
import { SERIES_LOCK } from './bulk/load.ts'
import { removeUnneeded, tablesWithDigests, unneeded } from './bulk/release.ts'
import type { ArchivedFile } from './files.ts'
import { pruneSubmissions, type SubmissionPruning } from './prune-submissions.ts'

export interface Pruning extends SubmissionPruning {
  /** The archive's folder. */
  archive: string
  now?: () => number
}

/** The entries of one kind that were removed, or that could be removed if `act` is false. */
export interface Pruned {
  kind: 'submissions' | 'editions' | 'sets' | 'unnamed' | 'texts' | 'aside'
  /** Number of filings, files or folders. */
  count: number
  bytes: number
  /** True if the bytes are an estimate, made from the documents' share of a whole entry. */
  isEstimate: boolean
}

/** Entries that were written in the last day may belong to a load that has not committed yet. */
const YOUNG_MS = 24 * 60 * 60 * 1000

/**
 * Handles one kind of entry after the other, and yields the result of each. Entries are removed, or only counted if
 * `act` is false.
 */
export async function* prune(pruning: Pruning): AsyncGenerator<Pruned> {
  const { now = Date.now } = pruning
  const before = now() - YOUNG_MS
  yield { kind: 'submissions', ...(await pruneSubmissions(pruning)) }
  yield { kind: 'editions', ...(await editions(pruning)), isEstimate: false }
  yield { kind: 'sets', ...(await sets(pruning)), isEstimate: false }
  yield { kind: 'unnamed', ...(await unnamed(pruning, before)), isEstimate: false }
  yield { kind: 'texts', ...(await texts(pruning)), isEstimate: false }
  yield { kind: 'aside', ...(await aside(pruning, before)), isEstimate: false }
}

interface Counted {
  count: number
  bytes: number
}

/** Handles the files of editions that hold no record, except the newest edition of each series. */
async function editions(pruning: Pruning): Promise<Counted> {
  const { sql, catalog } = pruning
  const total = { count: 0, bytes: 0 }
  for (const [series, declared] of catalog.bulk.flatMap(({ source }) => Object.entries(source.series))) {
    // Skips a series without history: the next rebuild makes its history from all editions.
    if (await lacksHistory(sql, series, declared)) continue
    const release = async (tx: Transaction) => {
      await tx`select pg_advisory_xact_lock(${SERIES_LOCK}, hashtext(${series}))`
      const rows = await tx<{ files: ArchivedFile[] }[]>`
        update bulk.edition e set released = true
        where e.series = ${series} and not e.released and not e.originals
          and not exists (select from bulk.record r where r.series = e.series and r.edition = e.name)
          and exists (
            select from bulk.edition n where n.series = e.series and n.state = 'done' and not n.released
              and (n.to_day, n.name) > (e.to_day, e.name))
        returning coalesce(rest, files) as files`
      return rows.flatMap(({ files }) => files.map(({ sha256 }) => sha256))
    }
    add(total, await released(pruning, release))
  }
  return total
}

/** Handles the files of sets from which no filing has rows any more, except the newest set of each dataset. */
function sets(pruning: Pruning): Promise<Counted> {
  return released(pruning, async (tx) => {
    const rows = await tx<{ sha256: string }[]>`
      with spare as (
        select dataset, name, sha256 from bulk.filing_set s
        where s.sha256 is not null and s.state = 'done' and not s.originals
          and not exists (select from bulk.set_filing f where f.dataset = s.dataset and f.sha256 = s.sha256)
          and exists (
            select from bulk.filing_set n where n.dataset = s.dataset and n.state = 'done' and n.sha256 is not null
              and (n.to_day, n.name) > (s.to_day, s.name))),
      gone as (
        update bulk.filing_set s set sha256 = null from spare
        where (s.dataset, s.name, s.sha256) = (spare.dataset, spare.name, spare.sha256)
        returning spare.sha256)
      select sha256 from gone`
    return rows.map(({ sha256 }) => sha256)
  })
}

/** Undoes the transaction of a dry run. */
class Undone extends Error {}

/**
 * Handles the files of rows that no longer need them. A dry run counts what a run would remove, and undoes its changes.
 *
 * @param release changes the rows, and returns the digests of their files
 */
async function released(
  { sql, store, act }: Pruning,
  release: (tx: Transaction) => Promise<readonly string[]>,
): Promise<Counted> {
  if (act) return removeUnneeded(sql, store, await sql.begin(release))
  const total = { count: 0, bytes: 0 }
  const dry = sql.begin(async (tx) => {
    for (const sha256 of await unneeded(tx, await release(tx))) {
      const bytes = await store.sizeOf(sha256)
      if (bytes !== null) add(total, { count: 1, bytes })
    }
    throw new Undone()
  })
  await dry.catch((error) => {
    if (!(error instanceof Undone)) throw error
  })
  return total
}

/** Number of entries that are looked up at a time. */
const CHUNK = 1_000

/** Handles entries that no row names. These are entries of failed loads, and replacements that were never recorded. */
async function unnamed({ sql, store, act, signal }: Pruning, before: number): Promise<Counted> {
  const total = { count: 0, bytes: 0 }
  const session = await sql.reserve()
  try {
    const tables = await tablesWithDigests(session as never)
    await session`drop table if exists pg_temp.archive_named`
    await session`
      create temporary table archive_named as
      select coalesce(kept_sha256, sha256) as sha256 from edgar.submission
      union all select coalesce(kept_sha256, sha256) from edgar.look_up
      union all select f ->> 'sha256' from bulk.edition e, jsonb_array_elements(coalesce(e.rest, e.files)) f where not e.released`
    for (const { schema, name } of tables) {
      await session`insert into archive_named select sha256 from ${session(schema)}.${session(name)} where sha256 is not null`
    }
    await session`create index on archive_named (sha256)`
    await session`analyze archive_named`
    let chunk = new Map<string, number>()
    const settle = async () => {
      const rows = await session<{ d: string }[]>`
        select d from unnest(${[...chunk.keys()]}::text[]) d where not exists (select from archive_named where sha256 = d)`
      for (const { d } of rows) {
        const bytes = act ? await store.remove(d, before) : chunk.get(d)!
        if (bytes !== null) add(total, { count: 1, bytes })
      }
      chunk = new Map()
    }
    for await (const { sha256, size, writtenAt } of store.entries()) {
      signal?.throwIfAborted()
      if (writtenAt >= before) continue
      chunk.set(sha256, size)
      if (chunk.size >= CHUNK) await settle()
    }
    if (chunk.size > 0) await settle()
    await session`drop table archive_named`
  } finally {
    session.release()
  }
  return total
}

/** Handles texts that were made by other versions of the code. */
async function texts({ archive, act }: Pruning): Promise<Counted> {
  const current = [...textVersions(), pdfVersion()].map((version) => version.slice(0, 12))
  const folder = path.join(archive, DERIVED)
  const total = { count: 0, bytes: 0 }
  for (const name of await names(folder)) {
    if (!/^[0-9a-f]{12}$/.test(name) || current.includes(name)) continue
    add(total, { count: 1, bytes: await bytesBelow(path.join(folder, name)) })
    if (act) await rm(path.join(folder, name), { recursive: true, force: true })
  }
  return total
}

/** Handles damaged entries that were moved aside, and files that killed processes left. */
async function aside({ store, archive, act }: Pruning, before: number): Promise<Counted> {
  const total = { count: 0, bytes: 0 }
  for await (const { size, writtenAt, remove } of store.aside?.() ?? []) {
    if (writtenAt >= before) continue
    add(total, { count: 1, bytes: size })
    if (act) await remove()
  }
  for (const folder of ['corrupt', 'tmp'].map((name) => path.join(archive, name))) {
    for (const file of (await names(folder)).map((name) => path.join(folder, name))) {
      const found = await stat(file).catch(() => null)
      if (!found?.isFile() || found.mtimeMs >= before) continue
      add(total, { count: 1, bytes: found.size })
      if (act) await rm(file, { force: true })
    }
  }
  return total
}

function add(total: Counted, { count, bytes }: Counted): void {
  total.count += count
  total.bytes += bytes
}

/** The names in a folder; none if the folder does not exist. */
const names = (folder: string) => readdir(folder).catch(() => [] as string[])

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0
  }
  return bytes
}
