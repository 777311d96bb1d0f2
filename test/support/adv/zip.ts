/** Writes zip archives member by member, so that no archive has to fit into memory. */
import { type FileHandle, open } from 'node:fs/promises'
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'

/** The limit of the zip format without its 64-bit extension. */
const SIZE_MAX = 0xffff_ffff
/**
 * A smaller member is compressed synchronously: a separate stream holds half a megabyte, and thousands would wait for
 * garbage collection.
 */
const ONCE_MAX = 1 << 20

interface Member {
  name: Buffer
  crc: number
  packed: number
  size: number
  offset: number
}

export class ZipWriter {
  readonly #file: FileHandle
  readonly #stamp: number
  readonly #level: number
  readonly #members: Member[] = []
  #at = 0

  private constructor(file: FileHandle, stamp: number, level: number) {
    this.#file = file
    this.#stamp = stamp
    this.#level = level
  }

  /** Creates or replaces the file. Every member is dated midnight of `day`, so that equal content gives equal bytes. */
  static async create(path: string, day: string, level = 6): Promise<ZipWriter> {
    const [year, month, date] = day.split('-').map(Number) as [number, number, number]
    const stamp = (((year - 1980) << 25) | (month << 21) | (date << 16)) >>> 0
    return new ZipWriter(await open(path, 'w'), stamp, level)
  }

  /** Adds a deflated member; returns its uncompressed size. */
  async add(name: string, content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<number> {
    const member: Member = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset: this.#at }
    if (Array.isArray(content)) {
      const whole = Buffer.concat(content as Uint8Array[])
      if (whole.length <= ONCE_MAX) return this.#addWhole(member, whole)
    }
    const header = this.#at
    await this.#write(Buffer.alloc(30 + member.name.length))
    const deflate = createDeflateRaw({ level: this.#level, chunkSize: 262_144 })
    const written = (async () => {
      for await (const chunk of deflate as AsyncIterable<Buffer>) {
        member.packed += chunk.length
        await this.#write(chunk)
      }
    })()
    const fed = (async () => {
      for await (const chunk of content) {
        member.crc = crc32(chunk, member.crc)
        member.size += chunk.length
        if (!deflate.write(chunk)) await new Promise((resolve) => deflate.once('drain', resolve))
      }
      deflate.end()
    })().catch((error: Error) => {
      deflate.destroy(error)
      throw error
    })
    await Promise.all([fed, written])
    if (member.size > SIZE_MAX || this.#at > SIZE_MAX) throw new Error(`${name} needs the zip format of 64 bits`)
    // The sizes are known only after the content is written. Every program can read a header that contains the sizes,
    // but some programs cannot read a header that defers them.
    await this.#file.write(Buffer.concat([local(member, this.#stamp), member.name]), 0, undefined, header)
    this.#members.push(member)
    return member.size
  }

  async #addWhole(member: Member, whole: Buffer): Promise<number> {
    const packed = deflateRawSync(whole, { level: this.#level })
    Object.assign(member, { crc: crc32(whole), packed: packed.length, size: whole.length })
    await this.#write(Buffer.concat([local(member, this.#stamp), member.name, packed]))
    this.#members.push(member)
    return member.size
  }

  /** Writes the directory and closes the file; returns the archive's size. */
  async close(): Promise<number> {
    const start = this.#at
    await this.#write(Buffer.concat(this.#members.flatMap((each) => [central(each, this.#stamp), each.name])))
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(this.#members.length, 8)
    end.writeUInt16LE(this.#members.length, 10)
    end.writeUInt32LE(this.#at - start, 12)
    end.writeUInt32LE(start, 16)
    await this.#write(end)
    await this.#file.close()
    return this.#at
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await this.#file.write(bytes, 0, bytes.length, this.#at)
    this.#at += bytes.length
  }
}

/** Version 2.0 of the format: deflate. */
const VERSION = 20
const DEFLATED = 8

function local(member: Member, stamp: number): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(VERSION, 4)
  described(header, 8, member, stamp)
  return header
}

function central(member: Member, stamp: number): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(VERSION, 6)
  described(header, 10, member, stamp)
  header.writeUInt32LE(member.offset, 42)
  return header
}

/** The fields about a member that both headers have, in the same order. */
function described(header: Buffer, at: number, { crc, packed, size, name }: Member, stamp: number): void {
  header.writeUInt16LE(DEFLATED, at)
  header.writeUInt32LE(stamp, at + 2)
  header.writeUInt32LE(crc, at + 6)
  header.writeUInt32LE(packed, at + 10)
  header.writeUInt32LE(size, at + 14)
  header.writeUInt16LE(name.length, at + 18)
}
