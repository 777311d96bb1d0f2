/**
 * Converts bytes to text: as UTF-8 if they are valid UTF-8, else in the declared encoding, else as cp1252. charset.ts
 * decides which encoding is used.
 */
import { Buffer, isAscii, isUtf8 } from 'node:buffer'
import {
  canBe,
  type Decision,
  decide,
  isLetter,
  isSurely,
  isUtf32,
  partsOf,
  sequence,
  sequenceLength,
  singleByte,
  type Table,
  wideOf,
  wideText,
} from './charset.ts'
import { XmlError } from './xml/error.ts'

export { cp1252 } from './charset.ts'

/** Number of bytes at the start of a document in which the XML declaration must be. */
const HEAD = 1_024
/** Longest run of bytes above ASCII that is read together; even a long Greek word has only a hundred bytes. */
const RUN_MAX = 1_024
export const NOTHING = Buffer.alloc(0)

/**
 * Converts bytes to text, however the bytes are split into pieces. The bytes decide: valid UTF-8 is read as UTF-8, and
 * UTF-16 is recognised by its NULs. All other bytes are read in the declared encoding, or as cp1252 if the declaration
 * is missing or impossible. So a file in UTF-8 or in its declared encoding is read correctly, and so is a file that
 * mixes both.
 */
export class Source {
  /**
   * Number of line ends that were skipped before the most recently returned text. XML allows nothing before its
   * declaration, but documents that were cut out of a larger file have line ends there.
   */
  skipped = 0
  #text = ''
  /** The bytes from which the current text was decoded; null if the text was given as a string. */
  #bytes: Buffer | null = null
  /**
   * Start of the current text: `#offset` counts bytes in the source, `#units` counts units of all text returned so far.
   */
  #offset = 0
  #units = 0
  /** Length of the current text in the source. */
  #length = 0
  #rest = NOTHING
  #decision: Decision | null = null
  /** Whether the source has bytes that are impossible in the declared encoding. */
  #contradicted = false
  #isBelieved = false

  /**
   * The encoding that the bytes contradict: the declared encoding, or the name of a wrong byte order mark. Null if the
   * bytes contradict neither.
   */
  get overruled(): string | null {
    const { declared = null, isOverruled = false } = this.#decision ?? {}
    return isOverruled || this.#contradicted ? (declared ?? 'a byte order mark of UTF-16') : null
  }

