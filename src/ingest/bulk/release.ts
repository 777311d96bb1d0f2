/**
 * Releases editions whose files rebuilds no longer need. A snapshot has every record that is not gone, so the newest
 * snapshot replaces the earlier snapshots. A rebuild takes the records of released editions from the newest file, which
 * has the same content as the stored rows.
 *
 * Invariant: the newest edition of a series contains every record of a released edition, with the stored content.
 */
import type { Store } from '../../archive/store.ts'
import type { Edition } from '../../declare/series.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import type { ArchivedFile } from '../files.ts'

/**
 * Releases the editions that a new snapshot replaces. The snapshot has been loaded, and the temporary table
 * `bulk_standing` has its records.
 *
 * @returns digests of the files of the released editions; the caller removes the files after the commit
 */
export async function releaseOlder(tx: Transaction, { series, name, to }: Edition): Promise<string[]> {
  const isHeld = tx`exists (select from bulk_standing s where s.key = r.key and s.digest = r.digest)`
  const [before] = await tx<Before[]>`
    select name, files, rest, to_day from bulk.edition
    where series = ${series} and state = 'done' and not released and to_day <= ${to}
    order by to_day desc, finished_at desc limit 1`
  if (before) {
    const isAgain = before.name === name
    const as = isAgain
      ? `${name} before ${before.files.map(({ sha256 }) => sha256.slice(0, 8)).join('-')}`
      : before.name
    // The new edition may lack records, or have them in an unreadable form. Such records are assigned to the previous
    // edition, whose file has all of them. Usually the previous edition is the newest edition that was loaded so far.
    // But if `rest.ts` has reduced the file of the previous edition to a few records, an edition later than the new
    // edition is already loaded. That later edition has the records of the released editions, so these records are not
    // assigned.
    const isWhole = before.rest === null
    const { count } = await tx`
      update bulk.record r set edition = ${as} from bulk.edition e
      where r.series = ${series} and e.series = r.series and e.name = r.edition
        and (e.released and ${isWhole} or ${isAgain} and e.name = ${name})
        and (r.gone_day is not null or not ${isHeld})`
    if (isAgain && count > 0) await keepAs(tx, series, as, before)
  }
  const released = await tx<{ files: ArchivedFile[] }[]>`
    update bulk.edition e set released = true
    where e.series = ${series} and e.name <> ${name} and e.to_day <= ${to} and not e.released and not e.originals
      and not exists (
        select from bulk.record r
        where r.series = e.series and r.edition = e.name and (r.gone_day is not null or not ${isHeld}))
    returning coalesce(rest, files) as files`
  return digestsOf(released)
}

interface Before {
  name: string
  files: readonly ArchivedFile[]
  rest: readonly ArchivedFile[] | null
  to_day: string
}

/**
 * If a new edition has the same name as a former one, keeps the former one under another name, as an edition of the day
 * before.
 */
async function keepAs(tx: Transaction, series: string, name: string, { files, rest, to_day }: Before): Promise<void> {
  await tx`
    insert into bulk.edition (series, name, from_day, to_day, state, files, rest)
    values (${series}, ${name}, ${to_day}::date - 1, ${to_day}::date - 1, 'done', ${tx.json(files as never)},
      ${rest && tx.json(rest as never)})
    on conflict do nothing`
}

const digestsOf = (editions: readonly { files: readonly ArchivedFile[] }[]): string[] =>
  editions.flatMap(({ files }) => files.map(({ sha256 }) => sha256))

/** The newest loaded edition of a series. Its file has the records of the released editions. */
export async function newestOf(tx: Sql | Transaction, series: string): Promise<string | null> {
  const [row] = await tx<{ name: string }[]>`
    select name from bulk.edition where series = ${series} and state = 'done' and not released
    order by to_day desc, finished_at desc limit 1`
  return row?.name ?? null
}

/**
 * Removes the given entries from the archive, except entries that a row of the database still names. An entry also
 * stays if another process is writing it at this moment.
 *
 * @param before a time; entries that were written at this time or later stay
 * @returns how many entries were removed, and their bytes on disk
 */
export async function removeUnneeded(
  sql: Sql,
  store: Store,
  digests: readonly string[],
  before = Number.POSITIVE_INFINITY,
): Promise<{ count: number; bytes: number }> {
  const removed = { count: 0, bytes: 0 }
  if (digests.length === 0) return removed
  for (const sha256 of await unneeded(sql, digests)) {
    const bytes = await store.remove(sha256, before)
    if (bytes === null) continue
    removed.count++
    removed.bytes += bytes
  }
  return removed
}

/** Calls `removeUnneeded` after a load. A file that cannot be removed only costs space, and `prune` finds it. */
export const letGo = (sql: Sql, store: Store, digests: readonly string[]) =>
  removeUnneeded(sql, store, digests).catch(() => null)

/** Returns those of the digests that no edition, set or row of a dataset names. */
export async function unneeded(sql: Sql | Transaction, digests: readonly string[]): Promise<string[]> {
  const wanted = sql`select d from unnest(${[...new Set(digests)]}::text[]) d`
  const inTables = await tablesWithDigests(sql)
  const named = inTables.map(
    ({ schema, name }) => sql`and not exists (select from ${sql(schema)}.${sql(name)} where sha256 = d)`,
  )
  const rows = await sql<{ d: string }[]>`
    ${wanted} where not exists (
      select from bulk.edition e, jsonb_array_elements(coalesce(e.rest, e.files)) f where not e.released and f ->> 'sha256' = d)
    ${named.reduce((all, one) => sql`${all} ${one}`, sql``)}`
  return rows.map(({ d }) => d)
}

/**
 * Tables that name entries of the archive: sets of filings, and tables of slices that store files, such as brochures.
 * Includes the shadows of rebuilds. Does not include the tables of submissions, which are in the schema `edgar`.
 */
export const tablesWithDigests = (sql: Sql | Transaction) => sql<{ schema: string; name: string }[]>`
  select nspname as schema, relname as name
  from pg_attribute join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
  where attname = 'sha256' and atttypid = 'text'::regtype and not attisdropped and relkind in ('r', 'p')
    and nspname not in ('edgar', 'core') and nspname !~ '^pg_'
  order by 1, 2`
