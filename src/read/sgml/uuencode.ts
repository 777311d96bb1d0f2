/**
 * Decodes uuencode as EDGAR uses it for PDFs and images. Zero is a space or a backtick. Blanks are trimmed from line
 * ends (every fifth line of some images). Lines end in LF, CR LF or bare CR.
 */
const SPACE = 0x20
const BACKTICK = 0x60
const DOT = 0x2e // '.': 14 bytes
const DOT_CHARS = 20
const FULL = 0x4d // 'M': a full line, 45 bytes in 60 characters
const FULL_CHARS = 60
const FULL_BYTES = 45
/**
 * Number of characters of a line that are read: no line needs more than the length sign and 84 characters, so the rest
 * of a longer line is noise.
 */
const LINE_MAX = 128

const NOTHING = Buffer.alloc(0)

const isEol = (byte: number | undefined) => byte === 0x0a || byte === 0x0d

/**
 * Decodes one body, fed in pieces of any size. Text before `begin` and after `end` is skipped. With `measure` it
 * computes only `size` and decodes nothing.
 */
export class Uudecoder {
  /** Bytes decoded so far. */
  size = 0
  /**
   * Number of lines that are not uuencode. A line whose length is unreadable is skipped; every other line is decoded as
   * far as possible.
   */
  badLines = 0
  /** Whether the `end` line was seen. */
  ended = false
  private begun = false
  private readonly measure: boolean
  /** The start of a line whose end has not arrived yet. */
  private partial: Buffer = NOTHING
  private output: Buffer = NOTHING
  private target = new DataView(NOTHING.buffer)
  private written = 0

  constructor({ measure = false }: { measure?: boolean } = {}) {
    this.measure = measure
  }

  /** Returns the bytes that this piece completes; empty when measuring. */
  feed(bytes: Buffer): Buffer {
    this.written = 0
    if (this.ended) return NOTHING
    if (!this.measure) this.allocate(Math.ceil(bytes.length * 0.75) + LINE_MAX)
    let at = 0
    if (this.partial.length > 0) {
      while (at < bytes.length && !isEol(bytes[at])) at++
      const line = Buffer.concat([this.partial, bytes.subarray(0, Math.min(at, LINE_MAX))]).subarray(0, LINE_MAX)
      if (at === bytes.length) {
        this.partial = line
        return NOTHING
      }
      this.partial = NOTHING
      this.line(line, 0, line.length)
    }
    this.lines(bytes, at)
    return this.output.subarray(0, this.written)
  }

  /** Returns the rest: a last line without a line end. */
  finish(): Buffer {
    return this.feed(Buffer.from('\n'))
  }

  /**
   * Makes room for `size` bytes after those already written. Trimmed lines can decode to more bytes than they contain:
   * `M` alone is 45 zeros.
   */
  private allocate(size: number): void {
    const larger = Buffer.allocUnsafe(size)
    this.output.copy(larger, 0, 0, this.written)
    this.output = larger
    this.target = new DataView(larger.buffer, larger.byteOffset, larger.length)
  }

  private lines(bytes: Buffer, from: number): void {
    const source = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const length = bytes.length
    let at = from
    while (at < length) {
      if (isEol(bytes[at])) {
        at++
        continue
      }
      if (this.ended) return
      if (!this.measure && this.written + LINE_MAX > this.output.length) this.allocate(2 * this.output.length)
      const full = at + 1 + FULL_CHARS
      if (bytes[at] === FULL && this.begun && full < length && isEol(bytes[full]) && this.full(source, at + 1)) {
        at = full + 1
        continue
      }
      let end = at
      while (end < length && !isEol(bytes[end])) end++
      if (end === length) {
        this.partial = Buffer.from(bytes.subarray(at, Math.min(end, at + LINE_MAX)))
        return
      }
      this.line(bytes, at, Math.min(end, at + LINE_MAX))
      at = end + 1
    }
  }

  /**
   * Decodes a full line, four characters at a time. Returns false if any character needs the slow way, as a line end or
   * an invalid character does.
   */
  private full(source: DataView, at: number): boolean {
    let printable = -1
    let strange = 0
    const target = this.target
    let to = this.written
    for (let p = at; p < at + FULL_CHARS; p += 4) {
      const four = source.getInt32(p)
      // In 0x20…0x60, bit 5 or bit 6 is set. Both bits are set only in a backtick, whose lower bits are all clear. Bit
      // 7 is never set.
      printable &= four | (four << 1)
      strange |= (four & (four << 1) & (((four & 0x1f1f1f1f) + 0x1f1f1f1f) << 1) & 0x40404040) | (four & 0x80808080)
      if (this.measure) continue
      const six = (four - 0x20202020) & 0x3f3f3f3f
      const twelve = (six & 0x3f003f) | ((six & 0x3f003f00) >>> 2)
      // The next group overwrites the fourth byte written here.
      target.setInt32(to, ((twelve & 0xfff0000) << 4) | ((twelve & 0xfff) << 8))
      to += 3
    }
    if ((printable & 0x40404040) !== 0x40404040 || strange !== 0) return false
    this.size += FULL_BYTES
    this.written = to
    return true
  }

  private line(bytes: Buffer, from: number, to: number): void {
    if (from === to || this.ended) return
    if (!this.begun) {
      this.begun = bytes.subarray(from, from + 6).toString('latin1') === 'begin '
      return
    }
    const first = bytes[from]!
    if (first === 0x65 && bytes.subarray(from, to).toString('latin1').trimEnd() === 'end') {
      this.ended = true
      return
    }
    if (first < SPACE || first > BACKTICK) {
      this.badLines++
      return
    }
    const count = (first - SPACE) & 63
    // Mail doubles a dot at the start of a line. So a line of 14 bytes, which begins with a dot, then has one character
    // too many (0001213900-21-035033).
    const dots = first === DOT && bytes[from + 1] === DOT && to - from === 2 + DOT_CHARS ? 1 : 0
    this.size += count
    let bad = false
    // Trimmed blanks are zeros: each line is padded to its declared length.
    const sextet = (p: number) => {
      const byte = p < to ? bytes[p]! : SPACE
      if (byte < SPACE || byte > BACKTICK) bad = true
      return (byte - SPACE) & 63
    }
    for (let done = 0, p = from + 1 + dots; done < count; done += 3, p += 4) {
      const group = (sextet(p) << 18) | (sextet(p + 1) << 12) | (sextet(p + 2) << 6) | sextet(p + 3)
      if (this.measure) continue
      for (let k = 0; k < Math.min(3, count - done); k++) this.output[this.written++] = group >>> (16 - 8 * k)
    }
    if (bad) this.badLines++
  }
}
