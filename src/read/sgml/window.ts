/** Holds a range of a byte stream in one reused buffer. Its bytes are addressed by their offsets in the stream. */

/**
 * Maximum number of bytes that are taken from a chunk at once. This many bytes still fit into the processor's cache;
 * 256 KB was 10% slower, 1 MB 30%.
 */
const PIECE = 128 * 1024

export interface Tag {
  at: number
  is: Buffer
}

export class Window {
  /** Offset in the stream of the first byte in the buffer. */
  start = 0
  /** Offset in the stream after the last byte in the buffer. */
  end = 0
  private buffer = Buffer.allocUnsafe(2 * PIECE)
  /** The held bytes as one view, made once for each piece: text with many tags is searched millions of times. */
  private held: Buffer = this.buffer.subarray(0, 0)
  private chunk: Uint8Array = new Uint8Array(0)
  private used = 0
  private readonly chunks: AsyncIterator<Uint8Array>

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.chunks = stream[Symbol.asyncIterator]()
  }

  /** Releases the bytes before `keep` and holds the next piece as well. Returns false at the end of the stream. */
  async more(keep: number): Promise<boolean> {
    while (this.used === this.chunk.length) {
      const next = await this.chunks.next()
      if (next.done) return false
      this.chunk = next.value
      this.used = 0
    }
    this.buffer.copyWithin(0, keep - this.start, this.end - this.start)
    this.start = keep
    const length = this.end - keep
    const piece = this.chunk.subarray(this.used, this.used + PIECE)
    if (length + piece.length > this.buffer.length) {
      const larger = Buffer.allocUnsafe(2 * (length + piece.length))
      this.buffer.copy(larger, 0, 0, length)
      this.buffer = larger
    }
    this.buffer.set(piece, length)
    this.used += piece.length
    this.end += piece.length
    this.held = this.buffer.subarray(0, length + piece.length)
    return true
  }

  /** Holds the bytes up to `offset`, or up to the end of the stream if that comes first. */
  async reach(offset: number, keep: number): Promise<void> {
    while (this.end < offset && (await this.more(keep)));
  }

  /** Returns the bytes from one offset to another, both held. Valid until the next `more`. */
  bytes(from: number, to: number): Buffer {
    return this.buffer.subarray(from - this.start, Math.min(to, this.end) - this.start)
  }

  /** Returns the byte at an offset that is held. */
  at(offset: number): number {
    return this.buffer[offset - this.start]!
  }

  /** Returns the offset of the first occurrence at or after `from` in the held bytes, or -1. */
  find(needle: Buffer, from: number): number {
    const found = this.held.indexOf(needle, from - this.start)
    return found < 0 ? -1 : found + this.start
  }

  /**
   * Returns a function that finds the first of several needles at or after a position. The position may only grow, and
   * more bytes may be read between two calls. No range is searched twice. Otherwise, in a text with many occurrences of
   * one needle, the search for the other needle would be repeated again and again.
   */
  seeker(...needles: readonly Buffer[]): (from: number) => Tag | null {
    const sought = needles.map((is) => ({ is, at: -1, through: 0 }))
    return (from) => {
      let first: Tag | null = null
      for (const one of sought) {
        if (one.at < from) {
          one.at = this.find(one.is, Math.max(from, one.through, this.start))
          one.through = one.at < 0 ? this.end - one.is.length + 1 : one.at + 1
        }
        if (one.at >= 0 && (first === null || one.at < first.at)) first = one
      }
      return first && { at: first.at, is: first.is }
    }
  }

  /** Whether these bytes are at an offset that is held. */
  has(bytes: Buffer, at: number): boolean {
    if (at + bytes.length > this.end) return false
    for (let n = 0; n < bytes.length; n++) if (this.held[at - this.start + n] !== bytes[n]) return false
    return true
  }

  /** Closes the source, since nothing more will be read. */
  async close(): Promise<void> {
    await this.chunks.return?.()
  }
}
