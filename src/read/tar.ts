/** Reads the members of a tar archive as it streams by, in constant memory. */
import { Pieces } from './pieces.ts'

/** The archive is damaged or cut off. Members that ended before the fault are complete. */
export class TarError extends Error {}

export interface TarMember {
  /** The name as the archive has it, with its folder. */
  name: string
  size: number
  /**
   * The bytes can be read once, and only before the next member is requested: that request skips the bytes that are
   * left.
   */
  bytes: AsyncGenerator<Buffer>
}

const BLOCK = 512
/** Maximum size of a separate header with the name of a member, in bytes. */
const NAME_MAX = 64 * 1024
/** Largest size of one member. */
const SIZE_MAX = 8 * 1024 ** 3

/**
 * Yields the members that are files, in order. Folders, links and other kinds are skipped.
 *
 * @throws TarError if a header is damaged or the archive ends before its last block
 */
export async function* tarMembers(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarMember> {
  const input = new Pieces(stream, () => new TarError('the archive is cut off'))
  /** The name of the next member, if it does not fit into its header. */
  let long: string | null = null
  try {
    for (;;) {
      const header = await input.exactly(BLOCK)
      // Two empty blocks end an archive; some writers leave out the second.
      if (header.every((byte) => byte === 0)) {
        // Reads to the end, so that the compressed file around the archive can be checked as a whole.
        for await (const _ of input.rest());
        return
      }
      const { name, size, type } = readHeader(header)
      const padding = (BLOCK - (size % BLOCK)) % BLOCK
      if (type === 'L' || type === 'x') {
        if (size > NAME_MAX) throw new TarError(`the name of a member has ${size} bytes, more than ${NAME_MAX}`)
        const text = await input.exactly(size)
        long = type === 'L' ? text.toString('latin1').replace(/\0.*$/s, '') : (pathOf(text) ?? long)
        await input.skip(padding)
        continue
      }
      let left = size
      const bytes = async function* () {
        while (left > 0) {
          const chunk = await input.some(left)
          left -= chunk.length
          yield chunk
        }
      }
      if (isFile(type)) yield { name: long ?? name, size, bytes: bytes() }
      if (type !== 'g') long = null
      await input.skip(left + padding)
    }
  } finally {
    await input.close()
  }
}

const isFile = (type: string) => type === '0' || type === '\0' || type === '7'

/** @throws TarError if its checksum does not match */
function readHeader(block: Buffer): { name: string; size: number; type: string } {
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  if (octal(block, 148, 8) !== sum) throw new TarError('a header is damaged')
  const size = octal(block, 124, 12)
  if (size === null || size > SIZE_MAX) throw new TarError('a header has no size that can be read')
  const prefix = text(block, 257, 5) === 'ustar' ? text(block, 345, 155) : ''
  const name = text(block, 0, 100)
  return { name: prefix ? `${prefix}/${name}` : name, size, type: String.fromCharCode(block[156]!) }
}

const text = (block: Buffer, at: number, length: number) =>
  block.toString('latin1', at, at + length).replace(/\0.*$/s, '')

/** Reads a number: in octal digits, or in binary if it is above 8 GB. Returns null for anything else. */
function octal(block: Buffer, at: number, length: number): number | null {
  if (block[at]! & 0x80) return block.readUIntBE(at + length - 6, 6)
  const digits = text(block, at, length).trim()
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : null
}

/** The name in a pax header, whose lines are `27 path=folder/name`. */
const pathOf = (lines: Buffer) => /(?:^|\n)\d{1,5} path=([^\n]*)/.exec(lines.toString('latin1'))?.[1] ?? null
