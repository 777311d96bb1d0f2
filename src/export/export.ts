/** Writes a table into a file from one snapshot: rows in the order of their key, partition after partition. */

import type { ReservedSql } from '#postgres'
import { UserError } from '../declare/errors.ts'
import type { Sql } from '../store/db.ts'
import { copyOut, type Session } from './copy-out.ts'
import type { Format } from './formats.ts'
import { ndjsonOf } from './ndjson.ts'
import type { Days, Offer } from './offer.ts'
import { asParquet, fitsDecimal, isDecimal, parquetFile } from './parquet.ts'
import { asCell, asText, fromOf, type Reading, selectOf, sqlOf } from './select.ts'
import { ended } from './stop.ts'
import type { Target } from './target.ts'

interface Exported {
  rows: number
  /** Columns of decimals that are text in a Parquet file, because one of their values has more digits than fit. */
  wide: readonly string[]
}

/** Turns the rows of a query into the bytes of a file. */
interface Writer {
  reading: Reading
  options?: string
  head?: string
  /** Takes rows and returns bytes to write, or null if there is nothing to write yet. */
  take(rows: Buffer): Uint8Array | null
  end?(): Uint8Array
}

/**
 * Writes the table, or only its rows of filings that were filed within `days`. Loads, rebuilds and requests continue
 * meanwhile; the file has the data of one moment. The caller must finish the file: only then does it get its name.
 *
 * @param onRows is called with the number of rows so far
 * @throws UserError if the tables were rebuilt meanwhile, or if the file cannot be written; the signal's reason if it
 *   aborts
 */
export async function exportTable(
  { sql, target, signal, onRows }: { sql: Sql; target: Target; signal: AbortSignal; onRows: (rows: number) => void },
  { offer, days, format }: { offer: Offer; days: Days | null; format: Format },
): Promise<Exported> {
  return inSnapshot(sql, signal, async (session) => {
    await settle(session.sql, offer)
    const wide = format === 'parquet' ? await wideOf(session.sql, offer, days) : []
    const writer = await writerOf(format, offer, new Set(wide))
    const write = (bytes: Uint8Array) => target.write(bytes, signal)
    if (writer.head) await write(Buffer.from(writer.head))
    let rows = 0
    for (const partition of await partitionsOf(session.sql, offer)) {
      const query = selectOf(offer, days, writer.reading, partition)
      const before = rows
      rows += await copyOut(session, { query, options: writer.options ?? '' }, async (some, count) => {
        const bytes = writer.take(some)
        if (bytes) await write(bytes)
        onRows(before + count)
      })
    }
    if (writer.end) await write(writer.end())
    await assertSame(session.sql, offer)
    return { rows, wide }
  })
}

/**
 * Runs `act` in a transaction that reads one snapshot, on a separate connection. The signal ends the statement that is
 * running. The first statement that reads rows takes the snapshot.
 */
async function inSnapshot<T>(sql: Sql, signal: AbortSignal, act: (session: Session) => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const own = await sql.reserve()
  const gaveUp = Promise.withResolvers<never>()
  // The signal may abort before anything awaits this promise, and an unhandled rejection ends the process.
  gaveUp.promise.catch(() => {})
  let [cancel, acting] = [async () => {}, Promise.resolve<unknown>(null)]
  const stop = async () => {
    await cancel()
    await ended(acting)
    // Rejects with the signal's reason, even if no statement was running that the cancellation could end.
    gaveUp.reject(signal.reason)
  }
  signal.addEventListener('abort', stop)
  try {
    const [{ pid }] = (await own`select pg_backend_pid() as pid`) as unknown as [{ pid: number }]
    // An error is ignored: an unreachable database has already ended the statement.
    cancel = () => ended(sql`select pg_cancel_backend(${pid})`)
    // Before this line, `stop` could not end a statement, so the signal is checked again.
    signal.throwIfAborted()
    const whole = own`begin isolation level repeatable read read only`.then(() => act({ sql: own, cancel }))
    acting = whole
    return await Promise.race([whole, gaveUp.promise])
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', stop)
    // The rollback is repeated once, since a late cancellation may hit the first rollback. An error of the second is
    // ignored, since the end of the connection ends the transaction too.
    await ended(own`rollback`.catch(() => own`rollback`))
    own.release()
  }
}

/**
 * Locks the tables before the snapshot is taken, so that no session can empty or drop them in between. Also resets an
 * operator's settings for the format of values and for statement time limits.
 */
async function settle(tx: ReservedSql, { reads }: Offer): Promise<void> {
  await tx.unsafe(`lock table ${reads.join(', ')} in access share mode`)
  await tx.unsafe(`
    set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
    set local datestyle = 'ISO, YMD'; set local work_mem = '64MB';
    select set_config('transaction_timeout', '0', true) where current_setting('transaction_timeout', true) is not null`)
}

/**
 * Names of the partitions; the partition for rows without a quarter comes first. For a table without partitions, the
 * list has one element, which is undefined.
 */
async function partitionsOf(tx: ReservedSql, { id, partition }: Offer): Promise<(string | undefined)[]> {
  if (!partition) return [undefined]
  const rows = await tx<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_namespace n on n.oid = c.relnamespace
    where i.inhparent = ${id}::regclass order by right(c.relname, 5) <> '_rest', c.relname`
  return rows.map(({ name }) => name)
}

/** Returns the columns that have a decimal with more digits than fit into Parquet's type. */
async function wideOf(tx: ReservedSql, offer: Offer, days: Days | null): Promise<string[]> {
  const decimals = Object.entries(offer.columns).flatMap(([name, type]) => (isDecimal(type) ? [name] : []))
  if (decimals.length === 0) return []
  const fits = decimals.map((name) => `coalesce(bool_and(${fitsDecimal(sqlOf(offer, name))}), true) as ${name}`)
  const [row] = await tx.unsafe<Record<string, boolean>[]>(`select ${fits.join(', ')} ${fromOf(offer, days)}`)
  return decimals.filter((name) => !row![name])
}

async function writerOf(format: Format, offer: Offer, wide: ReadonlySet<string>): Promise<Writer> {
  if (format === 'csv') {
    const head = `${Object.keys(offer.columns).join(',')}\n`
    return { reading: asCell, options: '(format csv)', head, take: (rows) => rows }
  }
  if (format === 'ndjson') {
    const lines = ndjsonOf(offer.columns)
    return { reading: asText, take: (rows) => Buffer.from(lines(rows)) }
  }
  const file = await parquetFile(offer, wide)
  return { reading: asParquet(wide), ...file }
}

/**
 * Checks that no rebuild has given the names of the tables to new tables, whose rows our snapshot does not see. The
 * snapshot shows the catalog's old rows, but Postgres resolves a name to the table that has the name now.
 *
 * @throws UserError if a name refers to another table than at the beginning
 */
async function assertSame(tx: ReservedSql, { family, reads }: Offer): Promise<void> {
  const [row] = await tx<{ same: boolean }[]>`
    select count(*) = ${reads.length} as same
    from unnest(${reads as string[]}::text[]) name
      join pg_namespace n on n.nspname = split_part(name, '.', 1)::name
      join pg_class c on c.relnamespace = n.oid and c.relname = split_part(name, '.', 2)::name
    where to_regclass(name) = c.oid::regclass`
  if (!row!.same) throw new UserError(`the tables of ${family} were rebuilt meanwhile: run the export again`)
}
