/** Decodes the bytes of one answer, and checks its size, its length and its speed. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { EdgarError } from './answer.ts'

export interface Limits {
  /** Maximum number of decoded bytes. */
  sizeMax: number
  /** Longest wait for one chunk. */
  timeoutMs: number
  /** Longest wait for all chunks together. The reader's own time does not count. */
  totalMs: number
  /** At least `STALL_BYTES` must arrive in this time of waiting; `Infinity` switches this check off. */
  stallMs: number
  /** Called for a slow answer: once after a wait of `slowMs`, and again when the answer has ended. */
  onSlow?: ((so: Slow) => void) | undefined
  slowMs?: number
}

export interface Slow {
  bytes: number
  ms: number
  isDone: boolean
}

export interface Body {
  /**
   * The bytes can be read once. The stream ends with an EdgarError `truncated`, `too large` or `timeout` if something
   * is wrong.
   */
  bytes: AsyncIterable<Uint8Array>
  /** The error that ended the reading; null if there is none so far. */
  failure(): EdgarError | null
  /** Closes the connection or file, whether the body was read or not. */
  close(): void
}

/**
 * Bytes that must arrive in each period of `stallMs`, which is a minute by default: 4 KB a second. A slower answer
 * would hardly ever end.
 */
const STALL_BYTES = 256 * 1024

/** Highest allowed ratio of unpacked to packed bytes of a large answer. Real pages and indexes reach a ratio of 30. */
const RATIO_MAX = 200
const RATIO_SIZE_MIN = 16 * 1024 ** 2

/** An answer below this rate counts as slow. At this rate, a submission of half a megabyte takes 20 s. */
const SLOW_BYTES_A_SECOND = 25_000
const SLOW_MS = 10_000

// Chunks of 256 KB inflate at 770 MB/s, and the default chunks of 16 KB inflate at 350 MB/s.
const INFLATE_CHUNK = 256 * 1024

/**
 * The decoded bytes of an answer. If a connection ends before all bytes of the Content-Length or the last chunk have
 * arrived, `node:http` itself reports this. If an answer has the stated length but its gzip stream is cut short, zlib
 * reports this. The built-in `fetch` would accept such a gzip stream.
 *
 * @throws EdgarError `refused` for an encoding that was not requested, `too large` when the announced length is over
 *   the limit
 */
export function decoded(url: URL, response: IncomingMessage, limits: Limits): Readable {
  const encoding = encodingOf(response.headers)
  if (isGzip(response.headers)) {
    // If the response fails, `pipeline` destroys the last stream with that error, so the reader of this stream gets the
    // error.
    return pipeline(response, createGunzip({ chunkSize: INFLATE_CHUNK }), () => {})
  }
  const length = Number(response.headers['content-length'] ?? 0)
  if (encoding === 'identity' && length <= limits.sizeMax) return response
  response.destroy()
  if (encoding === 'identity') throw tooLarge(url, limits.sizeMax)
  throw new EdgarError(
    'refused',
    `${url.href} was sent in the encoding ${JSON.stringify(encoding)} although gzip was requested`,
  )
}

const encodingOf = (headers: IncomingHttpHeaders) => (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
export const isGzip = (headers: IncomingHttpHeaders) => ['gzip', 'x-gzip'].includes(encodingOf(headers))
/** Whether an answer is in an encoding that was requested, or in none. */
export const isReadable = (headers: IncomingHttpHeaders) => isGzip(headers) || encodingOf(headers) === 'identity'

/**
 * Checks a stream of bytes against the limits while it is read.
 *
 * @param lengthBytes the exact length of the stream, if known
 */
export function body(
  url: URL,
  source: Readable & { bytesWritten?: number },
  limits: Limits,
  signal?: AbortSignal,
  lengthBytes?: number,
): Body {
  let failure: EdgarError | null = null
  async function* read() {
    const chunks: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]()
    let size = 0
    let waitedMs = 0
    let lately = { bytes: 0, ms: 0 }
    let isSlow = false
    const slow = (isDone: boolean) => limits.onSlow?.({ bytes: size, ms: waitedMs, isDone })
    try {
      for (;;) {
        const began = performance.now()
        const { done, value } = await within(chunks, source, url, Math.min(limits.timeoutMs, limits.totalMs - waitedMs))
        waitedMs += performance.now() - began
        if (done) break
        size += value.length
        if (size > limits.sizeMax) throw tooLarge(url, limits.sizeMax)
        // `bytesWritten` of an inflating source is the number of packed bytes that it has consumed.
        if (size > RATIO_SIZE_MIN && size > RATIO_MAX * (source.bytesWritten ?? size)) throw swollen(url)
        if (!isSlow && waitedMs >= (limits.slowMs ?? SLOW_MS) && size / waitedMs < SLOW_BYTES_A_SECOND / 1000) {
          isSlow = true
          slow(false)
        }
        lately = { bytes: lately.bytes + value.length, ms: lately.ms + performance.now() - began }
        if (lately.ms >= limits.stallMs) {
          if (lately.bytes < STALL_BYTES) throw stalled(url, lately)
          lately = { bytes: 0, ms: 0 }
        }
        yield value
      }
      if (lengthBytes !== undefined && size !== lengthBytes)
        throw new Error(`${size} bytes arrived instead of ${lengthBytes}`)
    } catch (cause) {
      signal?.throwIfAborted()
      const cut = () => new EdgarError('truncated', `${url.href} broke off after ${size} bytes`, { cause })
      failure = cause instanceof EdgarError ? cause : cut()
      throw failure
    } finally {
      source.destroy()
      if (isSlow) slow(true)
    }
  }
  // The connection may break even if the answer is never read. Without a listener, such an error would end the process.
  source.on('error', () => {})
  return { bytes: read(), failure: () => failure, close: () => source.destroy() }
}

/** Returns the next chunk. If the chunk does not arrive in time, the source is destroyed. */
async function within(chunks: AsyncIterator<Uint8Array>, source: Readable, url: URL, ms: number) {
  const late = () =>
    source.destroy(new EdgarError('timeout', `${url.href} stopped sending in the middle of its answer`))
  const timer = setTimeout(late, Math.max(ms, 0))
  try {
    return await chunks.next()
  } finally {
    clearTimeout(timer)
  }
}

const stalled = (url: URL, { bytes, ms }: { bytes: number; ms: number }) =>
  new EdgarError('timeout', `${url.href} sent no more than ${bytes} bytes in ${Math.round(ms / 1000)} s`)

function tooLarge(url: URL, sizeMax: number) {
  return new EdgarError('too large', `${url.href} is larger than ${sizeMax} bytes`)
}

function swollen(url: URL) {
  return new EdgarError('too large', `${url.href} inflates to more than ${RATIO_MAX} times the bytes that were sent`)
}

/** The first `sizeMax` bytes (or a few more) as text, even if the rest fails. Used for pages that explain a refusal. */
export async function startOf({ bytes }: Body, sizeMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of bytes) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= sizeMax) break
    }
  } catch (error) {
    if (!(error instanceof EdgarError)) throw error
  }
  return Buffer.concat(chunks).toString('latin1')
}
