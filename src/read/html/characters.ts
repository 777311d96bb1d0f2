/**
 * Returns the text of HTML as people see it: with references decoded, blanks collapsed, and characters without width
 * left out.
 */
import { decodeHTML } from 'entities/decode'

/** Maximum length of a reference: the length of the longest name, `CounterClockwiseContourIntegral`, plus a margin. */
const REFERENCE_MAX = 40
const REFERENCE = /&(?:#[xX]?[0-9a-fA-F]{1,10}|[a-zA-Z][a-zA-Z0-9]{1,40});?/g
const UNENDED = new RegExp(REFERENCE.source, 'y')

/** The decoded references. They are cached, since nearly all references of a filing are the same few references. */
const known = new Map<string, string>()
const KNOWN_MAX = 1000

/**
 * Decodes character references. Numbers 128 to 159 are read as cp1252, as browsers read them and as filers of two
 * decades meant them: `&#146;` is ’.
 */
export function decoded(text: string): string {
  let at = text.indexOf('&')
  if (at < 0) return text
  let out = ''
  let kept = 0
  let end = -1
  for (; at >= 0; at = text.indexOf('&', at + 1)) {
    // Searching again for a semicolon that is far away would take quadratic time.
    if (end < at) end = text.indexOf(';', at)
    // If the rest of the text has no semicolon, a slow decoder decodes it. This decoder follows the browsers' rules for
    // references without a semicolon. Such references are rare.
    if (end < 0) return out + decodedSlowly(text.slice(kept))
    const isFar = end - at > REFERENCE_MAX
    const reference = isFar ? unendedAt(text, at) : text.slice(at, end + 1)
    if (reference === '') continue
    const shown = known.get(reference) ?? remember(reference)
    out += text.slice(kept, at) + shown
    kept = at + reference.length
    at = kept - 1
  }
  return out + text.slice(kept)
}

/** Returns what may be a reference without a semicolon at a position, such as `&amp` in `AT&amp T`; else an empty text. */
function unendedAt(text: string, at: number): string {
  UNENDED.lastIndex = at
  return UNENDED.exec(text)?.[0] ?? ''
}

/** @param reference from `&` to the next semicolon, with any text between, or without a semicolon */
function remember(reference: string): string {
  const found = decodedSlowly(reference)
  if (known.size < KNOWN_MAX) known.set(reference, found)
  return found
}

const decodedSlowly = (text: string) => text.replace(REFERENCE, (reference) => decodeHTML(reference))

/**
 * Matches soft hyphens, joiners, direction marks, control characters, and the character that marks an image in a
 * paragraph.
 */
const WIDTHLESS = /[\0-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufffc]/g
const UNUSUAL = /[^ -~]| {2}/
/**
 * Matches characters that may be without width. It does not match quotes, dashes and letters, which are nearly all
 * characters above ASCII.
 */
const SPECIAL = /[^\n -~\xa1-\xac\xae-\u0600\u2010-\u2027\u2030-\u205e\u2070-\u2fff]/

/**
 * Matches runs of blanks that must be replaced. A single space stays as it is, and nearly all blanks are single spaces.
 */
const BLANKS = /[^\S ]\s*| \s+/g

/** Replaces every run of blanks by one blank. Leading and trailing blanks are kept too, as one blank at each end. */
export function collapsed(text: string): string {
  if (!UNUSUAL.test(text)) return text
  return (SPECIAL.test(text) ? text.replace(WIDTHLESS, '') : text).replace(BLANKS, ' ')
}

/** Returns text between `<pre>` and `</pre>`, whose blanks are kept unchanged. */
export function preserved(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(WIDTHLESS, '')
    .replace(/[^\S\n\t]/g, ' ')
}
