/** Rows out of Postgres by COPY, as they come and no faster than they are taken. */

import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql, Transaction } from '../store/db.ts'

/** How long a statement that was cancelled is waited for; then its connection is given up. */
const STOP_MS = 3_000

/**
 * Sends the rows of a query.
 *
 * @param sql where to ask for the end of the statement, apart from the transaction
 * @param take given whole rows in COPY's format, and how many were sent so far; awaited before more are read
 * @returns how many rows there were
 * @throws the signal's reason, what `take` threw, or the database's error; the statement has ended by then
 */
export async function copyOut(
  { sql, tx, signal }: { sql: Sql; tx: Transaction; signal: AbortSignal },
  { query, options = '' }: { query: string; options?: string },
  take: (rows: Buffer, count: number) => Promise<void>,
): Promise<number> {
  signal.throwIfAborted()
  const [{ pid }] = (await tx`select pg_backend_pid() as pid`) as unknown as [{ pid: number }]
  // A database that cannot be asked has ended the statement already.
  const cancel = () =>
    sql`select pg_cancel_backend(${pid})`.then(
      () => {},
      () => {},
    )
  signal.addEventListener('abort', cancel)
  let stream: (Readable & { rows?: number }) | undefined
  try {
    stream = await tx.unsafe(`copy (${query}) to stdout ${options}`).readable()
    for await (const rows of stream.iterator({ destroyOnReturn: false })) {
      signal.throwIfAborted()
      await take(rows, stream.rows ?? 0)
    }
    return stream.rows ?? 0
  } catch (error) {
    if (stream && !stream.closed) {
      await cancel()
      // What was sent before the server heard of it must be read, or the connection waits for ever.
      stream.resume()
      await Promise.race([finished(stream).catch(() => {}), sleep(STOP_MS)])
    }
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
