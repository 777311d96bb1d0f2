/**
 * Builds zips whose headers may have any wrong value: each field has the value of a normal writer, or a value of the
 * test.
 */
import { crc32, deflateRawSync } from 'node:zlib'

/** A member. Omitted fields have the values of a normal writer. */
export interface Made {
  name: string
  content?: Buffer | string
  /** 0 stored, 8 deflated. */
  method?: number
  flags?: number
  /** Values in the directory. */
  crc?: number
  packed?: number
  size?: number
  /** Computes the stated offset from the member's real offset. */
  at?: (own: number) => number
  /** Extra fields in the central directory. */
  extra?: Buffer
  /** Extra fields of the local header. */
  localExtra?: Buffer
  /** Bytes that replace the deflated content. */
  data?: Buffer
  /** A data descriptor follows the data, and the local header gives no sizes. */
  isDescribed?: boolean
  /**
   * Writes no local header and no data: `at` refers to the header and data of another member.
   */
  isBorrowed?: boolean
}

interface End {
  /** Values of the end record. */
  count?: number
  size?: number
  at?: number
  disk?: number
  comment?: Buffer
  /** Writes the 64-bit (zip64) records with these values. */
  long?: { count?: number; size?: number; at?: number; from?: number }
  /** Bytes between the directory and the end record. */
  gap?: Buffer
  /** Bytes before the first member, which the offsets do not count. */
  before?: Buffer
}

const u16 = (value: number) => [value & 0xff, (value >> 8) & 0xff]
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)]
const u64 = (value: number) => [...u32(value % 2 ** 32), ...u32(Math.floor(value / 2 ** 32))]

/** Builds the field of 64-bit sizes with these values. */
export const longField = (...values: number[]) =>
  Buffer.from([...u16(1), ...u16(values.length * 8), ...values.flatMap(u64)])

interface Packed {
  content: Buffer
  deflated: Buffer
  crc: number
}

/** Deflated contents. Deflating the same megabyte for each of 900 members would take 10 s of processor time. */
const packings = new WeakMap<Buffer, Packed>()

/** Deflates a content, or returns the cached result for the same buffer if its bytes have not changed. */
function packedOf(given: Buffer | string): Packed {
  const known = typeof given === 'string' ? undefined : packings.get(given)
  if (known?.content.equals(given as Buffer)) return known
  const content = Buffer.from(given)
  const made = { content, deflated: deflateRawSync(content), crc: crc32(content) }
  if (typeof given !== 'string') packings.set(given, made)
  return made
}

export function zipOf(members: readonly Made[], end: End = {}): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  const put = (bytes: Buffer) => {
    local.push(bytes)
    at += bytes.length
  }
  for (const member of members) {
    const { content, deflated, crc: own } = packedOf(member.content ?? '')
    const {
      method = 8,
      flags = member.isDescribed ? 8 : 0,
      extra = Buffer.alloc(0),
      localExtra = Buffer.alloc(0),
    } = member
    const data = member.data ?? (method === 8 ? deflated : content)
    const name = Buffer.from(member.name)
    const { crc = own, packed = data.length, size = content.length } = member
    const place = member.at?.(at) ?? at
    if (!member.isBorrowed) {
      const sizes = member.isDescribed ? [0, 0, 0] : [own, data.length, content.length]
      put(
        Buffer.from([
          ...u32(0x04034b50),
          ...u16(20),
          ...u16(flags),
          ...u16(method),
          ...u32(0),
          ...sizes.flatMap(u32),
          ...u16(name.length),
          ...u16(localExtra.length),
        ]),
      )
      put(Buffer.concat([name, localExtra, data]))
      if (member.isDescribed) put(Buffer.from([own, data.length, content.length].flatMap(u32)))
    }
    central.push(
      Buffer.from([
        ...u32(0x02014b50),
        ...u16(20),
        ...u16(20),
        ...u16(flags),
        ...u16(method),
        ...u32(0),
        ...[crc, packed, size].flatMap(u32),
        ...[name.length, extra.length, 0, 0, 0].flatMap(u16),
        ...u32(0),
        ...u32(place),
      ]),
      name,
      extra,
    )
  }
  const directory = Buffer.concat(central)
  const { gap = Buffer.alloc(0), before = Buffer.alloc(0), comment = Buffer.alloc(0), long } = end
  const directoryEnd = { count: members.length & 0xffff, size: directory.length, at, disk: 0, ...end }
  const records = long
    ? Buffer.from([
        ...u32(0x06064b50),
        ...u64(44),
        ...u16(45),
        ...u16(45),
        ...u32(0),
        ...u32(0),
        ...u64(long.count ?? members.length),
        ...u64(long.count ?? members.length),
        ...u64(long.size ?? directory.length),
        ...u64(long.at ?? at),
        ...u32(0x07064b50),
        ...u32(0),
        ...u64(long.from ?? at + directory.length + gap.length),
        ...u32(1),
      ])
    : Buffer.alloc(0)
  const last = Buffer.from([
    ...u32(0x06054b50),
    ...u16(directoryEnd.disk),
    ...u16(directoryEnd.disk),
    ...u16(directoryEnd.count),
    ...u16(directoryEnd.count),
    ...u32(directoryEnd.size),
    ...u32(directoryEnd.at),
    ...u16(comment.length),
  ])
  return Buffer.concat([before, ...local, directory, gap, records, last, comment])
}
