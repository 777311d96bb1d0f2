/**
 * Keeps raw bytes by their SHA-256, compressed, on disk: `<root>/<2 hex>/<sha256>.zst`. `Store` is the interface, so
 * that the bytes can be kept in another place.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline as connect } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { refusalOfDisk } from '../declare/errors.ts'
import { type Derived, derivedIn } from './derived.ts'
import { isOwn, ownFolder, READ_OWN } from './own.ts'
import { DERIVED } from './size.ts'
import { closeByNumber, openByNumber, readSmall } from './small.ts'

export interface Store {
  /**
   * Keeps the bytes. If the source ends with an error, nothing is kept, and `put` rejects with that error. Content
   * that is already stored is written again, which repairs a damaged entry.
   *
   * @returns digest and number of the uncompressed bytes
   */
  put(body: AsyncIterable<Uint8Array>): Promise<{ sha256: string; bytes: number }>
  /**
   * Yields the whole content, or its bytes from `start` up to but not including `end`, as `slice` does.
   *
   * The whole content is compared with the digest after its last chunk, so earlier chunks are verified only when the
   * generator has ended. A range is not compared. Reading a range costs the decompression of everything before its end
   * (1.1 GB/s measured).
   *
   * @throws CorruptEntry while reading, if the entry is missing or cut short, or if its content does not match its name
   */
  read(sha256: string, range?: { start: number; end: number }): AsyncGenerator<Buffer>
  has(sha256: string): Promise<boolean>
  /** Returns how many bytes an entry takes on disk; null if the entry does not exist. */
  sizeOf(sha256: string): Promise<number | null>
  /**
   * Removes an entry that was written before a moment. Keeps an entry that another process rewrites meanwhile.
   *
   * @returns how many bytes the entry took on disk; null if the entry did not exist, or is kept
   */
  remove(sha256: string, before?: number): Promise<number | null>
  /** Yields every entry, with its digest, its size on disk in bytes, and the time when it was written. */
  entries(): AsyncGenerator<StoredEntry>
  /** Results derived from entries, which can be made again. */
  readonly derived: Derived
  /** Moves an entry aside so that it can be fetched again. Does nothing if the entry does not exist. */
  quarantine(sha256: string): Promise<void>
  /** Yields the entries that are set aside outside of the archive's folder. */
  aside?(): AsyncGenerator<{ size: number; writtenAt: number; remove(): Promise<void> }>
}

/** A store in a folder. */
export interface DiskStore extends Store {
  /**
   * @param confirm is called with the digest and the file before the entry exists; if it rejects, nothing is kept
   */
  put(
    body: AsyncIterable<Uint8Array>,
    confirm?: (sha256: string, file: string) => Promise<void>,
  ): Promise<{ sha256: string; bytes: number }>
}

export interface StoredEntry {
  sha256: string
  size: number
  writtenAt: number
}

/** The content of an entry does not match its name. The caller should `quarantine` it and fetch it again. */
export class CorruptEntry extends Error {
  readonly sha256: string
  readonly file: string
  constructor(sha256: string, file: string, reason: string, options?: ErrorOptions) {
    super(`the archive entry ${file} is corrupt: ${reason}`, options)
    this.name = 'CorruptEntry'
    this.sha256 = sha256
    this.file = file
  }
}

// Measured on 538 filings, in MB for each second of processor time. Level 1 compresses 310 MB at a ratio of 4.2, level
// 3 280 MB at 4.4, level 6 134 MB at 4.7, and level 9 97 MB at 4.8. gzip compresses 83 MB at 4.5.
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
}
// 128 KB chunks decompress at 1.1 GB/s, and chunks of 16 KB decompress at 0.5 GB/s.
const DECOMPRESSION = { chunkSize: 128 * 1024 }

/** A temporary file that was not written to for this long belongs to a process that is gone. */
const ABANDONED_MS = 24 * 60 * 60 * 1000

/**
 * A store in a folder, which is made at the first write. Any number of processes may share it. Long: reading, writing
 * and sweeping share the folder of temporary files.
 */
