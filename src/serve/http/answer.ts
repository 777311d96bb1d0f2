/**
 * A JSON (or page) answer: body, ETag and compressed variants.
 * Answers are compressed here with node:zlib. @fastify/compress would compress every response again, as a stream
 * without a length, although nearly all answers come from the cache. Here each compressed variant is made once and kept
 * next to the body. It has its own length and its own ETag, as a strong validator must.
 */
import { hash } from 'node:crypto'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Next } from '../../declare/route.ts'

// The levels are fast. Measured on an answer of 50 rows (13.8 KB): zstd at level 1 takes 37 µs and makes 1,687 bytes,
// brotli at level 4 takes 91 µs and makes 1,642, and gzip at level 6 takes 91 µs and makes 1,732 (at level 1: 78 µs and
// 2,006).
const CODINGS = {
  zstd: (body: Buffer) =>
    promisify(zstdCompress)(body, { ...chunked(body), params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { ...chunked(body), params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { ...chunked(body), level: 6 }),
}

/**
 * Sets larger output chunks for a large text. zlib's chunks have 16 KB, and the main thread handles each chunk: a text
 * of 12 MB would make 100 chunks.
 */
const chunked = ({ length }: Buffer) => (length > LARGE ? { chunkSize: LARGE } : {})
const LARGE = 256 * 1024
export type Coding = keyof typeof CODINGS

/** A shorter answer is not compressed, since it fits into one packet anyway. */
const COMPRESSED_BYTES_MIN = 1024

export const JSON_TYPE = 'application/json; charset=utf-8'
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'

/**
 * 126 bits of SHA-256: enough to distinguish contents, and short enough for every response. The text is copied, since a
 * substring would keep the whole string in memory.
 */
export const etagOf = (body: Uint8Array): string =>
  Buffer.from(hash('sha256', body, 'base64url').slice(0, 21), 'latin1').toString('latin1')

export class Answer {
  readonly body: Buffer
  readonly type: string
  /** The ETag without quotes. The ETag of a compressed variant is this ETag with the coding appended. */
  readonly etag: string
  /** Parameters that the link to the next page sets; undefined if there is no next page. */
  readonly next: Next | undefined
  /** Called whenever a compressed variant was added to the answer, which then takes more memory. */
  onGrowth: (() => void) | undefined
  #bytes: number
  #variants: Map<Coding, Promise<Buffer>> | undefined
  #linked: { url: string; link: string } | undefined

  /** @param etag the content's ETag, if the caller knows it */
  constructor(content: string | Buffer, type: string = JSON_TYPE, { etag, next }: { etag?: string; next?: Next } = {}) {
    this.body = ownBytes(content)
    this.type = type
    this.etag = etag ?? etagOf(this.body)
    this.next = next
    this.#bytes = this.body.length + (next ? JSON.stringify(next).length : 0)
  }

  /** Bytes in memory: the body, the parameters of the link to the next page, and each variant with its overhead. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Returns the header Link for a request with this URL. Most requests for an answer have the same URL, so the last
   * link is kept. Making a link takes 1.2 µs, while a whole answer from memory takes 27 µs.
   */
  linkFor(url: string, linkOf: (next: Next) => string): string | undefined {
    if (!this.next) return undefined
    if (this.#linked?.url !== url) this.#linked = { url, link: linkOf(this.next) }
    return this.#linked.link
  }

  /** Returns the body, compressed in a coding. Requests at the same time share one compression. */
  variant(coding: Coding): Promise<Buffer> {
    this.#variants ??= new Map()
    let made = this.#variants.get(coding)
    if (!made) {
      made = CODINGS[coding](this.body).then((compressed) => {
        this.#bytes += compressed.length + VARIANT_BYTES
        this.onGrowth?.()
        return ownBytes(compressed)
      })
      this.#variants.set(coding, made)
    }
    return made
  }
}

/** A buffer that fills more than this share of its underlying memory is not copied. */
const OWN = 0.99

/** Memory of a variant: a buffer, a promise, and their place in the list of variants. */
const VARIANT_BYTES = 400

/**
 * Copies the bytes into a buffer of exactly their size. Short buffers are parts of a shared slab, and zlib returns
 * parts of chunks of 16 KB. Without a copy, a cached answer of 300 bytes would keep a whole chunk in memory. A large
 * buffer fills nearly all of its memory, so it is not copied.
 */
function ownBytes(content: string | Buffer): Buffer {
  if (typeof content !== 'string' && content.length > OWN * content.buffer.byteLength) return content
  const length = Buffer.byteLength(content)
  const own = Buffer.allocUnsafeSlow(length)
  if (typeof content === 'string') own.write(content)
  else content.copy(own)
  return own
}

/**
 * Sends an answer in the best coding that the client accepts; sends 304 if the client already has the answer. Returns a
 * promise only if the answer is sent compressed. The answer goes to Node directly: Fastify's `send` would first look
 * for a stream or a serializer, which takes 1 µs, while a whole answer from memory takes 27 µs.
 */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  cacheControl: string,
  { vary = 'accept-encoding', link }: { vary?: string; link?: string | undefined } = {},
): void | Promise<void> {
  const coding =
    answer.body.length < COMPRESSED_BYTES_MIN ? undefined : bestCoding(request.headers['accept-encoding'] ?? '')
  const etag = coding ? `"${answer.etag}-${coding}"` : `"${answer.etag}"`
  if (isHeld(request.headers['if-none-match'], answer.etag)) {
    const own = { etag, 'cache-control': cacheControl, vary, ...(link !== undefined && { link }) }
    reply.headers(own).code(304).send()
    return
  }
  // This is a copy of the reply's headers.
  const headers = reply.getHeaders() as OutgoingHttpHeaders
  headers.etag = etag
  headers['cache-control'] = cacheControl
  headers.vary = vary
  if (link !== undefined) headers.link = link
  headers['content-type'] = answer.type
  if (!coding) return sendBody(reply, headers, answer.body)
  return answer.variant(coding).then((body) => {
    headers['content-encoding'] = coding
    sendBody(reply, headers, body)
  })
}

/**
 * A body of up to this many bytes is sent as text together with its headers. Bytes as Latin-1 text stay the same bytes.
 * Node would write a buffer as a second piece, which takes 1 µs more for 500 bytes. From 2,000 bytes on, making and
 * copying the text takes longer than the second piece: 4 µs longer for 13,000 bytes (*measured*).
 */
const AS_TEXT = 1024

function sendBody(reply: FastifyReply, headers: OutgoingHttpHeaders, body: Buffer): void {
  headers['content-length'] = body.length
  reply.hijack()
  reply.raw.writeHead(200, headers)
  if (body.length <= AS_TEXT) reply.raw.end(body.toString('latin1'), 'latin1')
  else if (body.length <= LARGE) reply.raw.end(body)
  else writeSlices(reply.raw, body)
}

/**
 * Writes a large body slice by slice, and other requests are answered between two slices. If 12 MB were written to a
 * fast receiver in one piece, the main thread would be occupied for 50 ms, since the system writes them in one call.
 */
function writeSlices(response: ServerResponse, body: Buffer): void {
  let at = 0
  const next = () => {
    if (response.destroyed) return
    const slice = body.subarray(at, at + LARGE)
    at += LARGE
    if (at >= body.length) response.end(slice)
    else response.write(slice, () => setImmediate(next))
  }
  next()
}

/** The coding to which the client gives the highest q; if several have the same q, the one that is fastest to make. */
export function bestCoding(accepted: string): Coding | undefined {
  if (accepted === '') return undefined
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';')
    const q = parameters.find((parameter) => parameter.trim().startsWith('q='))
    weights.set(name.trim(), q === undefined ? 1 : Number(q.trim().slice(2)) || 0)
  }
  let best: Coding | undefined
  let bestWeight = 0
  for (const coding of Object.keys(CODINGS) as Coding[]) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight > bestWeight) [best, bestWeight] = [coding, weight]
  }
  return bestWeight >= (weights.get('identity') ?? 0) ? best : undefined
}

/** Whether the client has this content, in any coding. */
function isHeld(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((candidate) => {
    const tag = candidate.trim().replace(/^W\//, '')
    return tag === '*' || tag === `"${etag}"` || (tag.startsWith(`"${etag}-`) && tag.endsWith('"'))
  })
}
