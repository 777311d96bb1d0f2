/**
 * Reads the members of a zip in the archive. Only the directory of the zip decides which members exist. A zip is
 * refused as a whole if it contradicts itself, its members overlap, or it has too many members. A member that does not
 * match the directory fails alone, when it is read.
 */
import type { FileHandle } from 'node:fs/promises'
import { firstIndex } from './first-index.ts'
import { temporaryFile } from './temporary.ts'
import { type Directory, directoryOf, type Entry, entriesOf } from './zip/directory.ts'
import { ahead, memberBytes } from './zip/member.ts'

interface Member {
  /** The name as the zip has it, with its folder. */
  name: string
  bytes: AsyncIterable<Uint8Array>
}

/**
 * A zip in a temporary file. The directory of a zip is at its end, so the whole zip is stored before a member is read.
 */
export interface Zip {
  members: readonly {
    name: string
    /** Opens the bytes of the member, any number of times; the caller does not have to read the bytes. */
    bytes: () => AsyncIterable<Uint8Array>
  }[]
  /** Closes the file. */
  close: () => Promise<void>
}

/** Maximum number of inflated bytes of all members together, if the caller sets no limit. */
const SIZE_MAX = 32 * 1024 ** 3
/** Maximum number of members, if the caller sets no limit; a zip of a month has a hundred. */
const MEMBERS_MAX = 1_000
/** Longest part of a name that a reason shows, in characters. */
const NAME_MAX = 100
/** Size of a local header without the name. */
const HEADER_SIZE = 30

interface Limits {
  /** Maximum number of members. */
  membersMax?: number
  /** Maximum number of inflated bytes of all members together. */
  sizeMax?: number
}

/**
 * Yields the names of all members first, then each member with its bytes. The bytes must be read before the next member
 * is requested, or not at all.
 *
 * @throws Error if it is not a zip, or if its members are too many, too large together, or overlap
 */
export async function* membersOf(
  bytes: AsyncIterable<Uint8Array>,
  { check = () => {}, ...limits }: Limits & { check?: (names: readonly string[]) => void } = {},
): AsyncGenerator<Member> {
  const zip = await openZip(bytes, limits)
  try {
    check(zip.members.map(({ name }) => name))
    for (const member of zip.members) yield { name: member.name, bytes: member.bytes() }
  } finally {
    await zip.close()
  }
}

/**
 * Yields the members one by one in the order of the directory, so that the names of a million members are never held in
 * memory.
 *
 * @param membersMax maximum number of members
 * @throws whatever `membersOf` throws
 */
export async function* eachMember(bytes: AsyncIterable<Uint8Array>, membersMax: number): AsyncGenerator<Member> {
  const zip = await opened(bytes, { membersMax })
  try {
    for await (const entry of zip.entries()) yield { name: entry.name, bytes: zip.bytesOf(entry) }
  } finally {
    await zip.close()
  }
}

/**
 * Opens a zip whose members can be read in any order. The names of all members are in memory.
 *
 * @throws whatever `membersOf` throws
 */
export async function openZip(bytes: AsyncIterable<Uint8Array>, limits: Limits = {}): Promise<Zip> {
  const { entries, bytesOf, close } = await opened(bytes, limits)
  try {
    const all = await Array.fromAsync(entries())
    return { members: all.map((entry) => ({ name: entry.name, bytes: () => bytesOf(entry) })), close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Opened {
  /** The entries that are files, in the order of the directory. */
  entries(): AsyncGenerator<Entry>
  bytesOf(entry: Entry): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

async function opened(bytes: AsyncIterable<Uint8Array>, limits: Limits): Promise<Opened> {
  const { file, append, close } = await temporaryFile('zip', 'zips are read')
  try {
    for await (const chunk of bytes) await append(chunk)
    const directory = await directoryOf(file)
    const limitOf = await placesOf(file, directory, limits)
    const read = ahead(file)
    return {
      entries: () => filesOf(file, directory),
      bytesOf: (entry) => memberBytes(read, entry, limitOf(entry)),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function* filesOf(file: FileHandle, directory: Directory): AsyncGenerator<Entry> {
  for await (const entry of entriesOf(file, directory)) if (!entry.name.endsWith('/')) yield entry
}

/**
 * Checks the directory before any member is read: if members share bytes, a zip of 42 KB can unpack to petabytes.
 *
 * @returns for each entry, where its bytes must end: at the beginning of the next entry or of the directory
 * @throws Error if the members are too many, too large together, or overlap
 */
async function placesOf(
  file: FileHandle,
  directory: Directory,
  { membersMax = MEMBERS_MAX, sizeMax = SIZE_MAX }: Limits,
): Promise<(entry: Entry) => number> {
  const starts: number[] = []
  const ends: number[] = []
  let size = 0
  for await (const { name, at, packed, size: own, fault } of entriesOf(file, directory)) {
    if (starts.length >= membersMax) throw new Error(`more than ${membersMax} members`)
    // The local header may state a different length of the name, which may hide an overlap. The wrong length is noticed
    // when the member is read.
    starts.push(at)
    ends.push(at + HEADER_SIZE + packed)
    if (fault === null) size += own
    if (size > sizeMax) {
      const start = name.slice(0, NAME_MAX)
      throw new Error(`${start} has ${own} bytes, and all members together have more than ${sizeMax}`)
    }
  }
  const [first, last] = [starts, ends].map((places) => Float64Array.from(places).sort()) as [Float64Array, Float64Array]
  // Starts and ends are sorted separately: if and only if each end is at or before the next start, no two members share
  // a byte.
  const overlapping = last.findIndex((end, at) => end > (first[at + 1] ?? Number.POSITIVE_INFINITY))
  if (overlapping >= 0) throw new Error(`members overlap at byte ${first[overlapping + 1]}`)
  return ({ at }) => first[firstIndex(first.length, (i) => first[i]! > at)] ?? directory.at
}
