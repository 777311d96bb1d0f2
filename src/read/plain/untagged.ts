/**
 * Converts lines in columns that no tag marks to a table, if the columns are certain. Each row must have a label and a
 * number in each column, and each column of numbers a title.
 */
import type { Block } from '../html/block.ts'
import { isNumeric } from '../html/joined.ts'
import { columnsOf } from './columns.ts'
import { headOf } from './head.ts'
import { type ReadLine, readLine, type TableLine } from './lines.ts'
import { around, written } from './table.ts'

const LINES_MAX = 200
/** Minimum number of rows, and of columns including the labels. A table of two columns may be a table of contents. */
const [ROWS_MIN, COLUMNS_MIN] = [3, 3]
const GAP = /\S {2,}[$(]{0,2}\d/
const YEAR = /^(?:19|20)\d\d$/

/** @returns the table, with the lines above its head as preformatted text; null if anything is not certain */
export function untaggedBlocks(texts: readonly string[]): Block[] | null {
  if (texts.length <= ROWS_MIN || texts.length > LINES_MAX || !GAP.test(texts.at(-1)!)) return null
  const lines = texts.map((text): TableLine => ({ text, tags: null, isCaption: false, isNotes: false, isExact: true }))
  const read = lines.map(readLine)
  const from = read.findIndex(isRow)
  if (from < 1) return null
  const body = read.slice(from)
  const rows = body.filter(({ kind }) => kind === 'cells')
  const count = rows[0]!.cells.length
  const isEven = rows.every((row) => isRow(row) && row.cells.length === count)
  if (rows.length < ROWS_MIN || !isEven || body.some(({ kind }) => kind !== 'cells' && kind !== 'rule')) return null
  const starts = rows[0]!.cells.map((_, j) => Math.min(...rows.map(({ cells }) => cells[j]!.start)))
  const columns = columnsOf(rows, starts)
  const head = columns && headOf(read.slice(0, from), columns)
  const hasTitles = head?.rows.length && starts.every((_, j) => j === 0 || head.rows.some((row) => row[j] !== ''))
  if (!head || !hasTitles) return null
  const values = rows.map(({ cells }) => cells.map(({ text }) => text))
  return [
    ...around(lines.slice(0, head.from)),
    { kind: 'table', text: written(head.rows, values), images: 0, anchors: [] },
  ]
}

/** Whether a line has a label and then only numbers. A line of years is a head. */
const isRow = ({ cells: [label, ...values] }: ReadLine): boolean =>
  label !== undefined &&
  values.length + 1 >= COLUMNS_MIN &&
  /\p{L}{2}/u.test(label.text) &&
  values.every(({ text }) => isNumeric(text)) &&
  !values.every(({ text }) => YEAR.test(text))
