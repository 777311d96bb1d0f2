/** Packs values as compressed JSON, to send them between processes and to store them next to the archive. */
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }
/** Maximum unpacked size: a value whose header states a larger size is damaged. */
const BYTES = { maxOutputLength: 512 * 1024 * 1024 }

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export const pack = (value: unknown): Uint8Array => zstdCompressSync(JSON.stringify(value), COMPRESSION)

/** @throws Error if the bytes are damaged */
export const unpack = <T>(packed: Uint8Array): T => JSON.parse(zstdDecompressSync(packed, BYTES).toString()) as T

/** Makes the JSON in this thread and then compresses it in another thread. */
export const packLater = (value: unknown): Promise<Uint8Array> => compress(JSON.stringify(value), COMPRESSION)

/** Returns the JSON. @throws Error if the bytes are damaged */
export const jsonOf = (packed: Uint8Array): Promise<Buffer> => decompress(packed, BYTES)

/**
 * Returns the size of the JSON in bytes, as the frame header states it (RFC 8878, 3.1.1.1); null if the header states
 * no size.
 */
export function sizeOf(packed: Uint8Array): number | null {
  const frame = Buffer.from(packed.buffer, packed.byteOffset, packed.length)
  if (frame.length < 18 || frame.readUInt32LE(0) !== MAGIC) return null
  const flags = frame[4]!
  const isSingle = (flags & 0x20) !== 0
  const at = 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][flags & 3]!
  const kind = flags >> 6
  if (kind === 0) return isSingle ? frame[at]! : null
  if (kind === 1) return frame.readUInt16LE(at) + 256
  return kind === 2 ? frame.readUInt32LE(at) : Number(frame.readBigUInt64LE(at))
}

const MAGIC = 0xfd2fb528

/**
 * Whether the value can be unpacked. This function is called in a separate process, and the JSON does not leave this
 * process.
 */
export function isWhole(packed: Uint8Array): boolean {
  try {
    unpack(packed)
    return true
  } catch {
    return false
  }
}
