/** Turns bytes into text: UTF-8 where valid, else cp1252. */
import { Buffer, isAscii, isUtf8 } from 'node:buffer'
import { XmlError } from './xml/error.ts'

/** The XML declaration must lie in these first bytes. */
const HEAD = 1_024
export const NOTHING = Buffer.alloc(0)

/**
 * Makes text out of bytes, whatever pieces they come in. Valid UTF-8 is read as that, every other byte as cp1252. So a
 * file in either is read right, and so is one pasted together of both. A declared ISO-8859-1 is cp1252 throughout.
 */
export class Source {
  /**
   * Line ends that were skipped before the text returned last. XML allows nothing before its declaration, but documents
   * that were cut out have line ends there.
   */
  skipped = 0
  #text = ''
  /** The bytes that the text was decoded from; null when it came as a string. */
  #bytes: Buffer | null = null
  /** Where the text begins: in the source, and among all text returned so far. */
  #offset = 0
  #units = 0
  /** How long the text is in the source. */
  #length = 0
  #rest = NOTHING
  #encoding: 'utf-8' | 'cp1252' | null = null

  /** The text of these bytes. If they are not the last, bytes of an incomplete character wait for the next piece. */
  next(piece: string | Uint8Array, last = false): string {
    this.#units += this.#text.length
    this.#offset += this.#length
    this.skipped = 0
    if (typeof piece === 'string') {
      this.#bytes = null
      this.#text = piece.slice(this.#skip(piece))
      this.#length = this.#text.length
      return this.#text
    }
    this.#length = 0
    this.#text = ''
    // Nothing is left at the end of nearly every document, and the rest of this would take half a microsecond.
    if (piece.length + this.#rest.length === 0) return ''
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : view(piece)
    let kept = 0
    if (this.#encoding === null && (last || bytes.length >= HEAD)) {
      const head = bytes.toString('latin1', 0, HEAD)
      const begin = this.#skip(head)
      if (begin > 0) bytes = bytes.subarray(begin)
      this.#encoding = encodingOf(head)
    }
    if (this.#encoding !== null) kept = bytes.length - (last || this.#encoding === 'cp1252' ? 0 : unfinished(bytes))
    this.#rest = kept < bytes.length ? Buffer.from(bytes.subarray(kept)) : NOTHING
    this.#bytes = kept < bytes.length ? bytes.subarray(0, kept) : bytes
    this.#length = kept
    this.#text = this.#encoding === 'cp1252' ? singleByte(this.#bytes) : mixedText(this.#bytes)
    return this.#text
  }

  /** Offset in the source of a position in the text returned so far. */
  offset(position: number): number {
    const units = Math.min(Math.max(position - this.#units, 0), this.#text.length)
    if (this.#bytes === null || this.#encoding === 'cp1252') return this.#offset + units
    let at = 0
    for (let seen = 0; seen < units; ) {
      const length = sequence(this.#bytes, at)
      at += length
      seen += length === 4 ? 2 : 1
    }
    return this.#offset + at
  }

  #skip(head: string): number {
    const lead = /^(?:[ \t\r\n]|\xef\xbb\xbf|\ufeff)*/.exec(head)![0]
    this.skipped = lead.match(/\r\n?|\n/g)?.length ?? 0
    this.#offset += lead.length
    return lead.length
  }
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function encodingOf(head: string): 'utf-8' | 'cp1252' {
  if (/^(?:\xfe\xff|\xff\xfe|<?\0)/.test(head)) throw new XmlError('UTF-16 and UTF-32 are not read', 1, 1, 1)
  const [, declared = 'utf-8'] = /^[^<]*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)/.exec(head) ?? []
  if (/^(utf-?8|us-ascii|ascii)$/i.test(declared)) return 'utf-8'
  if (/^(iso-?8859-1|latin-?1|(windows|cp)-?1252)$/i.test(declared)) return 'cp1252'
  throw new XmlError(`the encoding ${declared} is not read`, 1, 1, 1)
}

/** Windows-1252 from 0x80 to 0x9F. The five unassigned ones stand for themselves. */
const C1 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** Corrects latin1 text. TextDecoder will not do: on some versions of Node it leaves 0x80 to 0x9F as they are. */
export function cp1252(latin1: string): string {
  return latin1.replace(/[\x80-\x9f]/g, (unit) => C1[unit.charCodeAt(0) - 0x80]!)
}

/** Asks first whether there can be anything to correct: 0.5 µs for 64 KB, and 20 µs to look for it. */
function singleByte(bytes: Buffer): string {
  const latin1 = bytes.toString('latin1')
  return isAscii(bytes) ? latin1 : cp1252(latin1)
}

/** Text in which every valid UTF-8 sequence is read as that, and every other byte as cp1252. */
export function mixedText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  let text = ''
  let from = 0
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at]! < 0x80 ? 1 : sequence(bytes, at)
    if (length > 1) {
      text += cp1252(bytes.toString('latin1', from, at)) + bytes.toString('utf8', at, at + length)
      from = at + length
    }
    at += length
  }
  return text + cp1252(bytes.toString('latin1', from))
}

/**
 * Text of a whole document, whatever it says of its encoding: that lies as often as not. UTF-16 is known by its mark, UTF-8
 * by being valid, sequence by sequence; every other byte is cp1252.
 */
export function textOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2)
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(2, bytes.length & ~1))
      .swap16()
      .toString('utf16le')
  const text = mixedText(bytes)
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** How many bytes the UTF-8 sequence has that begins here; 1 for a byte that begins none. */
function sequence(bytes: Buffer, at: number): number {
  const length = sequenceLength(bytes[at]!)
  return length > 1 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 1
}

function sequenceLength(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
}

/** How many bytes at the end begin a UTF-8 sequence that the next piece may complete. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}
