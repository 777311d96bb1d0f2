/** Reads the members of a zip in the archive, one after the other. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { inflateRawSync } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'

interface Member {
  /** The name as the zip has it, folder and all. */
  name: string
  bytes: AsyncIterable<Uint8Array>
}

/** A zip that lies in a temporary file, since its directory stands at its end. */
export interface Zip {
  members: readonly {
    name: string
    /** May be asked for any number of times, and need not be read. */
    bytes: () => AsyncIterable<Uint8Array>
  }[]
  /** Gives up the file. */
  close: () => Promise<void>
}

/** Most inflated bytes of one member. The largest real one, all of 2011 to 2024 in one table, is below 4 GB. */
const MEMBER_SIZE_MAX = 8 * 1024 ** 3
/** Most inflated bytes of all members together. */
const SIZE_MAX = 32 * 1024 ** 3
/** Real tables shrink to a twentieth. A member that shrinks more than this, and has this many bytes, was made to swell. */
const RATIO_MAX = 200
const RATIO_SIZE_MIN = 16 * 1024 ** 2
/** Most members; a month has a hundred. */
const MEMBERS_MAX = 1_000
/** Members up to this are inflated at once: the state of a stream is kept until it is collected, and zips have a million members. */
const ONCE_MAX = 1024 ** 2
const DEFLATED = 8
/** Most bytes that the directory may say of one member: name, extra fields, comment. */
const TOLD_MAX = 4_096

/**
 * Names of all members first, then each with its bytes, which are read before the next member is asked for, or not at all.
 *
 * @throws Error for what is no zip, is encrypted, or has members too many, too large or packed too tightly
 */
export async function* membersOf(
  bytes: AsyncIterable<Uint8Array>,
  check: (names: readonly string[]) => void = () => {},
): AsyncGenerator<Member> {
  const zip = await openZip(bytes)
  try {
    check(zip.members.map(({ name }) => name))
    for (const member of zip.members) yield { name: member.name, bytes: member.bytes() }
  } finally {
    await zip.close()
  }
}

/**
 * The members one after the other as the directory names them, so that a zip of a million is never listed in memory. What
 * is wrong with a member shows when its turn comes.
 *
 * @param membersMax most members
 * @throws as `membersOf`
 */
export async function* eachMember(bytes: AsyncIterable<Uint8Array>, membersMax: number): AsyncGenerator<Member> {
  const { zip, close } = await opened(bytes)
  try {
    for await (const entry of checked(zip, membersMax)) yield { name: entry.fileName, bytes: readingOf(zip, entry) }
  } finally {
    await close()
  }
}

/**
 * The members, to be read in any order.
 *
 * @param membersMax most members; their names are held
 * @throws as `membersOf`
 */
export async function openZip(bytes: AsyncIterable<Uint8Array>, membersMax = MEMBERS_MAX): Promise<Zip> {
  const { zip, close } = await opened(bytes)
  try {
    const entries = await Array.fromAsync(checked(zip, membersMax))
    return { members: entries.map((entry) => ({ name: entry.fileName, bytes: () => readingOf(zip, entry) })), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function opened(bytes: AsyncIterable<Uint8Array>): Promise<{ zip: ZipFile; close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'openfilings-zip-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  let zip: ZipFile | undefined
  try {
    const file = path.join(folder, 'edition.zip')
    await pipeline(bytes, createWriteStream(file))
    const opened = await yauzl.openPromise(file, { autoClose: false, lazyEntries: true })
    zip = opened
    // An open file can be read without its name, so a process that is killed leaves nothing. Not so on Windows.
    if (process.platform !== 'win32') await remove()
    const close = async () => {
      opened.close()
      await remove()
    }
    return { zip: opened, close }
  } catch (error) {
    zip?.close()
    await remove()
    throw error
  }
}

/** Opens the member when it is read: one that is opened and not read keeps the file, and its disk, until the process ends. */
async function* readingOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  const { compressionMethod, compressedSize, uncompressedSize } = entry
  const isSmall = Math.max(compressedSize, uncompressedSize) <= ONCE_MAX
  if (isSmall && compressionMethod === DEFLATED && !entry.isEncrypted()) yield await inflated(zip, entry)
  else yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>
}

async function inflated(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const size = entry.uncompressedSize
  const packed: Uint8Array[] = []
  for await (const chunk of await zip.openReadStreamPromise(entry, { decodeFileData: false })) packed.push(chunk as Uint8Array) // biome-ignore format: one line
  const bytes = inflatedUpTo(Buffer.concat(packed), size)
  if (bytes.length !== size) throw new Error(`inflates to ${bytes.length} bytes instead of ${size}`)
  return bytes
}

function inflatedUpTo(packed: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(packed, { chunkSize: Math.max(64, size + 1), maxOutputLength: Math.max(1, size) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error
    throw new Error(`inflates to more bytes than the ${size} that the zip says`)
  }
}

async function* checked(zip: ZipFile, membersMax: number): AsyncGenerator<Entry> {
  let count = 0
  let size = 0
  for await (const entry of zip.eachEntry()) {
    const { fileNameRaw, extraFieldRaw, fileCommentRaw, compressedSize, uncompressedSize } = entry
    const name = entry.fileName.slice(0, 100)
    if (fileNameRaw.length + extraFieldRaw.length + fileCommentRaw.length > TOLD_MAX) {
      throw new Error(`the directory says more than ${TOLD_MAX} bytes of ${name}`)
    }
    if (++count > membersMax) throw new Error(`more than ${membersMax} members`)
    if (entry.fileName.endsWith('/')) continue
    if (uncompressedSize > MEMBER_SIZE_MAX) throw new Error(`${name} is larger than ${MEMBER_SIZE_MAX} bytes`)
    if (uncompressedSize > RATIO_SIZE_MIN && uncompressedSize > RATIO_MAX * compressedSize) {
      throw new Error(
        `${name} is ${compressedSize} bytes that swell to ${uncompressedSize}, more than ${RATIO_MAX} times`,
      )
    }
    size += uncompressedSize
    if (size > SIZE_MAX) throw new Error(`the members have more than ${SIZE_MAX} bytes together`)
    yield entry
  }
}
