/** Rows out of Postgres by COPY, as they come and no faster than they are taken. */

import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ReservedSql } from '#postgres'
import { ended } from './stop.ts'

/** The server sends 8 KB at a time; to write each of them away took fifteen times as long as to read it. */
const GATHERED_SIZE = 1 << 18

/** A connection of one's own, and how its statement is ended from outside. */
export interface Session {
  sql: ReservedSql
  cancel(): Promise<void>
}

/**
 * Sends the rows of a query.
 *
 * @param take given whole rows in COPY's format, and how many were sent so far; awaited before more are read
 * @returns how many rows there were
 * @throws what `take` threw, or the database's error; the statement has ended by then, or its connection is given up
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
      // Bytes that were sent before the server noticed must be read, or the connection waits for ever.
      stream.resume()
      await ended(finished(stream))
    }
    throw error
  }
}
