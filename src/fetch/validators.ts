/** How a host says that a file is still the same, and how the rest of one that broke off is asked for. */
import type { IncomingHttpHeaders } from 'node:http'

/** What an answer may be compared by later, as the host sent it. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

/** Longer ones are not kept: they would be sent back with each request. */
const LENGTH_MAX = 200

export function validatorsOf({ etag, 'last-modified': lastModified }: IncomingHttpHeaders): Validators {
  const kept = (value: string | undefined) => (value && value.length <= LENGTH_MAX ? value : null)
  return { etag: kept(etag), lastModified: kept(lastModified) }
}

/** Headers that ask for an answer only if it is another one by now; none where there is nothing to compare. */
export const ifChanged = ({ etag, lastModified }: Validators): Record<string, string> => ({
  ...(etag === null ? {} : { 'if-none-match': etag }),
  ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
})

/** By what the rest of an answer is asked for, and how long the whole is. */
export interface Resumable {
  validator: string
  totalBytes: number
}

/**
 * Null where the host offers no ranges, or says nothing by which the rest could be known as that of the same file. Bytes of
 * an encoded answer have no place in the file.
 */
export function resumableOf(headers: IncomingHttpHeaders): Resumable | null {
  const { etag, lastModified } = validatorsOf(headers)
  // A weak tag may stand for other bytes (RFC 9110, 13.1.5).
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

/** Whether an answer of status 206 is the rest that was asked for, up to the end. */
export const isRest = (headers: IncomingHttpHeaders, at: number, { totalBytes }: Resumable): boolean =>
  !headers['content-encoding'] && headers['content-range'] === `bytes ${at}-${totalBytes - 1}/${totalBytes}`
