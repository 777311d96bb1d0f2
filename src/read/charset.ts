/**
 * Decides which encoding bytes are in. First the bytes themselves are examined. The declared name counts only if the
 * bytes do not show the encoding.
 */
import { Buffer, isAscii, isUtf8 } from 'node:buffer'

/**
 * How bytes are read: as UTF-8 with a table for all bytes that are not valid UTF-8, as UTF-16, or with the decoder of a
 * multi-byte encoding.
 */
export type Charset =
  | { kind: 'bytes'; table: Table | null }
  | { kind: 'utf-16'; isBig: boolean }
  | { kind: 'other'; decoder: TextDecoder }

/** An encoding with one byte per character. */
export interface Table {
  name: string
  /** The characters for the bytes from 0x80 on. */
  high: string
  /**
   * Whether the letters of the encoding are Latin. In Latin script, no word has "Â" or "Ã" before a punctuation mark or
   * symbol, so two bytes that would give these characters are UTF-8.
   */
  isLatin: boolean
  /** Whether 0x80 to 0x9F are control characters in this encoding. Real text never has any. */
  hasControls: boolean
}

/** Windows-1252 from 0x80 to 0x9F. The five unassigned bytes are decoded to their own code. */
const C1 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const LATIN_1 = Buffer.from(Array.from({ length: 96 }, (_, n) => 0xa0 + n)).toString('latin1')

/** If ISO-8859-1 is declared, the whole text is read as cp1252, since filers never mean control characters. */
const CP1252: Table = { name: 'windows-1252', high: C1 + LATIN_1, isLatin: true, hasControls: false }

const UTF_16 = /^(?:utf16|ucs2|ucs4|utf32|iso10646|cs(?:ucs|unicode)|unicode)/
const UTF_8 = /^(?:utf8|usascii|ascii|ansix34|iso646us)/
const NOT_LATIN = /^(?:iso-8859-(?:5|6|7|8|11)|windows-(?:874|1251|1253|1255|1256)|koi8|x-mac-cyrillic|ibm866)/

/** The parts of ISO 8859, in the order of their numbers as Latin alphabets. */
const LATIN = [1, 2, 3, 4, 9, 10, 13, 14, 15, 16]

/** Returns the name in the spelling of WHATWG: `iso-8859-2` for `ISO 8859_2` or `Latin2`. */
function labelOf(declared: string): string {
  const name = declared.toLowerCase().replace(/[^a-z0-9]/g, '')
  const part = /^(?:iso|is0)?8859(\d{1,2})$/.exec(name)?.[1]
  if (part) return `iso-8859-${Number(part)}`
  const latin = /^l(?:atin)?(\d{1,2})$/.exec(name)?.[1]
  if (latin && LATIN[Number(latin) - 1]) return `iso-8859-${LATIN[Number(latin) - 1]}`
  const page = /^(?:x?cp|win(?:dows)?|ansi|ms)?(125[0-8]|874)$/.exec(name)?.[1]
  if (page) return `windows-${page}`
  if (/^(?:x?mac(?:intosh|roman)?|macosroman)$/.test(name)) return 'macintosh'
  return declared.trim().toLowerCase()
}

const tables = new Map<string, Table>()

/** Returns the table of a single-byte encoding; null for any other encoding. */
function tableOf(label: string, decoder: TextDecoder): Table | null {
  const known = tables.get(label)
  if (known) return known
  const bytes = Buffer.from(Array.from({ length: 128 }, (_, n) => 0x80 + n))
  const each = [...bytes].map((byte) => decoder.decode(Buffer.of(byte)))
  if (each.some((text) => text.length > 1)) return null
  // A multi-byte encoding has no character for most of these bytes if they stand alone, so it has no table.
  if (each.filter((text) => text === '' || text === '\ufffd').length > 64) return null
  const hasControls = /^iso-8859-/.test(decoder.encoding) && each.slice(0, 32).every((text) => /[\x80-\x9f]/.test(text))
  const high = each
    // At 0x80 to 0x9f, where such an encoding has control characters, filers mean the characters of cp1252. All
    // encodings of the family of cp1252 have the same quotes, bullet and dashes at 0x91 to 0x97.
    .map((text, at) =>
      hasControls && at < 32 ? C1[at]! : text === '\ufffd' || text === '' ? String.fromCharCode(0x80 + at) : text,
    )
    .join('')
  const table = { name: decoder.encoding, high, isLatin: !NOT_LATIN.test(decoder.encoding), hasControls }
  tables.set(label, table)
  return table
}

