/**
 * Reads the directory of a zip (APPNOTE 6.3.10, sections 4.3.12 to 4.3.16). Only the directory decides which members
 * exist: a local header may repeat the directory, contradict it, or describe a member that is not in the directory.
 */
import type { FileHandle } from 'node:fs/promises'
import { bytesAt } from '../temporary.ts'

export interface Entry {
  /** The name with its folder, and `/` between folders. */
  name: string
  /** Compression method; 0 stored, 8 deflated. */
  method: number
  crc: number
  /** Compressed size in bytes. */
  packed: number
  /** Size of the member in bytes. */
  size: number
  /** Offset of the local header. */
  at: number
  /** Reason why the member cannot be read, without the member's name. Null if the directory shows no fault. */
  fault: string | null
}

/** Position of the directory, and its stated number of entries. */
export interface Directory {
  at: number
  end: number
  count: number
  /** Whether the count has 16 bits. Writers without the 64-bit extension let the number wrap around. */
  isShort: boolean
}

const END = 0x06054b50
const END64 = 0x06064b50
const LOCATOR = 0x07064b50
const ENTRY = 0x02014b50
const [END_SIZE, LOCATOR_SIZE, END64_SIZE, ENTRY_SIZE] = [22, 20, 56, 46]
const COMMENT_MAX = 0xffff
const SHORT = 0xffff
const LONG = 0xffff_ffff
/** The directory is read in pieces of this size. */
const PIECE = 1024 ** 2
/** Longest entry of one member in the directory: name, extra fields and comment, in bytes. */
const ENTRY_REST_MAX = 4_096
/**
 * Flags of an entry for classic encryption, strong encryption and a masked directory; `UTF8` is the flag for a name in
 * UTF-8.
 */
const ENCRYPTED = 0x1 | 0x40 | 0x2000
const UTF8 = 0x800
const STORED = 0
export const DEFLATED = 8
/**
 * Maximum number of inflated bytes of one member. The largest real member, a table with all years from 2011 to 2024, is
 * below 4 GB.
 */
export const MEMBER_SIZE_MAX = 8 * 1024 ** 3
/**
 * Maximum ratio of unpacked to packed bytes; the ratio of real tables is 20. A member with a higher ratio that is
 * larger than the size below is a zip bomb.
 */
export const RATIO_MAX = 200
export const RATIO_SIZE_MIN = 16 * 1024 ** 2

/**
 * @throws Error if the file is not a zip, is one part of several, or contradicts itself about the position of its
 *   directory
 */
export async function directoryOf(file: FileHandle): Promise<Directory> {
  const { size } = await file.stat()
  const tail = await bytesAt(file, Math.max(0, size - END_SIZE - COMMENT_MAX), size)
  let at = tail.length - END_SIZE
  // The comment must end with the file, so that a signature within a comment is not mistaken for the end record.
  while (at >= 0 && !(tail.readUInt32LE(at) === END && at + END_SIZE + tail.readUInt16LE(at + 20) === tail.length)) at--
  if (at < 0) throw new Error('not a zip, or cut short: it has no end record')
  const end = tail.subarray(at)
  const endAt = size - end.length
  const stated = {
    disk: end.readUInt16LE(4),
    count: end.readUInt16LE(10),
    size: end.readUInt32LE(12),
    at: end.readUInt32LE(16),
  }
  const long = await end64Of(file, endAt)
  const agree = (short: number, full: number, most: number) => short === most || short === full
  if (
    long &&
    !(agree(stated.count, long.count, SHORT) && agree(stated.size, long.size, LONG) && agree(stated.at, long.at, LONG))
  ) {
    throw new Error('its two end records contradict each other')
  }
  const found = long ?? stated
  if (found.disk !== 0) throw new Error('it is one part of a split zip')
  const directory = { at: found.at, end: found.at + found.size, count: found.count, isShort: !long }
  const last = long ? long.from : endAt
  if (directory.end > last) throw new Error('its directory does not end before the end record')
  // The directory may be longer than its stated size: a directory signature after the stated end would mean that
  // entries are missing.
  const next = directory.end + 4 <= last ? await bytesAt(file, directory.end, directory.end + 4) : null
  if (next?.readUInt32LE() === ENTRY) throw new Error('its directory is longer than its end record states')
  return directory
}

/** Returns the end record of the 64-bit extension; null if the zip has none. */
async function end64Of(file: FileHandle, endAt: number) {
  if (endAt < LOCATOR_SIZE) return null
  const locator = await bytesAt(file, endAt - LOCATOR_SIZE, endAt)
  if (locator.readUInt32LE() !== LOCATOR) return null
  const from = uint64(locator, 8)
  if (from + END64_SIZE > endAt - LOCATOR_SIZE) throw new Error('its 64-bit end record is not where the zip states')
  const end = await bytesAt(file, from, from + END64_SIZE)
  if (end.readUInt32LE() !== END64) throw new Error('its 64-bit end record is not where the zip states')
  return { from, disk: end.readUInt32LE(16), count: uint64(end, 32), size: uint64(end, 40), at: uint64(end, 48) }
}

