/** Places the cells of a table on a grid of columns while they are read. */
import type { Block } from './block.ts'
import type { Limits } from './limits.ts'

export interface Cell {
  row: number
  /** The first column of the cell; `end` is the column after the last column of the cell. */
  start: number
  end: number
  blocks: Block[]
}

/** An open table. */
export interface OpenTable {
  /** Cells with text, in order. */
  cells: Cell[]
  row: number
  column: number
  /** For each column, the first row that no cell from above reaches into. */
  free: number[]
  /** The open cell. */
  cell: Cell | null
  /**
   * Whether the rest of the table is written as paragraphs at once, since one cell had too many blocks for a table.
   */
  layout: boolean
  /** The list that receives the blocks of the table when it ends. */
  sink: Block[]
}

export function openTable(sink: Block[]): OpenTable {
  return { cells: [], row: -1, column: 0, free: [], cell: null, layout: false, sink }
}

export function openRow(table: OpenTable): void {
  table.row++
  table.column = 0
}

/**
 * Begins a cell in the next free column. Spans are limited to the maximum number of columns, so that a huge span costs
 * nothing.
 */
export function openCell(
  table: OpenTable,
  colspan: string | undefined,
  rowspan: string | undefined,
  { columns }: Limits,
): Cell {
  if (table.row < 0) openRow(table)
  const { row, free } = table
  while ((free[table.column] ?? 0) > row && table.column < columns - 1) table.column++
  const start = Math.min(table.column, columns - 1)
  const end = Math.min(start + spanOf(colspan), columns)
  const below = spanOf(rowspan)
  if (below > 1) {
    for (let column = free.length; column < end; column++) free[column] = 0
    for (let column = start; column < end; column++) free[column] = row + below
  }
  table.column = end
  table.cell = { row, start, end, blocks: [] }
  return table.cell
}

/**
 * Reads a span. Browsers read 0, and anything that is not a number, as 1; they limit a span to 1,000 columns or 65,534
 * rows.
 */
function spanOf(value: string | undefined): number {
  if (value === undefined) return 1
  const number = Number.parseInt(value, 10)
  return number >= 1 ? Math.min(number, 65_534) : 1
}
