/** Text of HTML as people see it: references decoded, blanks collapsed, what has no width left out. */
import { decodeHTML } from 'entities/decode'

const REFERENCE = /&(?:#[xX]?[0-9a-fA-F]{1,10}|[a-zA-Z][a-zA-Z0-9]{1,40});?/g

/** The same few references make up nearly all of a filing. */
const known = new Map<string, string>()
const KNOWN_MAX = 1000

/**
 * Decodes character references. Numbers 128 to 159 stand for cp1252, as browsers read them and as filings of two decades
 * mean them: `&#146;` is ’.
 */
export function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (reference) => {
    const before = known.get(reference)
    if (before !== undefined) return before
    const found = decodeHTML(reference)
    if (known.size < KNOWN_MAX) known.set(reference, found)
    return found
  })
}

/** Soft hyphens, joiners, marks of direction, controls; and the sign that stands for an image in a paragraph. */
const WIDTHLESS = /[\0-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufffc]/g
const NEEDS_WORK = /[^ -~\xa1-\xac\xae-\u0600\u2010-\u2027\u2030-\u205e\u2070-\u2fff]| {2}/

/** Every run of blanks as one blank. Blanks at both ends stay, as one. */
export function collapsed(text: string): string {
  if (!NEEDS_WORK.test(text)) return text
  return text.replace(WIDTHLESS, '').replace(/\s+/g, ' ')
}

/** Text between `<pre>` and `</pre>`: blanks stay as they are. */
export function preserved(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(WIDTHLESS, '')
    .replace(/[^\S\n\t]/g, ' ')
}
