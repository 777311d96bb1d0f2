/** Splits Markdown into the lines that people read, and records how each line is set apart. */
import { firstIndex } from '../first-index.ts'
import type { Markdown } from '../made-markdown.ts'

export interface Line {
  start: number
  /** Offset of the next line. */
  next: number
  /** The text without Markdown signs; the cells of a row have blanks between them. */
  plain: string
  isHeading: boolean
  isBold: boolean
  /** Whether the line is a row of a table, or a line of a preformatted table. */
  isRow: boolean
  /** Whether the line is, or contains, a link within the document. */
  isLink: boolean
}

/** The heading after which a form has no further items. */
export const SIGNATURES = /^signatures?\.?$/i
/**
 * The first sentence of the signatures, whose heading may be missing (0000084581-00-500009). Other sentences begin with
 * the same words: "Pursuant to the requirements of …, we file annual reports".
 */
export const SIGNED =
  /^pursuant to the requirements of (?:section 13 or 15\s?\(d\) of )?the securities (?:and )?exchange act.{0,150}\b(?:duly caused|signed)\b/i

/** Text after a number that makes it a reference: "Item 8 of this Form", "Items 1 and 2 above". */
export const REFERENCE =
  /^(?:of|to|in|and|or|above|below|hereof|herein|on|is|are|was|were|has|for|under|which|that|shall|the|as|by|;|,)\b/

/** Matches the label of a page at the beginning of a heading: "-12- ITEM 7.", "Page 12 of 60 Item 7.", "10-K 12 ITEM 7." */
const PAGE_LABEL =
  /^(?:form\s)?(?:10-[kq](?:405)?\s)?[-–—~([|]?\s?(?:page\s|pg?\.\s?)?(?:[A-Z]{1,3}-)?(?:\d{1,3}|[ivxl]{1,6})(?:\sof\s\d{1,3})?\s?[-–—~)\]|]?\s(?=[il1]\s?t\s?e\s?ms?\s)/i

/** Returns a line without the page label before its heading. Returns null if the line has no such label. */
export function withoutPageLabel({ plain, isRow, isLink }: Line): string | null {
  const label = isRow || isLink ? null : PAGE_LABEL.exec(plain)
  return label && plain.slice(label[0].length)
}

/** Returns the index of the first line after an offset. */
export const indexAfter = (lines: readonly Line[], offset: number): number =>
  firstIndex(lines.length, (i) => lines[i]!.start > offset)

/**
 * Returns, for each heading, the offset of the next heading of another item. A heading may be repeated: at the top of
 * each page, or above each financial statement.
 */
export function endsOf<T extends { line: Line }>(
  headings: readonly T[],
  itemOf: (heading: T) => number | string | undefined,
  last: number,
): number[] {
  const ends: number[] = []
  let end = last
  for (let i = headings.length - 1; i >= 0; i--) {
    const next = headings[i + 1]
    if (next && itemOf(next) !== itemOf(headings[i]!)) end = next.line.start
    ends[i] = end
  }
  return ends
}

/** Number of characters of a line that are examined: a longer line is a paragraph. */
const LOOK = 300

/** Yields the lines that are not empty. */
export function* linesOf({ text, headings }: Markdown): Generator<Line> {
  const starts = new Set(headings.map(({ start }) => start))
  let isFence = false
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    const next = end < 0 ? text.length : end + 1
    const raw = text.slice(start, Math.min(next, start + LOOK)).trim()
    // A document may have millions of empty lines.
    if (raw === '') {
      start = next
      continue
    }
    if (/^`{3,}$/.test(raw)) isFence = !isFence
    else if (!/^\|[\s|:-]*\|$/.test(raw)) {
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
