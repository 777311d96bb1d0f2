/** Unpacks a .gz, as far as its bytes can be those of a real file. */
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { MEMBER_SIZE_MAX, RATIO_MAX } from './zip/directory.ts'

/** 256 KB chunks inflate at 770 MB/s, the default 16 KB at 350. */
const CHUNK = 256 * 1024
/** Four times what a record may have, so that a record that is too large is named as that. */
const RATIO_SIZE_MIN = 64 * 1024 ** 2

/** @throws Error for what is not gzip, is cut short or damaged, or is larger or packed more tightly than a member of a zip may be */
export async function* gunzipped(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: CHUNK })
  let size = 0
  // Errors reach the reader through the destroyed stream.
  for await (const chunk of pipeline(packed, gunzip, () => {}) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > MEMBER_SIZE_MAX) throw new Error(`inflates to more than ${MEMBER_SIZE_MAX} bytes`)
    if (size > RATIO_SIZE_MIN && size > RATIO_MAX * gunzip.bytesWritten) {
      throw new Error(`swells to more than ${RATIO_MAX} times its bytes`)
    }
    yield chunk
  }
}
