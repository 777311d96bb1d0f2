/** Decides the format of a document from its bytes, without its name and type, which may both be wrong. */
import { mediaType } from './sgml/media.ts'

export type Kind = 'html' | 'text' | 'pdf' | 'xml' | 'image' | 'other'

/** Number of bytes that are examined. */
export const HEAD = 8_192

/**
 * Elements with which HTML fragments begin. The tags of old text filings (TABLE, PAGE, CAPTION) are not among these
 * tags.
 */
const HTML_FIRST =
  /^(?:html|head|title|meta|style|script|body|p|div|span|font|center|b|i|u|em|strong|a|img|hr|br|h[1-6]|ul|ol|li|pre|form|section|article|main|header|footer)$/
/**
 * Tags that are signs of HTML in a text that begins otherwise. A single tag of these may also occur in plain text, so
 * `HTML_TAGS` of them are needed.
 */
const HTML_TAG = /<(?:\/?(?:html|body|p|div|font|span|tr|td|center)|br|hr)\b[^<>]*>/gi
const HTML_TAGS = 4

/** @param head the first bytes, decoded as the submission states, and without EDGAR's tags around them */
export function sniff(head: Uint8Array): Kind {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, HEAD))
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const text = isUtf16 ? bytes.toString('latin1').replaceAll('\0', '').slice(2) : bytes.toString('latin1')
  const [type = ''] = isUtf16 ? ['text/plain'] : mediaType(bytes, null).split(';')
  // Some PDFs begin with line ends or a byte order mark; PDF readers allow a kilobyte before the header.
  if (type === 'application/pdf' || text.slice(0, 1_024).includes('%PDF-')) return 'pdf'
  if (type.startsWith('image/')) return 'image'
  if (type === 'text/html') return 'html'
  if (type !== 'text/plain' && type !== 'application/xml') return 'other'
  return markup(text)
}

/** Returns the kind of a text: an HTML fragment, XML without a declaration, or plain text. */
function markup(text: string): Kind {
  const { name, declared } = firstElement(text)
  if (name === 'svg') return 'image'
  if (name !== null && !declared && HTML_FIRST.test(name)) return 'html'
  if (countOf(text, HTML_TAG, HTML_TAGS) >= HTML_TAGS) return 'html'
  if (declared) return 'xml'
  // Old text filings (PAGE, TABLE, S, C) and financial data schedules (EX-27) have tags too. Some of them have end
  // tags. So a text without a declaration is XML only if its first element declares a namespace.
  return /^\s*<[\w.:-]+(?:\s[^>]*)?\sxmlns[:=]/.test(text) ? 'xml' : 'text'
}

/** Returns the local name of the first element, and whether an XML declaration precedes it. */
function firstElement(text: string): { name: string | null; declared: boolean } {
  let rest = text.replace(/^(?:\xef\xbb\xbf)?\s*/, '')
  const declared = rest.startsWith('<?xml')
  // Skips one comment or declaration at a time: a single expression for all takes exponential time on a row of
  // comments.
  for (let before = ''; rest !== before; ) {
    before = rest
    rest = rest.replace(/^(?:\s+|<\?[^>]*>|<!--[\s\S]*?-->|<![A-Za-z][^>]*>)/, '')
  }
  const name = /^<(?:[A-Za-z][\w.-]*:)?([A-Za-z][\w.-]*)/.exec(rest)?.[1]?.toLowerCase() ?? null
  return { name, declared }
}

/** Counts the matches, up to `max`. */
function countOf(text: string, pattern: RegExp, max: number): number {
  let count = 0
  for (const _ of text.matchAll(pattern)) if (++count === max) break
  return count
}
