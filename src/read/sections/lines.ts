/** Lines of Markdown, as text that people read, with what sets them apart. */
import type { Markdown } from '../made-markdown.ts'

export interface Line {
  start: number
  /** Where the next line begins. */
  next: number
  /** Without signs of Markdown; cells of a row with blanks between. */
  plain: string
  isHeading: boolean
  isBold: boolean
  /** A row of a table, or a line of one that is kept as it was set. */
  isRow: boolean
  /** It is, or holds, a link within the document. */
  isLink: boolean
}

/** The heading after which a form has no more items. */
export const SIGNATURES = /^signatures?\.?$/i

/** What goes on like this speaks of an item: "Item 8 of this Form", "Items 1 and 2 above". */
export const REFERENCE =
  /^(?:of|to|in|and|or|above|below|hereof|herein|on|is|are|was|were|has|for|under|which|that|shall|the|as|by|;|,)\b/

/** A shorter text may be that of another line of a list. */
const LONG = 200

/** How sure a section is: `confidence` of `Section` says what adds up. @param length of its text, in UTF-16 units */
export function confidenceOf(section: { isSet: boolean; isTitled: boolean; length: number }): number {
  const hundredths = 35 + (section.isSet ? 25 : 0) + (section.isTitled ? 30 : 0) + (section.length > LONG ? 10 : 0)
  return hundredths / 100
}

/** What is longer is a paragraph, of which the beginning is looked at. */
const LOOK = 300

/** Lines that are not empty. */
export function* linesOf({ text, headings }: Markdown): Generator<Line> {
  const starts = new Set(headings.map(({ start }) => start))
  let isFence = false
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    const next = end < 0 ? text.length : end + 1
    const raw = text.slice(start, Math.min(next, start + LOOK)).trim()
    if (/^`{3,}$/.test(raw)) isFence = !isFence
    else if (raw !== '' && !/^\|[\s|:-]*\|$/.test(raw)) {
      yield {
        start,
        next,
        plain: plainOf(raw),
        isHeading: starts.has(start),
        isBold: /^\*\*.*\*\*/.test(raw),
        isRow: isFence || raw.startsWith('|'),
        isLink: raw.includes('](#'),
      }
    }
    start = next
  }
}

const plainOf = (raw: string): string =>
  raw
    .replace(/^(?:#{1,6}|[-*+]|>)\s+/, '')
    .replace(/\]\([^()]*\)/g, '')
    .replace(/[|[\]*`]/g, ' ')
    .replace(/\\(.)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
