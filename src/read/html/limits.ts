/** How much of a document is kept at a time. Every number is far above what real filings have. */
export interface Limits {
  /** Open elements. What is nested deeper is read as if its tags were not there. */
  depth: number
  /** Columns of a table; what stands to the right of them joins the last. */
  columns: number
  /** Cells with text that a table holds before it is written as far as it goes. */
  cells: number
  /** Blocks (paragraphs, tables) of a cell; a cell with more makes its table a layout. */
  cellBlocks: number
  /** Blocks that wait until they are written. */
  blocks: number
  /** UTF-16 units of a paragraph; a longer one is two. */
  paragraph: number
  /** UTF-16 units of a `style` attribute or of all style sheets that are read. */
  style: number
  /** Distinct styles that are remembered. */
  styles: number
  problems: number
}

export const LIMITS: Limits = {
  depth: 256,
  columns: 256,
  cells: 100_000,
  cellBlocks: 200,
  blocks: 100_000,
  paragraph: 1_000_000,
  style: 65_536,
  styles: 10_000,
  problems: 100,
}
