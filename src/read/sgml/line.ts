/** One line of EDGAR's SGML: `KEY:  value`, `<KEY>value`, `</KEY>`. */

export interface SgmlLine {
  /** `</KEY>` */
  close: boolean
  /**
   * The key in upper case, with one space between words: `<STATE-OF-INCORPORATION>` and `STATE OF INCORPORATION:` are
   * the same key.
   */
  key: string
  /** Trimmed, with references decoded; empty if there is none. */
  value: string
}

/** @returns null for a line of any other form */
export function readLine(line: string): SgmlLine | null {
  const tag = /^\s*<(\/?)([A-Z0-9][A-Z0-9_-]*)>(.*)$/.exec(line)
  const match = tag ?? /^\s*()([A-Z0-9][A-Z0-9 .&_/-]*):(.*)$/.exec(line)
  if (!match) return null
  const [, slash, key, value] = match as unknown as [string, string, string, string]
  return { close: slash === '/', key: key.replace(/[-_\s]+/g, ' ').trim(), value: decodeReferences(value.trim()) }
}

/** Splits a header into lines, which may end in LF, CR LF or, in `.nc` files, a bare CR. */
export const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/)

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const CP1252 = new TextDecoder('windows-1252')

/**
 * Decodes the bytes of a header. The format forbids bytes above 0x7f; they are read as cp1252, as numeric character
 * references are.
 */
export const decodeHeader = (bytes: Uint8Array): string => CP1252.decode(bytes)

/**
 * Decodes `&amp;` (also in capitals), `&#38;` and `&#x26;`. Numbers 128 to 159 are cp1252: `&#146;` is ’. Any other
 * text stays as it is.
 */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,4}));/g, (given, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? given
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    if (code >= 0x80 && code < 0xa0) return CP1252.decode(Uint8Array.of(code))
    const printable = code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return printable ? String.fromCodePoint(code) : given
  })
}
