/** Reads one member of a zip. Checks its bytes against the directory, including the checksum. */
import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { bytesAt } from '../temporary.ts'
import { DEFLATED, type Entry } from './directory.ts'

/** Reads bytes of the zip. */
export type Bytes = (from: number, to: number) => Promise<Buffer>

/**
 * Members up to this size are inflated at once: the state of a stream stays in memory until it is collected, and zips
 * have a million members.
 */
const ONCE_MAX = 1024 ** 2
/** Chunks of 256 KB inflate at 770 MB/s; chunks of the default size of 16 KB inflate at 350 MB/s. */
const CHUNK = 256 * 1024
const LOCAL = 0x04034b50
const LOCAL_SIZE = 30

/** A fault of a member, worded to follow the member's name in a sentence. */
class Fault extends Error {}

/**
 * Yields the bytes of a member, which need not be read. A caller that reads the bytes to the end can be sure that their
 * size and checksum match the directory.
 *
 * @param limit where the next member or the directory begins
 */
export async function* memberBytes(bytes: Bytes, entry: Entry, limit: number): AsyncGenerator<Uint8Array> {
  const { size, crc, fault } = entry
  const name = entry.name.slice(0, 100)
  let read = 0
  let sum = 0
  try {
    if (fault !== null) throw new Fault(fault)
    for await (const chunk of await chunksOf(bytes, entry, limit)) {
      read += chunk.length
      if (read > size) throw tooMany(size)
      sum = crc32(chunk, sum)
      yield chunk
    }
    if (read !== size) throw new Fault(`inflates to ${read} bytes instead of ${size}`)
    if (sum !== crc) throw new Fault(`has the checksum ${hex(sum)}, and the zip states ${hex(crc)}`)
  } catch (cause) {
    throw cause instanceof Fault ? new Error(`${name} ${cause.message}`) : new Error(name, { cause })
  }
}

async function chunksOf(bytes: Bytes, { at, packed, size, method }: Entry, limit: number) {
  if (at + LOCAL_SIZE + packed > limit) throw new Fault('reaches into what follows it in the zip')
  const header = await bytes(at, at + LOCAL_SIZE)
  if (header.readUInt32LE() !== LOCAL) throw new Fault('is not where the directory states')
  const from = at + LOCAL_SIZE + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (from + packed > limit) throw new Fault('reaches into what follows it in the zip')
  if (method !== DEFLATED) return stored(bytes, from, packed)
  if (Math.max(packed, size) <= ONCE_MAX) return [inflated(await bytes(from, from + packed), size)]
  // The callback does nothing, since errors reach the reader through the destroyed stream.
  return pipeline(
    stored(bytes, from, packed),
    createInflateRaw({ chunkSize: CHUNK }),
    () => {},
  ) as AsyncIterable<Uint8Array>
}

/**
 * Reads more bytes than requested, since most members are small and are requested in the order in which they are
 * stored.
 */
export function ahead(file: FileHandle): Bytes {
  let piece: Buffer = Buffer.alloc(0)
  let at = 0
  return async (from, to) => {
    if (to - from >= CHUNK) return await bytesAt(file, from, to)
    if (from < at || to > at + piece.length) {
      const next = Buffer.allocUnsafe(CHUNK)
      const { bytesRead } = await file.read(next, 0, CHUNK, from)
      // Another reader may have replaced the shared piece meanwhile, so the result comes from the piece that was read
      // here.
      if (from + bytesRead < to) return await bytesAt(file, from, to)
      piece = next.subarray(0, bytesRead)
      at = from
      return piece.subarray(0, to - from)
    }
    return piece.subarray(from - at, to - at)
  }
}

async function* stored(bytes: Bytes, from: number, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < length; at += CHUNK) yield await bytes(from + at, from + Math.min(length, at + CHUNK))
}

function inflated(packed: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(packed, { chunkSize: Math.max(64, size + 1), maxOutputLength: Math.max(1, size) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error
    throw tooMany(size)
  }
}

const tooMany = (size: number) => new Fault(`inflates to more bytes than the ${size} that the zip states`)
const hex = (sum: number) => sum.toString(16).padStart(8, '0')