  /**
   * Decodes a piece. If a piece is not the last piece, the bytes of an incomplete character at its end wait for the
   * next piece.
   */
  next(piece: string | Uint8Array, last = false): string {
    this.#units += this.#text.length
    this.#offset += this.#length
    this.skipped = 0
    if (typeof piece === 'string') {
      this.#bytes = null
      this.#text = piece.slice(this.#skip(piece, 1))
      this.#length = this.#text.length
      return this.#text
    }
    this.#length = 0
    this.#text = ''
    // A shortcut: at the end of nearly every document no bytes are left over, and the steps below would take half a
    // microsecond.
    if (piece.length + this.#rest.length === 0) return ''
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : view(piece)
    if (this.#decision === null) {
      if (!last && bytes.length < HEAD) {
        this.#rest = Buffer.from(bytes)
        return ''
      }
      bytes = this.#begin(bytes)
    }
    this.#doubt(bytes)
    const kept = bytes.length - (last ? 0 : unfinished(bytes, this.#decision!))
    this.#rest = kept < bytes.length ? Buffer.from(bytes.subarray(kept)) : NOTHING
    this.#bytes = kept < bytes.length ? bytes.subarray(0, kept) : bytes
    this.#length = kept
    this.#text = this.#decoded(this.#bytes, last)
    return this.#text
  }

  /** Decides how the document is read. @returns the bytes from the beginning of the text */
  #begin(bytes: Buffer): Buffer {
    if (isUtf32(bytes)) throw new XmlError('UTF-32 is not read', 1, 1, 1)
    const wide = wideOf(bytes)
    const head = wide ? wideText(bytes.subarray(0, HEAD), wide === 'big') : bytes.toString('latin1', 0, HEAD)
    this.#decision = decide(bytes, declaredIn(head))
    const { skip } = this.#decision
    this.#offset += skip
    const lead = this.#skip(head.slice(skip), wide ? 2 : 1)
    return skip + lead > 0 ? bytes.subarray(skip + lead * (wide ? 2 : 1)) : bytes
  }

  /** Tests the first bytes above ASCII against the declared multi-byte encoding. */
  #doubt(bytes: Buffer): void {
    const { charset } = this.#decision!
    if (charset.kind !== 'other' || this.#isBelieved || isAscii(bytes)) return
    this.#isBelieved = canBe(bytes, charset.decoder)
    if (this.#isBelieved) return
    this.#contradicted = true
    this.#decision = { ...this.#decision!, charset: { kind: 'bytes', table: null } }
  }

  #decoded(bytes: Buffer, last: boolean): string {
    const { charset, declared } = this.#decision!
    if (charset.kind === 'utf-16') return wideText(bytes, charset.isBig)
    if (charset.kind === 'other') return charset.decoder.decode(bytes, { stream: !last })
    if (isAscii(bytes)) return bytes.toString('latin1')
    if (charset.table === null && isUtf8(bytes)) return bytes.toString('utf8')
    const { text, parts } = byTable(bytes, charset.table)
    // A table can decode every byte, so only valid UTF-8 contradicts a declared encoding that has a table. A byte that
    // is not UTF-8 contradicts declared UTF-8.
    this.#contradicted ||= declared !== null && (charset.table ? parts.utf8 : parts.single)
    return text
  }

  /** Offset in the source of a position in the text returned so far. */
  offset(position: number): number {
    const units = Math.min(Math.max(position - this.#units, 0), this.#text.length)
    const charset = this.#decision?.charset
    if (this.#bytes === null || !charset) return this.#offset + units
    if (charset.kind === 'utf-16') return this.#offset + 2 * units
    if (charset.kind === 'other') return this.#offset + Math.min(units, this.#bytes.length)
    return this.#offset + bytesOf(this.#bytes, units, charset.table)
  }

  #skip(head: string, width: number): number {
    const lead = /^(?:[ \t\r\n]|\xef\xbb\xbf|\ufeff)*/.exec(head)![0]
    this.skipped = lead.match(/\r\n?|\n/g)?.length ?? 0
    this.#offset += lead.length * width
    return lead.length
  }
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Returns the encoding that an XML declaration names; null if it names none. */
const declaredIn = (head: string): string | null =>
  /^[^<]*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)/.exec(head)?.[1] ?? null

/** Decodes bytes by a table, and reports which kinds of bytes above ASCII occurred. */
function byTable(bytes: Buffer, table: Table | null) {
  const parts = { utf8: false, single: false }
  if (table) {
    // Handles each run of bytes at once: a loop over single bytes would take ten times as long.
    const text = bytes.toString('latin1').replace(/[\x80-\xff]+/g, (latin1, at: number) => {
      const run = Buffer.from(latin1, 'latin1')
      const isWide = isSurely(run, table, isLetter(bytes[at - 1]) || isLetter(bytes[at + run.length]))
      parts[isWide ? 'utf8' : 'single'] = true
      return isWide ? run.toString('utf8') : singleByte(run, table)
    })
    return { text, parts }
  }
  let text = ''
  for (const { from, to, isUtf8: isWide } of partsOf(bytes, table)) {
    const part = bytes.subarray(from, to)
    parts[isWide ? 'utf8' : 'single'] ||= isWide || !isAscii(part)
    text += isWide ? part.toString('utf8') : singleByte(part, table)
  }
  return { text, parts }
}

/** Returns the number of bytes that the given number of UTF-16 units takes. */
function bytesOf(bytes: Buffer, units: number, table: Table | null): number {
  let seen = 0
  for (const { from, to, isUtf8: isWide } of partsOf(bytes, table)) {
    if (!isWide) {
      if (seen + to - from >= units) return from + units - seen
      seen += to - from
      continue
    }
    for (let at = from; at < to; ) {
      if (seen >= units) return at
      const length = sequence(bytes, at)
      at += length
      seen += length === 4 ? 2 : 1
    }
  }
  return bytes.length
}

/** Decodes every valid UTF-8 sequence as UTF-8, and every other byte as cp1252. */
export function mixedText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : byTable(bytes, null).text
}

/**
 * Decodes a whole document and ignores its declared encoding, which is wrong as often as it is right. UTF-16 is
 * recognised by its NULs. Each valid UTF-8 sequence is read as UTF-8, and every other byte as cp1252.
 */
export function textOf(bytes: Buffer): string {
  const { charset, skip } = decide(bytes, null)
  const text = charset.kind === 'utf-16' ? wideText(bytes, charset.isBig) : mixedText(bytes.subarray(skip))
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/**
 * Number of bytes at the end that the next piece may complete. They are the beginning of a UTF-8 sequence, of a UTF-16
 * pair, or of a run that a table decodes.
 */
function unfinished(bytes: Buffer, { charset }: Decision): number {
  if (charset.kind === 'other') return 0
  if (charset.kind === 'utf-16') {
    const odd = bytes.length & 1
    const at = bytes.length - odd - (charset.isBig ? 2 : 1)
    const isHalf = at >= 0 && (bytes[at]! & 0xfc) === 0xd8
    return odd + (isHalf ? 2 : 0)
  }
  if (charset.table) {
    let at = bytes.length
    while (at > 0 && bytes[at - 1]! >= 0x80 && bytes.length - at < RUN_MAX) at--
    // In scripts other than Latin, the letter before a run of bytes above ASCII helps to decide how the run is read. So
    // this letter waits with the run.
    const before = charset.table.isLatin || at === 0 ? 0 : 1
    return bytes.length - at === RUN_MAX ? 0 : bytes.length - at + before
  }
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}
