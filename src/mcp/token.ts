/**
 * Tokens of `next_page`. A token holds the address of a request and the line at which its answer continues, so the
 * server keeps no state. A forged token can request only what `call` could request with the same key.
 */
import { checksum } from '../serve/page.ts'
import { CallError } from './api.ts'

/** Must be increased if the values in the token change their meaning. */
const VERSION = 1
const LENGTH_MAX = 8_192
const CHECKSUM_LENGTH = 8

export interface Continued {
  /** Address without `/v1`. */
  address: string
  /** Number of the first line that was not sent yet. */
  line: number
  /** Size of an answer, in bytes. */
  maxBytes: number
  /** The members that are shown; null for all. */
  include: readonly string[] | null
}

/** Returns null if the token would be longer than the accepted maximum. */
export function encodeToken({ address, line, maxBytes, include }: Continued): string | null {
  const body = JSON.stringify([VERSION, address, line, maxBytes, include])
  const token = Buffer.from(checksum(body) + body).toString('base64url')
  return token.length > LENGTH_MAX ? null : token
}

/** @throws CallError if no tool returned this token */
export function decodeToken(token: string): Continued {
  const refused = () =>
    new CallError(
      'token: not a token that a tool returned, or damaged. Copy the whole token of the last answer, or repeat the call that it continues',
    )
  if (token.length > LENGTH_MAX || !/^[\w-]+$/.test(token)) throw refused()
  const text = Buffer.from(token, 'base64url').toString()
  const body = text.slice(CHECKSUM_LENGTH)
  if (text.slice(0, CHECKSUM_LENGTH) !== checksum(body)) throw refused()
  const values = parsed(body)
  if (!Array.isArray(values) || values.length !== 5 || values[0] !== VERSION) throw refused()
  const [, address, line, maxBytes, include] = values as unknown[]
  if (typeof address !== 'string' || !address.startsWith('/') || !isWhole(line) || !isWhole(maxBytes)) throw refused()
  if (include !== null && !isTexts(include)) throw refused()
  return { address, line, maxBytes, include }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