/** How a document is read, and whether its declared encoding can be right. */
export interface Decision {
  charset: Charset
  /** The encoding as the document declares it; null if it declares none. */
  declared: string | null
  /** Whether the first bytes already contradict the declaration. */
  isOverruled: boolean
  /** Number of bytes to skip: the length of a byte order mark that is wrong. */
  skip: number
}

const WIDE = { little: Buffer.from([0xff, 0xfe]), big: Buffer.from([0xfe, 0xff]) }

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Returns the byte order if the bytes are UTF-16; null if they are not. */
export function wideOf(bytes: Buffer): 'little' | 'big' | null {
  const marked = WIDE.little.equals(bytes.subarray(0, 2))
    ? 'little'
    : WIDE.big.equals(bytes.subarray(0, 2))
      ? 'big'
      : null
  const head = bytes.subarray(marked ? 2 : 0, 1_024)
  if (marked) {
    // If the byte order mark is wrong, the text after the mark is plain: it has no NUL, and hardly any byte above
    // ASCII.
    const high = head.filter((byte) => byte >= 0x80 || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13)).length
    return head.length > 0 && high * 4 < head.length && !head.includes(0) ? null : marked
  }
  if (head.length < 4) return null
  const [a, b, c, d] = head
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'little'
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return 'big'
  return null
}

/** Whether the bytes are UTF-32, which is not supported. */
export const isUtf32 = (bytes: Buffer) =>
  bytes.length > 3 &&
  ((bytes[0] === 0xff && bytes[1] === 0xfe && bytes[2] === 0 && bytes[3] === 0) ||
    (bytes[0] === 0x3c && bytes[1] === 0 && bytes[2] === 0 && bytes[3] === 0) ||
    (bytes[0] === 0 && bytes[1] === 0 && (bytes[2] === 0xfe || (bytes[2] === 0 && bytes[3] !== 0))))

/**
 * Decides from the first bytes of a document how it is read.
 *
 * @param declared the encoding that the document names; null if it names none
 */
export function decide(bytes: Buffer, declared: string | null): Decision {
  const name = declared?.toLowerCase().replace(/[^a-z0-9]/g, '') ?? ''
  const wide = wideOf(bytes)
  if (wide) {
    const isOverruled = declared !== null && (!UTF_16.test(name) || name.endsWith(wide === 'big' ? 'le' : 'be'))
    return { charset: { kind: 'utf-16', isBig: wide === 'big' }, declared, isOverruled, skip: 0 }
  }
  const skip =
    bytes.length > 1 && (WIDE.little.equals(bytes.subarray(0, 2)) || WIDE.big.equals(bytes.subarray(0, 2))) ? 2 : 0
  const plain: Charset = { kind: 'bytes', table: null }
  // Only UTF-8 text begins with this mark.
  if (MARK.equals(bytes.subarray(0, 3)))
    return { charset: plain, declared, isOverruled: declared !== null && !UTF_8.test(name), skip }
  if (declared === null || UTF_8.test(name)) return { charset: plain, declared, isOverruled: skip > 0, skip }
  if (UTF_16.test(name)) return { charset: plain, declared, isOverruled: true, skip }
  const label = labelOf(declared)
  if (/^(?:iso-8859-1|windows-1252)$/.test(label)) {
    return { charset: { kind: 'bytes', table: CP1252 }, declared, isOverruled: skip > 0, skip }
  }
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(label)
  } catch {
    return { charset: plain, declared, isOverruled: skip > 0, skip }
  }
  // These declared encodings cannot be used: "unicode" and similar names; encodings for which a browser shows nothing;
  // encodings of private characters.
  if (decoder.encoding.startsWith('utf-')) {
    return { charset: plain, declared, isOverruled: skip > 0 || decoder.encoding !== 'utf-8', skip }
  }
  if (/^(?:replacement|x-user-defined)$/.test(decoder.encoding))
    return { charset: plain, declared, isOverruled: skip > 0, skip }
  const table = tableOf(label, decoder)
  const charset: Charset = table ? { kind: 'bytes', table } : { kind: 'other', decoder }
  return { charset, declared, isOverruled: skip > 0, skip }
}

