/** Checks which JSON values can be compared with a Postgres type, so that no cast in Postgres can fail. */
import { z } from 'zod'

export type FilterType = 'text' | 'numeric' | 'integer' | 'bigint' | 'date' | 'timestamptz' | 'boolean' | 'text[]'

/** A value in the form in which Postgres receives it. */
export type Value = string | boolean

/**
 * For each type: a description of valid values for error messages, and a reader that returns null for any other value.
 */
export const VALUES: Record<FilterType, { wanted: string; read: (value: unknown) => Value | null }> = {
  text: { wanted: 'a value of this field', read: plainText },
  'text[]': { wanted: 'text of at least one character', read: plainText },
  boolean: { wanted: 'true or false', read: (value) => (typeof value === 'boolean' ? value : null) },
  numeric: {
    wanted: 'a decimal number of at most 40 digits before the point and 20 after it',
    read: (value) => matching(value, /^-?\d{1,40}(\.\d{1,20})?$/),
  },
  integer: { wanted: 'a whole number within 32 bits', read: (value) => wholeNumber(value, 31n) },
  bigint: { wanted: 'a whole number within 64 bits', read: (value) => wholeNumber(value, 63n) },
  date: { wanted: 'a day, YYYY-MM-DD', read: day },
  timestamptz: { wanted: 'a moment with its offset, such as 2025-01-31T16:05:00-05:00', read: moment },
}

/**
 * Returns text unchanged, and a number as its digits. Refuses a JSON number above 2^53: such a number may have lost
 * digits when it was parsed, and the list would then be filtered by another number.
 */
function textOf(value: unknown): string | null {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : null
  return typeof value === 'string' ? value : null
}

function matching(value: unknown, pattern: RegExp): string | null {
  const text = textOf(value)
  return text !== null && pattern.test(text) ? text : null
}

/** Returns text that is not empty and has no NUL. Postgres cannot hold a NUL in text. */
function plainText(value: unknown): string | null {
  const text = textOf(value)
  return text && !text.includes('\0') ? text : null
}

function wholeNumber(value: unknown, bits: bigint): string | null {
  const digits = matching(value, /^-?\d{1,19}$/)
  if (digits === null) return null
  const number = BigInt(digits)
  return number >= -(1n << bits) && number < 1n << bits ? digits : null
}

/** Returns a day; null if it is before the year 1, since Postgres has no year 0. */
function day(value: unknown): string | null {
  const { data } = z.iso.date().safeParse(value)
  return data && data >= '0001-01-01' ? data : null
}

/** Returns a moment, converted to UTC, because Postgres accepts fewer offsets than ISO 8601 allows. */
function moment(value: unknown): string | null {
  if (!z.iso.datetime({ offset: true }).safeParse(value).success) return null
  const utc = new Date(value as string).toISOString()
  return /^\d{4}-/.test(utc) && utc >= '0001' ? utc : null
}
