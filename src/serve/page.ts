/**
 * Shared parts of lists: opaque keyset cursors, and a way to run statements whose text is different in each request.
 */
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import type postgres from '#postgres'
import { apiError } from '../declare/api-errors.ts'
import { CURSOR_LENGTH_MAX } from '../declare/paging.ts'

/**
 * The version is increased when the meaning of the values changes, so that a cursor of an older server is refused
 * instead of misread.
 */
const CURSOR_VERSION = 1

/**
 * Encodes the end of a page as text for a URL. The text is opaque to clients, is the same on all servers, and has a
 * checksum against damage.
 *
 * @param values sort keys of the last row
 */
export function encodeCursor(values: readonly (string | null)[]): string {
  const body = JSON.stringify([CURSOR_VERSION, ...values])
  return Buffer.from(checksum(body) + body).toString('base64url')
}

/**
 * Returns the values that were passed to `encodeCursor`. Anybody can forge a cursor, so the caller must validate values
 * that Postgres casts, like any other input.
 *
 * @param length the number of values in the list's cursors, if all cursors of the list have the same number of values
 * @throws HttpError 400 for any other text
 */
export function decodeCursor(text: string, length?: number): (string | null)[] {
  const refused = () => apiError('invalid_cursor', { reason: 'not one that this list returned' })
  if (text.length > CURSOR_LENGTH_MAX || !/^[\w-]+$/.test(text)) throw refused()
  const bytes = Buffer.from(text, 'base64url')
  // The last character has unused bits, so several texts decode to the same bytes. Only one of them is accepted.
  if (bytes.toString('base64url') !== text) throw refused()
  const decoded = bytes.toString()
  const body = decoded.slice(CHECKSUM_LENGTH)
  if (decoded.slice(0, CHECKSUM_LENGTH) !== checksum(body)) throw refused()
  const values: unknown = parsed(body)
  if (!Array.isArray(values) || values[0] !== CURSOR_VERSION) throw refused()
  if (length !== undefined && values.length !== length + 1) throw refused()
  const keys: unknown[] = values.slice(1)
  if (!keys.every((key) => key === null || (typeof key === 'string' && !key.includes('\0')))) throw refused()
  return keys as (string | null)[]
}

/**
 * Whether a value from a cursor is a day that Postgres accepts. Postgres has no year 0, but stored days include
 * 0001-01-01.
 */
export const isDay = (text: string | null | undefined): text is string =>
  !!text && text >= '0001' && z.iso.date().safeParse(text).success

/** Whether a value from a cursor is an amount that Postgres accepts. Stored amounts have up to 64 characters. */
export const isAmount = (text: string): boolean => /^-?\d{1,64}(\.\d{1,64})?$/.test(text)

const CHECKSUM_LENGTH = 8
/** A 32-bit checksum, as eight hexadecimal digits. It detects accidental differences, not tampering. */
export const checksum = (body: string) => crc32(body).toString(16).padStart(CHECKSUM_LENGTH, '0')

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/**
 * Runs a statement whose text depends on the request, without giving it a name on the server. Postgres then plans the
 * statement for its actual values. This matters because one form has a third of all filings and another form has a
 * handful. A client that sends a thousand different filter trees leaves no prepared statements. The statement goes to
 * the server in one message (`atOnce` of vendor/postgres/PATCHES.md), so none of its values may be text for a JSON or
 * bytea parameter.
 */
export function unnamed<T extends postgres.Row[]>(query: postgres.PendingQuery<T>): postgres.PendingQuery<T> {
  // The types of postgres.js have `prepare` only for `unsafe`, and do not have `atOnce`. But the driver reads both
  // options from every query.
  Object.assign((query as unknown as { options: object }).options, { prepare: false, atOnce: true })
  return query
}