export function diskStore(root: string, now: () => number = Date.now): DiskStore {
  const temporary = path.join(root, 'tmp')
  let swept: Promise<void> | undefined

  const fileOf = (sha256: string) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new RangeError(`not a SHA-256 in hex: ${JSON.stringify(sha256)}`)
    return path.join(root, sha256.slice(0, 2), `${sha256}.zst`)
  }

  const refused = (error: unknown) => refusalOfDisk(`the archive ${root} cannot be written`, error)

  /** Makes the folder for files that are being written, and sweeps it once. */
  async function prepare(): Promise<void> {
    await ownFolder(root, temporary)
    // A sweep that fails is repeated by the next write: the operator may have mended the folder meanwhile.
    swept ??= sweep(temporary, now() - ABANDONED_MS).catch((error) => {
      swept = undefined
      throw error
    })
    await swept
  }

  const put: DiskStore['put'] = async (body, confirm) => {
    await prepare().catch((error) => {
      throw refused(error)
    })
    const part = path.join(temporary, `${randomUUID()}.part`)
    const hash = createHash('sha256')
    let bytes = 0
    // The source may fail with the same codes as our disk: it may be a file of the operator.
    let failed: unknown
    const hashed = async function* () {
      try {
        for await (const chunk of body) {
          hash.update(chunk)
          bytes += chunk.length
          yield chunk
        }
      } catch (error) {
        failed = error
        throw error
      }
    }
    try {
      await pipeline(hashed, createZstdCompress(COMPRESSION), createWriteStream(part, { flags: 'wx', flush: true }))
      const sha256 = hash.digest('hex')
      await confirm?.(sha256, part)
      const file = fileOf(sha256)
      await ownFolder(root, path.dirname(file))
      await rename(part, file)
      await syncFolder(path.dirname(file))
      return { sha256, bytes }
    } catch (error) {
      await rm(part, { force: true }).catch(() => {})
      throw error === failed ? error : refused(error)
    }
  }

  function read(sha256: string, range?: { start: number; end: number }) {
    const file = fileOf(sha256)
    if (!range) return whole(root, sha256, file)
    const { start, end } = range
    if (!(Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start)) {
      throw new RangeError(`not a range of bytes: ${start} to ${end}`)
    }
    return slice(plain(root, sha256, file), start, end)
  }

  async function remove(sha256: string, before = Number.POSITIVE_INFINITY): Promise<number | null> {
    const file = fileOf(sha256)
    const found = (await isOwn(root, file)) ? await lstat(file).catch(absent) : null
    if (!found || found.mtimeMs >= before) return null
    // The file may be rewritten after the first check, so it is moved to a name that no other process writes, and
    // checked again.
    const aside = path.join(temporary, `${randomUUID()}.part`)
    await ownFolder(root, temporary)
    if ((await rename(file, aside).catch(absent)) === null) return null
    const taken = await lstat(aside)
    if (taken.mtimeMs === found.mtimeMs) {
      await rm(aside)
      return taken.size
    }
    await rename(aside, file)
    return null
  }

  async function* entries(): AsyncGenerator<StoredEntry> {
    for (const folder of (await readdir(root).catch(absent)) ?? []) {
      if (!/^[0-9a-f]{2}$/.test(folder) || !(await isOwn(root, path.join(root, folder, '_')))) continue
      for (const name of (await readdir(path.join(root, folder)).catch(absent)) ?? []) {
        const [, sha256] = /^([0-9a-f]{64})\.zst$/.exec(name) ?? []
        const found = sha256 === undefined ? null : await lstat(path.join(root, folder, name)).catch(absent)
        if (sha256 && found) yield { sha256, size: found.size, writtenAt: found.mtimeMs }
      }
    }
  }

  return {
    put,
    read,
    remove,
    entries,
    derived: derivedIn(root, path.join(root, DERIVED), temporary),
    async has(sha256) {
      return (await stat(fileOf(sha256)).catch(absent)) !== null
    },
    async sizeOf(sha256) {
      return (await stat(fileOf(sha256)).catch(absent))?.size ?? null
    },
    async quarantine(sha256) {
      const aside = path.join(root, 'corrupt')
      const file = fileOf(sha256)
      if (!(await isOwn(root, file))) return
      await ownFolder(root, aside)
      await rename(file, path.join(aside, `${sha256}.${now()}.zst`)).catch(absent)
    },
  }
}

async function* plain(root: string, sha256: string, file: string): AsyncGenerator<Buffer> {
  try {
    if (!(await isOwn(root, file))) throw new CorruptEntry(sha256, file, 'it is reached through a link')
    // Opens the file by number. If a reader stops in the middle, no code closes a `FileHandle`, and the garbage
    // collector would end the process because of the open handle.
    const fd = await openByNumber(file, READ_OWN)
    const small = await readSmall(fd).catch(async (error) => {
      await closeByNumber(fd)
      throw error
    })
    if (small !== null) {
      await closeByNumber(fd)
      yield small
      return
    }
    const packed = createReadStream(file, { fd, start: 0 })
    // If reading the file fails, `connect` destroys the last stream with that error, so the reader of this stream gets
    // it.
    yield* connect(packed, createZstdDecompress(DECOMPRESSION), () => {}) as AsyncIterable<Buffer>
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    if (code === 'ELOOP') throw new CorruptEntry(sha256, file, 'it is a link', { cause })
    if (code === 'ENOENT') throw new CorruptEntry(sha256, file, 'it is missing', { cause })
    if (/^Z(?:STD)?_/.test(code)) throw new CorruptEntry(sha256, file, 'it cannot be decompressed', { cause })
    throw refusalOfDisk(`the archive ${root} cannot be read`, cause)
  }
}

async function* whole(root: string, sha256: string, file: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of plain(root, sha256, file)) {
    hash.update(chunk)
    yield chunk
  }
  const found = hash.digest('hex')
  if (found !== sha256) throw new CorruptEntry(sha256, file, `its content has another digest, ${found}`)
}

async function* slice(chunks: AsyncIterable<Buffer>, start: number, end: number): AsyncGenerator<Buffer> {
  if (start === end) return
  let at = 0
  for await (const chunk of chunks) {
    const wanted = chunk.subarray(Math.max(start - at, 0), Math.max(end - at, 0))
    if (wanted.length > 0) yield wanted
    at += chunk.length
    if (at >= end) return
  }
}

/** Removes the partial files of killed processes. */
async function sweep(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.part')) continue
    const file = path.join(folder, name)
    const found = await lstat(file).catch(absent)
    if (found && found.mtimeMs < before) await rm(file, { force: true })
  }
}

/** Makes a rename survive a power failure. Does nothing on Windows, which cannot open folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw refusalOfDisk('the archive cannot be used', error)
}