/**
 * Yields the entries in order, including folders.
 *
 * @throws Error if the directory cannot be read to its end, or the number of its entries differs from the stated number
 */
export async function* entriesOf(
  file: FileHandle,
  { at: from, end, count, isShort }: Directory,
): AsyncGenerator<Entry> {
  let at = from
  let piece: Buffer = Buffer.alloc(0)
  let pieceAt = at
  let found = 0
  const has = (length: number) => at + length <= pieceAt + piece.length
  while (at < end) {
    if (!has(ENTRY_SIZE + ENTRY_REST_MAX) && pieceAt + piece.length < end) {
      piece = await bytesAt(file, at, Math.min(end, at + PIECE))
      pieceAt = at
    }
    const header = piece.subarray(at - pieceAt)
    if (!has(ENTRY_SIZE) || header.readUInt32LE() !== ENTRY)
      throw new Error(`its directory is broken after entry ${found}`)
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => header.readUInt16LE(field)) as [
      number,
      number,
      number,
    ]
    const rest = nameLength + extraLength + commentLength
    if (rest > ENTRY_REST_MAX) {
      const start = header.subarray(ENTRY_SIZE, ENTRY_SIZE + Math.min(nameLength, 100)).toString('latin1')
      throw new Error(`the directory entry of ${start} has more than ${ENTRY_REST_MAX} bytes`)
    }
    if (!has(ENTRY_SIZE + rest)) throw new Error(`its directory is broken after entry ${found}`)
    yield entryOf(header, nameLength, extraLength)
    at += ENTRY_SIZE + rest
    found++
  }
  const isComplete = isShort ? (found & SHORT) === count : found === count
  if (!isComplete) throw new Error(`its directory has ${found} entries, and its end record states ${count}`)
}

function entryOf(header: Buffer, nameLength: number, extraLength: number): Entry {
  const flags = header.readUInt16LE(8)
  const extra = ENTRY_SIZE + nameLength
  const long = extendedOf(header.subarray(extra, extra + extraLength))
  let next = 0
  // The 64-bit extension has only the values that do not fit into the entry itself, in this order.
  const wide = (value: number) => {
    if (value !== LONG) return value
    next += 8
    return next <= long.length ? uint64(long, next - 8) : value
  }
  const size = wide(header.readUInt32LE(24))
  const packed = wide(header.readUInt32LE(20))
  const at = wide(header.readUInt32LE(42))
  const name = decodeName(header.subarray(ENTRY_SIZE, extra), (flags & UTF8) !== 0)
  const method = header.readUInt16LE(10)
  const fault =
    next > long.length
      ? 'has 64-bit sizes, which its directory entry lacks'
      : faultOf({ name, method, packed, size }, flags)
  return { name, method, crc: header.readUInt32LE(16), packed, size, at, fault }
}

function faultOf({ name, method, packed, size }: Pick<Entry, 'name' | 'method' | 'packed' | 'size'>, flags: number) {
  if (flags & ENCRYPTED) return 'is encrypted'
  if (method !== STORED && method !== DEFLATED) return `is packed by method ${method}, and only deflate is read`
  if (method === STORED && packed !== size) return `is stored as ${packed} bytes and stated to have ${size}`
  // Nothing is ever written under the name of a member. But a name that leads out of the zip was made to deceive, so
  // its member is refused.
  if (/^(\/|[a-z]:)|(^|\/)\.\.(\/|$)|\0/i.test(name)) return 'has a name that leads out of the zip'
  if (size > MEMBER_SIZE_MAX) return `is larger than ${MEMBER_SIZE_MAX} bytes`
  if (size > RATIO_SIZE_MIN && size > RATIO_MAX * packed) {
    return `is ${packed} bytes that swell to ${size}, more than ${RATIO_MAX} times`
  }
  return null
}

/** Returns the 64-bit extension within the extra fields of an entry; empty if there is none. */
function extendedOf(extra: Buffer): Buffer {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === 1) return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
  }
  return Buffer.alloc(0)
}

/** Reads 64 bits as a number. Above 2^53 the number is inexact, but such a number is larger than any file anyway. */
const uint64 = (bytes: Buffer, at: number) => Number(bytes.readBigUInt64LE(at))

/** The characters of code page 437 from 0x80 on. Names that are not marked as UTF-8 are in this code page. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

function decodeName(bytes: Buffer, isUtf8: boolean): string {
  const name = isUtf8
    ? bytes.toString('utf8')
    : bytes.toString('latin1').replace(/[\x80-\xff]/g, (char) => CP437[char.charCodeAt(0) - 0x80]!)
  return name.replaceAll('\\', '/')
}
