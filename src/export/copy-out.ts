/** Reads rows from Postgres by COPY as they arrive, and no faster than the caller takes them. */

import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ReservedSql } from '#postgres'
import { ended } from './stop.ts'

/**
 * Rows are passed on in pieces of at least this many bytes. The server sends pieces of 8 KB. Writing each piece
 * separately took fifteen times as long as reading it.
 */
const GATHERED_SIZE = 1 << 18

/** A connection that only the caller uses, and a function that ends the statement that runs on it. */
export interface Session {
  sql: ReservedSql
  cancel(): Promise<void>
}

/**
 * Passes the rows of a query to `take`.
 *
 * @param take is called with whole rows in COPY's format, and the number of rows so far; it is awaited before more rows
 *   are read
 * @returns the number of rows
 * @throws the error of `take`, or the database's error; by then the statement has ended, or the wait for its end was
 *   given up
 */
export async function copyOut(
  { sql, cancel }: Session,
  { query, options = '' }: { query: string; options?: string },
  take: (rows: Buffer, count: number) => Promise<void>,
): Promise<number> {
  const stream: Readable & { rows?: number } = await sql.unsafe(`copy (${query}) to stdout ${options}`).readable()
  try {
    let gathered: Buffer[] = []
    let size = 0
    for await (const rows of stream.iterator({ destroyOnReturn: false })) {
      gathered.push(rows)
      size += rows.length
      if (size < GATHERED_SIZE) continue
      await take(Buffer.concat(gathered), stream.rows ?? 0)
      gathered = []
      size = 0
    }
    if (size > 0) await take(Buffer.concat(gathered), stream.rows ?? 0)
    return stream.rows ?? 0
  } catch (error) {
    if (!stream.closed) {
      await cancel()
      // The bytes that the server sent before it ended the statement must be read, or the connection waits forever.
      stream.resume()
      await ended(finished(stream))
    }
    throw error
  }
}
