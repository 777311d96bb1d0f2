/** Limits of the parts of a document that are in memory at a time. Every limit is far above what real filings need. */
export interface Limits {
  /**
   * Maximum number of open elements, one inside the other. Elements that are nested deeper are read as if they had no
   * tags.
   */
  depth: number
  /** Maximum number of columns of a table. Cells to the right of these columns are joined to the last column. */
  columns: number
  /** Maximum number of cells with text in a table; if there are more, the part read so far is written. */
  cells: number
  /** Maximum number of blocks (paragraphs, tables) in a cell; if a cell has more, its table is written as a layout. */
  cellBlocks: number
  /** Maximum number of blocks that wait to be written. */
  blocks: number
  /** Maximum length of a paragraph in UTF-16 units; a longer paragraph is split in two. */
  paragraph: number
  /** Maximum number of UTF-16 units that are read from one `style` attribute, and from all style sheets together. */
  style: number
  /** Maximum number of distinct styles that are cached. */
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
