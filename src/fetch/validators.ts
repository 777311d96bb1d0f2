/**
 * Reads two kinds of headers: those that show whether a file has changed, and those that allow a request for its rest.
 */
import type { IncomingHttpHeaders } from 'node:http'

/** The headers that identify a version of the file, as the host sent them. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

/** Longer validators are not stored, because they would be sent back with each request. */
const LENGTH_MAX = 200

export function validatorsOf({ etag, 'last-modified': lastModified }: IncomingHttpHeaders): Validators {
  const kept = (value: string | undefined) => (value && value.length <= LENGTH_MAX ? value : null)
  return { etag: kept(etag), lastModified: kept(lastModified) }
}

/** Returns the headers that request an answer only if the file has changed; no headers if there is no validator. */
export const ifChanged = ({ etag, lastModified }: Validators): Record<string, string> => ({
  ...(etag === null ? {} : { 'if-none-match': etag }),
  ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
})

/** The validator with which to request the rest of a file, and the length of the whole file. */
export interface Resumable {
  validator: string
  totalBytes: number
}

/**
 * Returns what is needed to request the rest of an answer that breaks off. Returns null in four cases: the host offers
 * no ranges; the host does not state the length of the file; the host sends no validator that proves that the rest
 * belongs to the same file; the answer is encoded, so that there is no position at which it can be continued.
 */
export function resumableOf(headers: IncomingHttpHeaders): Resumable | null {
  const { etag, lastModified } = validatorsOf(headers)
  // Two files with the same weak tag may have different bytes (RFC 9110, 13.1.5).
  const validator = etag?.startsWith('"') ? etag : lastModified
  const totalBytes = Number(headers['content-length'])
  const offers = headers['accept-ranges']?.trim().toLowerCase() === 'bytes' && !headers['content-encoding']
  return offers && validator && Number.isSafeInteger(totalBytes) ? { validator, totalBytes } : null
}

export const restFrom = (at: number, { validator }: Resumable): Record<string, string> => ({
  range: `bytes=${at}-`,
  'if-range': validator,
  'accept-encoding': 'identity',
})

/** Whether an answer with status 206 is the requested rest, up to the end of the file. */
export const isRest = (headers: IncomingHttpHeaders, at: number, { totalBytes }: Resumable): boolean =>
  !headers['content-encoding'] && headers['content-range'] === `bytes ${at}-${totalBytes - 1}/${totalBytes}`
