/** Converts the cells of a table to a Markdown table if the cells are data, else to paragraphs. */
import type { Block, Paragraph } from './block.ts'
import { gridOf } from './grid.ts'
import { inline } from './inline.ts'
import { isNumeric, joined, type Value } from './joined.ts'
import { combined } from './paragraphs.ts'
import type { Cell } from './table.ts'
import { type Line, titled } from './titles.ts'

/** A cell with more paragraphs than this counts as set in many short lines. */
const PARAGRAPHS_MAX = 6
/** Maximum length of the text in a cell of data that is set in many short lines. */
const LINES_MAX = 300
/** Maximum length of the text in a cell of data: a longer text is prose, and a table with prose is a layout. */
const TEXT_MAX = 1500
/** A text that is alone in its row and has at least this length is a note to the table or the title of the table. */
const NOTE_MIN = 40
const ONE_LINE_MAX = 400

const MARKER = /^(?:[•·●▪■◦○‣◆➢✓–—*-]|o|§|\(?(?:\d{1,3}|[a-z]|[ivxl]{1,5})[.)]|\(\w{1,3}\)|\[\w\]|[*†‡]+|Note:?)$/i

/** @param cells the cells with text, row by row */
export function tableBlocks(cells: readonly Cell[]): Block[] {
  const out: Block[] = []
  let simple: Cell[][] = []
  const settle = () => {
    if (simple.length > 0) for (const block of rowsOf(simple)) out.push(block)
    simple = []
  }
  for (const row of byRow(cells)) {
    if (row.every(isSimple)) simple.push(row)
    else {
      settle()
      for (const { blocks } of row) for (const block of blocks) out.push(block)
    }
  }
  settle()
  return out
}

function* byRow(cells: readonly Cell[]): Generator<Cell[]> {
  let row: Cell[] = []
  for (const cell of cells) {
    if (row.length > 0 && row[0]!.row !== cell.row) {
      yield row
      row = []
    }
    row.push(cell)
  }
  if (row.length > 0) yield row
}

function isSimple({ blocks }: Cell): boolean {
  let length = 0
  for (const block of blocks) {
    if (block.kind !== 'paragraph' || block.level > 0) return false
    length += block.plain.length
  }
  return length <= (blocks.length > PARAGRAPHS_MAX ? LINES_MAX : TEXT_MAX)
}

/** Writes rows in which all cells have only plain paragraphs. */
function rowsOf(rows: readonly Cell[][]): Block[] {
  const values = rows.map(joined)
  let from = 0
  let to = rows.length
  while (from < to && isAlone(values[from]!) && !isCaption(values[from]!)) from++
  while (to > from && isAlone(values[to - 1]!)) to--
  const middle = values.slice(from, to)
  const written = body(middle)
  const laid = written.length === 1 && written[0]!.kind === 'table'
  const around = (row: readonly Value[]) => asParagraphs(row).map((each) => (laid ? { ...each, laid } : each))
  return [...values.slice(0, from).flatMap(around), ...written, ...values.slice(to).flatMap(around)]
}

/** Whether a row is outside of the table's data: it has a single text, or a note mark and the text of the note. */
function isAlone(row: readonly Value[]): boolean {
  if (row.length === 1)
    return row[0]!.start === 0 && (row[0]!.plain.length >= NOTE_MIN || row[0]!.end - row[0]!.start > 1)
  return row.length === 2 && MARKER.test(row[0]!.plain) && row[1]!.plain.length >= NOTE_MIN
}

/**
 * Whether a single text is a caption above the middle of a table, for example `Year ended December 31,`. Such a caption
 * is read together with the columns.
 */
function isCaption([value]: readonly Value[]): boolean {
  const [span] = (value!.cells[0]!.blocks[0] as Paragraph).spans
  return value!.plain.length < NOTE_MIN && span!.computed.align === 'center' && /\p{Ll}/u.test(value!.plain)
}

function body(rows: readonly Value[][]): Block[] {
  if (rows.length === 0) return []
  const flat = rows.every(
    (row) => row.length === 1 || (row.length === 2 && MARKER.test(row[0]!.plain) && !isNumeric(row[1]!.plain)),
  )
  if (flat || rows.length === 1) return rows.flatMap(asParagraphs)
  const grid = gridOf(rows)
  if (grid.columns < 2) return rows.flatMap(asParagraphs)
  return [written(titled(grid.rows, grid.columns), grid.columns)]
}

/** Returns a row as text; a short row stays on one line. */
function asParagraphs(row: readonly Value[]): Paragraph[] {
  const paragraphs = row.flatMap(({ cells }) => cells.flatMap(({ blocks }) => blocks as Paragraph[]))
  const marked = row.length === 2 && MARKER.test(row[0]!.plain)
  const length = row.reduce((sum, { plain }) => sum + plain.length, 0)
  if (row.length > 1 && length <= ONE_LINE_MAX) return [combined(paragraphs)]
  if (marked) return [combined(paragraphs.slice(0, 2)), ...paragraphs.slice(2)]
  return paragraphs
}

function written(rows: readonly Line[], columns: number): Block {
  let images = 0
  const anchors: string[] = []
  const numbers = new Array<number>(columns).fill(0)
  const words = new Array<number>(columns).fill(0)
  const lines = rows.map((row, index) => {
    const texts = row.map((values, column) => {
      if (values === null) return ''
      for (const { plain, cells } of values) {
        if (index > 0) (isNumeric(plain) ? numbers : words)[column]!++
        for (const { blocks } of cells) {
          for (const block of blocks as Paragraph[]) {
            images += block.images.length
            for (const anchor of block.anchors) anchors.push(anchor)
          }
        }
      }
      return values.map(valueText).join(' ')
    })
    return `| ${texts.join(' | ')} |`
  })
  const rule = `| ${numbers.map((count, column) => (count > words[column]! ? '---:' : '---')).join(' | ')} |`
  return { kind: 'table', text: [lines[0], rule, ...lines.slice(1)].join('\n'), images, anchors }
}

function valueText({ cells }: Value): string {
  let text = ''
  for (const { blocks } of cells) {
    const own = (blocks as Paragraph[]).map((block) => inline(block, 'cell')).join(' ')
    // `US$` and `RMB` keep a blank before their number, and `$` does not; the mark of a note is separated from its
    // text.
    text += text !== '' && (/[A-Za-z]$/.test(text) || /^[(]\w+\)/.test(own)) ? ` ${own}` : own
  }
  return text
}
