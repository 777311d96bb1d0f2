/** The table bulk.edition: the result of each edition's load, and where the edition's bytes are. */

import type { Edition } from '../../declare/series.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import type { LoggedChange } from '../../store/events.ts'
import type { ArchivedFile } from '../files.ts'
import { columnsOf, type Notes } from '../notes.ts'
import { FAILED } from './read-pdf.ts'

export interface StoredEdition {
  series: string
  name: string
  from_day: string
  to_day: string
  state: 'done' | 'failed'
  files: ArchivedFile[]
  /** The files that replace the original files; they have only the records that the edition holds. */
  rest: ArchivedFile[] | null
  listed: string | null
  error: string | null
  /** Number of records of the last load that succeeded; 0 if no load succeeded. */
  records: number
  /** Whether the edition's files were removed from the archive. */
  released: boolean
}

/** The result of a load of an edition. */
export interface LoadResult {
  /** Whether stored rows have changed. */
  isNews: boolean
  records: number
  added: number
  changed: number
  back: number
  gone: number
  refused: number
  /** Number of filings that the records list but the spine lacks. */
  unlisted?: number
  notes: Notes
  /** Digests of files that rebuilds no longer need. */
  released?: readonly string[]
  /** The changes to log: which records were new, changed or gone. */
  logged: LoggedChange[]
}

export const editionsOf = (sql: Sql, series: readonly string[]) => sql<StoredEdition[]>`
  select series, name, from_day, to_day, state, files, rest, listed, error, records, released from bulk.edition
  where series = any(${series as string[]}) order by to_day, series, name`

/**
 * The editions of a file whose name has no day (`datedName`). To read all editions of a series for each of a hundred
 * thousand files would take days.
 */
export const editionsNamed = (sql: Sql, series: string, fileName: string) => sql<StoredEdition[]>`
  select series, name, from_day, to_day, state, files, rest, listed, error, records, released from bulk.edition
  where series = ${series} and (name = ${fileName} or name >= ${`${fileName} `} and name < ${`${fileName}!`})
  order by to_day, series, name`

/** Number of parts of the newest loaded zip of a series; null if unknown. */
export async function partsOfNewest(tx: Transaction, series: string): Promise<number | null> {
  const [row] = await tx<{ parts: number | null }[]>`
    select (files -> 0 ->> 'parts')::int as parts from bulk.edition
    where series = ${series} and state = 'done' order by to_day desc, name desc limit 1`
  return row?.parts ?? null
}

/** Editions with PDFs that could not be read, as `series/name`. */
export async function editionsToRetry(sql: Sql, series: readonly string[]): Promise<string[]> {
  const rows = await sql<{ of: string }[]>`
    select distinct series || '/' || edition as of from bulk.record
    where series = any(${series as string[]}) and digest like '%' || ${FAILED}`
  return rows.map(({ of }) => of)
}

/** Records that an edition was loaded, with its counts and the parts that could not be read. */
export async function recordLoaded(
  tx: Transaction,
  { series, name, from, to }: Edition,
  {
    files,
    listed,
    result,
    originals = false,
  }: { files: readonly ArchivedFile[]; listed: string | null; result: LoadResult; originals?: boolean | undefined },
): Promise<void> {
  const { records, added, changed, gone, notes } = result
  const outcome = {
    state: 'done',
    error: null,
    files: tx.json(
      (notes.parts === undefined ? files : files.map((file) => ({ ...file, parts: notes.parts }))) as never,
    ),
    listed,
    records,
    added,
    changed,
    gone,
    released: false,
    rest: null,
    originals,
    ...columnsOf(tx, notes),
  }
  await tx`
    insert into bulk.edition ${tx({ series, name, from_day: from, to_day: to, ...outcome })}
    on conflict (series, name) do update set ${tx(outcome)}, finished_at = now()`
}

/**
 * Records that an edition could not be loaded. An edition that was loaded before keeps its files, since its rows were
 * made from them.
 */
export async function recordFailed(
  sql: Sql,
  { series, name, from, to }: Edition,
  { files, listed, error }: { files: readonly ArchivedFile[]; listed: string | null; error: string },
): Promise<void> {
  const row = {
    series,
    name,
    from_day: from,
    to_day: to,
    state: 'failed',
    files: sql.json(files as never),
    listed,
    error,
  }
  await sql`
    insert into bulk.edition ${sql(row)}
    on conflict (series, name) do update set state = 'failed', error = excluded.error, finished_at = now()`
}

/**
 * Records that an edition was found unchanged, with the present addresses of its files and their description in the
 * list.
 */
export async function recordUnchanged(
  sql: Sql,
  { series, name }: Edition,
  { files, listed }: { files: readonly ArchivedFile[]; listed: string | null },
): Promise<void> {
  await sql`
    update bulk.edition set listed = ${listed}, files = ${sql.json(files as never)}, state = 'done', error = null,
      released = false
    where series = ${series} and name = ${name}`
}

/**
 * Records that an edition is being loaded batch by batch. The edition counts as failed until it is complete. Its files
 * are recorded at the start, since the edition holds records from the first batch on.
 */
export async function recordBegun(
  tx: Transaction,
  { series, name, from, to }: Edition,
  { files }: { files: readonly ArchivedFile[] },
): Promise<void> {
  const error = 'the load was cut off: the next load continues it'
  const row = { series, name, from_day: from, to_day: to, state: 'failed', files: tx.json(files as never), error }
  await tx`insert into bulk.edition ${tx(row)} on conflict (series, name) do nothing`
}

/**
 * Deletes the editions of a file that hold no record any more, and the failed editions under the file's name. Otherwise
 * a company that is requested every day would add a row to the table every day.
 *
 * @returns digests of the files of the deleted editions
 */
export async function dropReplaced(sql: Sql, { series, name }: Edition, fileName: string): Promise<string[]> {
  const dropped = await sql<{ files: ArchivedFile[] }[]>`
    delete from bulk.edition e
    where e.series = ${series} and e.name <> ${name} and (e.name = ${fileName} or starts_with(e.name, ${`${fileName} `}))
      and not exists (select from bulk.record r where r.series = e.series and r.edition = e.name)
    returning files`
  return dropped.flatMap(({ files }) => files.map(({ sha256 }) => sha256))
}
