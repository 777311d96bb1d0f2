/** Conditional and range requests (RFC 9110, sections 13 and 14) for a body that can only be read from its start. */
import { Readable } from 'node:stream'
import { apiError } from '../../declare/api-errors.ts'
import type { Bytes } from '../../declare/route.ts'

interface Source {
  /** The value of the header `ETag`: a strong validator. */
  etag: string
  /**
   * Size in bytes; null if the size is unknown before the document is read. Ranges are not offered if the size is null.
   */
  size: number | null
  body(): Readable
  request: Readonly<Record<string, string | undefined>>
  headers: Record<string, string>
}

/**
 * Responds with 200 and the whole body, with 206 and one range, or with 304. A request for several ranges gets the
 * whole body.
 *
 * @throws HttpError 416 for a range after the end
 */
export function answerRange({ etag, size, body, request, headers }: Source): Bytes {
  const always = { ...headers, etag }
  const known = request['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (known?.includes(etag) || known?.includes('*')) return { status: 304, headers: always, body: '' }
  if (size === null) return { headers: always, body: body() }
  const offered = { ...always, 'accept-ranges': 'bytes' }
  const stale = request['if-range'] !== undefined && request['if-range'] !== etag
  const range = stale ? null : parseRange(request.range, size)
  if (range === null) return { headers: { ...offered, 'content-length': String(size) }, body: body() }
  if (range === 'unsatisfiable') {
    const rest = { 'accept-ranges': 'bytes', 'content-range': `bytes */${size}` }
    throw apiError('range_not_satisfiable', { size }, rest)
  }
  const { first, last } = range
  return {
    status: 206,
    headers: {
      ...offered,
      'content-range': `bytes ${first}-${last}/${size}`,
      'content-length': String(last - first + 1),
    },
    body: Readable.from(slice(body(), first, last)),
  }
}

/**
 * Returns the one requested range. The answer is `unsatisfiable` if the range has no byte of the document. It is null,
 * which means the whole document, if the header is absent or not valid, or requests several ranges.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): { first: number; last: number } | 'unsatisfiable' | null {
  const parts = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!parts || (parts[1] === '' && parts[2] === '')) return null
  if (parts[1] === '') {
    const length = Math.min(Number(parts[2]), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  const first = Number(parts[1])
  const last = parts[2] === '' ? size - 1 : Math.min(Number(parts[2]), size - 1)
  if (parts[2] !== '' && Number(parts[2]) < first) return null
  return first >= size ? 'unsatisfiable' : { first, last }
}

async function* slice(body: Readable, first: number, last: number): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const from = Math.max(first - at, 0)
    const to = Math.min(last + 1 - at, chunk.length)
    if (from < to) yield chunk.subarray(from, to)
    at += chunk.length
    // Leaving the loop destroys the body, so nothing after the range is decompressed.
    if (at > last) return
  }
}
