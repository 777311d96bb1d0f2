/** Unpacks a .gz file, within limits that real files never reach. */
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { MEMBER_SIZE_MAX, RATIO_MAX } from './zip/directory.ts'

/** Chunks of 256 KB inflate at 770 MB/s; chunks of the default size of 16 KB inflate at 350 MB/s. */
const CHUNK = 256 * 1024
/**
 * Size from which the ratio is checked. It is four times the limit of a record, so that a record above its limit is
 * reported for its size, and not for its ratio.
 */
const RATIO_SIZE_MIN = 64 * 1024 ** 2

/** The file is larger than real files can be, or has a higher compression ratio. */
export class Swollen extends Error {}

/**
 * @throws Error if the bytes are not gzip, are cut short or damaged, or exceed the size or the compression ratio that a
 *   member of a zip may have
 */
async function* gunzipped(packed: AsyncIterable<Uint8Array>, sizeMax: number): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: CHUNK })
  let size = 0
  // The callback does nothing, since errors reach the reader through the destroyed stream.
  for await (const chunk of pipeline(packed, gunzip, () => {}) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > sizeMax) throw new Swollen(`inflates to more than ${sizeMax} bytes`)
    if (size > RATIO_SIZE_MIN && size > RATIO_MAX * gunzip.bytesWritten) {
      throw new Swollen(`swells to more than ${RATIO_MAX} times its bytes`)
    }
    yield chunk
  }
}

/**
 * Unpacks a .gz if it is still packed. If the host sends it with `Content-Encoding: gzip`, the HTTP client has already
 * unpacked it. @throws whatever `gunzipped` throws
 */
export async function* unpacked(
  bytes: AsyncIterable<Uint8Array>,
  sizeMax = MEMBER_SIZE_MAX,
): AsyncGenerator<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]()
  let first = Buffer.alloc(0)
  let isDone = false
  while (!isDone && first.length < 2) {
    const { done, value } = await chunks.next()
    isDone = done === true
    if (value) first = Buffer.concat([first, value])
  }
  async function* whole() {
    yield first
    while (!isDone) {
      const { done, value } = await chunks.next()
      isDone = done === true
      if (value) yield value
    }
  }
  const isPacked = first[0] === 0x1f && first[1] === 0x8b
  try {
    yield* isPacked ? gunzipped(whole(), sizeMax) : whole()
  } finally {
    await chunks.return?.()
  }
}