/** Whether the first bytes above ASCII can be text in the declared multi-byte encoding. */
export function canBe(bytes: Buffer, { encoding }: TextDecoder): boolean {
  let end = bytes.length
  // A UTF-8 sequence at the end may be completed by the next piece.
  while (end > 0 && bytes.length - end < 3 && bytes[end - 1]! >= 0x80) end--
  if (isUtf8(bytes) || (end > 0 && !isAscii(bytes.subarray(0, end)) && isUtf8(bytes.subarray(0, end)))) return false
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Returns the length in bytes of the UTF-8 sequence that begins here; 1 if none begins here. */
export function sequence(bytes: Buffer, at: number): number {
  const length = sequenceLength(bytes[at]!)
  return length > 1 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 1
}

export function sequenceLength(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
}

/** A range of bytes that is decoded in one way. */
export interface Part {
  from: number
  to: number
  isUtf8: boolean
}

/**
 * Splits the bytes into ranges. Without a table, each valid UTF-8 sequence is read as UTF-8. With a table, a run of
 * bytes above ASCII is read as UTF-8 on two conditions: the whole run is valid UTF-8, and it is unlikely as text of the
 * declared encoding. The second condition is needed because text of the declared encoding can be valid UTF-8 too, such
 * as the bytes of "É®".
 */
export function* partsOf(bytes: Buffer, table: Table | null): Generator<Part> {
  let from = 0
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at]! < 0x80) {
      at++
      continue
    }
    const end = table === null ? at + sequence(bytes, at) : endOfRun(bytes, at)
    const wide =
      table === null
        ? end - at > 1
        : isSurely(bytes.subarray(at, end), table, isLetter(bytes[at - 1]) || isLetter(bytes[end]))
    if (wide) {
      if (at > from) yield { from, to: at, isUtf8: false }
      yield { from: at, to: end, isUtf8: true }
      from = end
    }
    at = end
  }
  if (from < bytes.length) yield { from, to: bytes.length, isUtf8: false }
}

function endOfRun(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at]! >= 0x80) at++
  return at
}

export const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte > 64 && byte < 91) || (byte > 96 && byte < 123))

/**
 * Whether a run of bytes above ASCII is valid UTF-8, and is unlikely as text in the table's encoding.
 *
 * @param isInWord whether an ASCII letter is next to the run; a word in another script contains no ASCII letters
 */
export function isSurely(run: Buffer, { isLatin, hasControls }: Table, isInWord: boolean): boolean {
  if (!isUtf8(run)) return false
  const [lead, second] = run
  if (run.length > 2) return true
  if (hasControls && second! < 0xa0) return true
  return isLatin ? lead! <= 0xc5 : isInWord
}

/** Decodes bytes by a table; without a table, decodes them as windows-1252. */
export function singleByte(bytes: Buffer, table: Table | null): string {
  const latin1 = bytes.toString('latin1')
  if (isAscii(bytes)) return latin1
  const { high } = table ?? CP1252
  return latin1.replace(/[\x80-\xff]/g, (unit) => high[unit.charCodeAt(0) - 0x80]!)
}

/**
 * Corrects text that was decoded as latin1. TextDecoder cannot do this: some versions of Node leave the bytes 0x80 to
 * 0x9F unchanged.
 */
export function cp1252(latin1: string): string {
  return latin1.replace(/[\x80-\x9f]/g, (unit) => C1[unit.charCodeAt(0) - 0x80]!)
}

/** Decodes UTF-16; unpaired surrogates become U+FFFD. */
export function wideText(bytes: Buffer, isBig: boolean): string {
  const even = bytes.subarray(0, bytes.length & ~1)
  return (isBig ? Buffer.from(even).swap16() : even).toString('utf16le').toWellFormed()
}
