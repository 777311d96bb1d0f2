/** Values as they go between processes and lie beside the archive: JSON, compressed. */
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }
/** What claims to be larger is damaged. */
const BYTES = { maxOutputLength: 512 * 1024 * 1024 }

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export const pack = (value: unknown): Uint8Array => zstdCompressSync(JSON.stringify(value), COMPRESSION)

/** @throws Error where the bytes are damaged */
export const unpack = <T>(packed: Uint8Array): T => JSON.parse(zstdDecompressSync(packed, BYTES).toString()) as T

/** Compressed and decompressed in another thread; JSON is made and read in this one. */
export const packLater = (value: unknown): Promise<Uint8Array> => compress(JSON.stringify(value), COMPRESSION)

/** The JSON. @throws Error where the bytes are damaged */
export const jsonOf = (packed: Uint8Array): Promise<Buffer> => decompress(packed, BYTES)
