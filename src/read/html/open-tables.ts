/** Tracks the open tables, which may be nested, and decides where the next block goes. */
import type { Block } from './block.ts'
import type { Limits } from './limits.ts'
import { type OpenTable, openCell, openRow, openTable } from './table.ts'
import { tableBlocks } from './tables.ts'

/**
 * The open tables of a document. The state of this class has three parts: the nested tables, the blocks of the document
 * that are not written yet, and the target of the next block, which is the open cell or else the text around the table.
 * If too many blocks are waiting, they are passed to `write`.
 */
export class OpenTables {
  /** Blocks of the document that are not written yet. */
  readonly root: Block[] = []
  readonly #limits: Limits
  readonly #write: (blocks: Block[]) => void
  readonly #problem: (reason: string) => void
  readonly #tables: OpenTable[] = []
  #sink = this.root

  /**
   * @param write receives blocks when too many are waiting
   * @param problem reports what exceeds a limit
   */
  constructor(limits: Limits, write: (blocks: Block[]) => void, problem: (reason: string) => void) {
    this.#limits = limits
    this.#write = write
    this.#problem = problem
  }

  /** Whether the text that is being read may become cells. */
  get collecting(): boolean {
    return this.#tables.some(({ layout }) => !layout)
  }

  push(block: Block): void {
    this.#sink.push(block)
    if (this.#sink.length > this.#limits.cellBlocks) this.#spill()
  }

  begin(): void {
    this.#tables.push(openTable(this.#sink))
  }

  row(): void {
    if (this.#tables.length > 0) openRow(this.#tables.at(-1)!)
  }

  /**
   * @param colspan as written
   * @param rowspan as written
   */
  cell(colspan: string | undefined, rowspan: string | undefined): void {
    const table = this.#tables.at(-1)
    if (table === undefined) return
    this.endCell()
    const { cells } = this.#limits
    if (table.cells.length >= cells) {
      this.#problem(`a table has more than ${cells} cells; it is written in parts`)
      settle(table)
      this.#spill()
    }
    this.#sink = openCell(table, colspan, rowspan, this.#limits).blocks
  }

  endCell(): void {
    const table = this.#tables.at(-1)
    if (table === undefined || table.cell === null) return
    const { cell } = table
    table.cell = null
    this.#sink = table.sink
    if (table.layout) for (const each of cell.blocks) table.sink.push(each)
    else if (cell.blocks.length > 0) table.cells.push(cell)
  }

  end(): void {
    this.endCell()
    const table = this.#tables.pop()
    if (table === undefined) return
    settle(table)
    this.#sink = table.sink
    this.#spill()
  }

  endAll(): void {
    while (this.#tables.length > 0) this.end()
  }

  /**
   * Turns a table into a layout if one of its cells has too many blocks, and writes the waiting blocks if there are too
   * many.
   */
  #spill(): void {
    for (let at = this.#tables.length - 1; at >= 0; at--) {
      const table = this.#tables[at]!
      if (table.cell === null || table.cell.blocks.length <= this.#limits.cellBlocks) continue
      settle(table)
      table.layout = true
      for (const each of table.cell.blocks.splice(0)) table.sink.push(each)
    }
    if (this.root.length >= this.#limits.blocks) this.#write(this.root.splice(0))
  }
}

/** Writes the cells that a table has so far. */
function settle(table: OpenTable): void {
  for (const each of tableBlocks(table.cells)) table.sink.push(each)
  table.cells = []
}
