/** Cuts an answer to the size that its reader can take. */
import { beginning } from './plain.ts'

/** One line of an answer. */
export interface Line {
  text: string
  /** The line with the names of the columns; it is repeated if an answer continues within a table. */
  head?: string
}

export const BYTES_DEFAULT = 8_192
/**
 * Maximum number of tokens of an answer. We assume that a token has three bytes of UTF-8: a token of English prose has
 * four to five bytes, and a token of numbers has two to three bytes.
 */
export const TOKENS_MAX = 20_000
export const BYTES_PER_TOKEN = 3
export const BYTES_MAX = TOKENS_MAX * BYTES_PER_TOKEN
export const BYTES_MIN = 1_000

/** Bytes for the parts around the lines: title, notes, token. */
const RESERVED = 450
/** Maximum length of a line; a longer line is continued in the next line, so that every answer fits. */
const LINE_MAX = 600

/**
 * Splits long lines, so that each line fits into the smallest answer. A table row is not split, so that it keeps its
 * columns.
 */
export function folded(lines: readonly Line[]): Line[] {
  return lines.flatMap((line) => {
    if (Buffer.byteLength(line.text) <= LINE_MAX || line.head !== undefined) return [cutRow(line)]
    // Text of a filing may have words that look like a heading or a note of this answer. So each further part of a long
    // line begins with `>`, and never with such words.
    return partsOf(line.text).map((text, part) => ({ text: part === 0 ? text : `> ${text}` }))
  })
}

/**
 * Cuts a row that is longer than a quarter of the largest answer. The cells of the row are already shortened, so such a
 * row has very many cells.
 */
function cutRow(line: Line): Line {
  const room = BYTES_MAX / 4
  return line.text.length <= room ? line : { ...line, text: `${beginning(line.text, room)}… (row is cut off)` }
}

/** Returns the parts of a long line, cut between words if there are any blanks. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > LINE_MAX) {
    const at = rest.lastIndexOf(' ', LINE_MAX)
    const end = at > LINE_MAX / 2 ? at + 1 : beginning(rest, LINE_MAX).length
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end)
  }
  return [...parts, rest]
}

interface Part {
  text: string
  /** Number of the first line that did not fit; null if all lines fitted. */
  next: number | null
}

/**
 * Returns the lines that fit, beginning at a given line.
 *
 * @param reserved number of bytes of the parts of the answer other than its lines
 */
export function fitted(lines: readonly Line[], from: number, maxBytes: number, reserved: number): Part {
  const room = Math.max(BYTES_MIN / 4, maxBytes - reserved - RESERVED)
  const shown: string[] = []
  const first = lines[from]
  if (first?.head !== undefined && lines[from - 1]?.head === first.head) shown.push(first.head)
  let used = shown.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0)
  let at = from
  for (; at < lines.length; at++) {
    const { text, head } = lines[at]!
    const isBegun = lines[at - 1]?.head === head
    const all = head !== undefined && !isBegun ? `${head}\n${text}` : text
    const size = Buffer.byteLength(all) + 1
    // At least one line is sent; otherwise the reader would request further pages forever.
    if (used + size > room && at > from) break
    shown.push(all)
    used += size
  }
  return { text: shown.join('\n'), next: at < lines.length ? at : null }
}
