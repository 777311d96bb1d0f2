/**
 * Converts a text table to a table of Markdown if it is certain which text belongs to which column, else to
 * preformatted text.
 */
import type { Block, Fence } from '../html/block.ts'
import { preserved } from '../html/characters.ts'
import { inline } from '../html/inline.ts'
import { isNumeric } from '../html/joined.ts'
import { bodyOf } from './body.ts'
import { columnsOf } from './columns.ts'
import { headIn, headOf } from './head.ts'
import { type ReadLine, readLine, type TableLine } from './lines.ts'
import { LOOKS, paragraph } from './paragraph.ts'

/** Maximum number of lines of a head. */
const HEAD_MAX = 40
const COLUMNS_MAX = 64

export function fenceOf(lines: readonly TableLine[]): Fence {
  const texts: string[] = []
  for (const { text, tags } of lines) if (tags === null) texts.push(text)
  return { kind: 'fence', text: preserved(texts.join('\n')) }
}

/**
 * @param lines all lines of a table that has an end tag
 * @returns the table, with the lines above its head and below its last row as preformatted text; null if any of its
 *   columns is doubtful
 */
export function tableBlocks(lines: readonly TableLine[]): Block[] | null {
  const ruler = lines.findIndex(({ tags }) => tags !== null)
  const tags = lines[ruler]?.tags
  if (!tags || tags.length < 2 || tags.length > COLUMNS_MAX || ruler > HEAD_MAX) return null
  if (lines.findLastIndex((line) => line.tags !== null) !== ruler) return null
  const notes = lines.findIndex(({ isNotes }, at) => isNotes && at > ruler)
  const read = lines.slice(0, notes < 0 ? lines.length : notes).map(readLine)
  const end = endOf(read, ruler + 1)
  const top = topOf(lines, read, ruler)
  // If the line directly below the rows cannot be read, it may be a row too, so the table is not converted.
  if (read[end]?.kind === 'unread' || read[end]?.kind === 'dashes' || mayBeRow(read[end])) return null
  const above = read.slice(top, ruler)
  const inBody = above.some(({ cells }) => cells.length > 1) ? 0 : headIn(read.slice(ruler + 1, end))
  const below = read.slice(ruler + 1 + inBody, end)
  const columns = columnsOf(below, tags)
  if (columns === null) return null
  const head = headOf(inBody > 0 ? [...above, ...read.slice(ruler + 1, ruler + 1 + inBody)] : above, columns)
  const body = bodyOf(below, columns, tags)
  if (head === null || body === null || head.rows.length + body.length < 2) return null
  if (isLayout(head.rows.length === 0, inBody > 0, body)) return null
  const from = top + head.from + (head.from < above.length ? 0 : 1)
  return [
    ...around(lines.slice(0, from)),
    { kind: 'table', text: written(head.rows, body), images: 0, anchors: [] },
    ...around(lines.slice(end)),
  ]
}

/**
 * Returns the first line of the head: the line of the caption tag if text follows this tag, else the first line of the
 * table.
 */
function topOf(lines: readonly TableLine[], read: readonly ReturnType<typeof readLine>[], ruler: number): number {
  const caption = lines.findIndex(({ isCaption }, at) => isCaption && at < ruler)
  const isFollowed = caption > 0 && read.slice(caption, ruler).some(({ cells }) => cells.length > 0)
  return isFollowed ? caption : 0
}

/**
 * Whether the lines are a layout instead of a table. If no titles are above the tags and no column of values has a
 * number, the lines are signatures or a cover page. If there are no titles at all and the last column has no number,
 * the lines are a form with numbered boxes.
 */
function isLayout(hasNoTitles: boolean, areInBody: boolean, body: readonly string[][]): boolean {
  if ((hasNoTitles || areInBody) && !body.some(([, ...values]) => values.some(isNumeric))) return true
  return hasNoTitles && !body.some((values) => isNumeric(values.at(-1)!))
}

/**
 * Returns the end of the rows. The rows end with the last line that has several cells or, if notes are among the last
 * lines, with the last number. If the rest of a label, a ruled line or a total follows directly, it is part of the rows
 * too.
 */
function endOf(read: readonly ReadLine[], from: number): number {
  const lastRow = read.findLastIndex(({ cells, isNote }) => cells.length > 1 && !isNote) + 1
  const lastNumber = read.findLastIndex(({ cells }) => cells.some(({ text }, at) => at > 0 && isNumeric(text))) + 1
  const hasNotes = lastNumber > from && read.slice(lastNumber, lastRow).some(beginsNote)
  let end = hasNotes ? lastNumber : lastRow
  while (end < read.length && end > from && isRestOfLabel(read[end]!)) end++
  while (end < read.length && end > from && (read[end]!.kind === 'rule' || isTotal(read[end]!))) end++
  return Math.max(end, from)
}

/** Whether a line has only an amount, which is a total if the line follows the rows or their rule. */
const isTotal = ({ cells }: ReadLine): boolean => cells.length === 1 && cells[0]!.start > 0 && isNumeric(cells[0]!.text)
/**
 * Whether a line has a single text that ends in an amount. The amount may be a value with only one blank between it and
 * its label.
 */
const mayBeRow = (line: ReadLine | undefined): boolean =>
  line?.cells.length === 1 && /\S \(?\$?(?:\d{1,3}(?:,\d{3})+|\d*\.\d+)\)?%?$/.test(line.text)
const beginsNote = ({ text }: ReadLine): boolean => /^\s*(?:\(\w{1,3}\)|[*†‡]+)\s/.test(text)
const isRestOfLabel = ({ cells }: ReadLine): boolean => cells.length === 1 && /^\p{Ll}/u.test(cells[0]!.text)

export const around = (lines: readonly TableLine[]): Block[] => {
  const fence = fenceOf(lines)
  return fence.text.trim() === '' ? [] : [fence]
}

/** Writes rows in the form of tables of HTML; without titles the row of titles is empty. */
export function written(head: readonly string[][], body: readonly string[][]): string {
  const columns = body[0]!.length
  const [first = new Array<string>(columns).fill(''), ...others] = head
  const rows = [...others, ...body]
  const rule = Array.from({ length: columns }, (_, column) => {
    const texts = rows.map((row) => row[column]!).filter((text) => text !== '')
    return texts.filter(isNumeric).length * 2 > texts.length ? '---:' : '---'
  })
  return [rowText(first.map(escaped)), rowText(rule), ...rows.map((row) => rowText(row.map(escaped)))].join('\n')
}

const rowText = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const SPECIAL = /[\\`*_~<&[\]|!\ufffc]/
const escaped = (text: string) => (SPECIAL.test(text) ? inline(paragraph(text, LOOKS.text), 'cell') : text)
