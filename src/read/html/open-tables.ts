/** The tables that stand open, one in the other, and where blocks go that are read meanwhile. */
import type { Block } from './block.ts'
import type { Limits } from './limits.ts'
import { type OpenTable, openCell, openRow, openTable } from './table.ts'
import { tableBlocks } from './tables.ts'

export interface OpenTables {
  /** Blocks of the document that were not written yet. */
  root: Block[]
  push(block: Block): void
  begin(): void
  row(): void
  /** @param colspan @param rowspan as they are written */
  cell(colspan: string | undefined, rowspan: string | undefined): void
  endCell(): void
  end(): void
  endAll(): void
  /** Whether a table stands open, and no cell of it. */
  between(): boolean
  /** Whether what is read may become cells. */
  collecting(): boolean
}

/**
 * @param write takes blocks away when too many wait
 * @param problem is told of what exceeds a limit
 */
export function openTables(
  limits: Limits,
  write: (blocks: Block[]) => void,
  problem: (reason: string) => void,
): OpenTables {
  const root: Block[] = []
  const tables: OpenTable[] = []
  let sink = root

  function push(block: Block): void {
    sink.push(block)
    if (sink.length > limits.cellBlocks) spill()
  }

  /** What is too much for a cell is no table; what is too much to wait is written. */
  function spill(): void {
    for (let at = tables.length - 1; at >= 0; at--) {
      const table = tables[at]!
      if (table.cell === null || table.cell.blocks.length <= limits.cellBlocks) continue
      settle(table)
      table.layout = true
      for (const each of table.cell.blocks.splice(0)) table.sink.push(each)
    }
    if (root.length >= limits.blocks) write(root.splice(0))
  }

  /** Writes the cells that a table has so far. */
  function settle(table: OpenTable): void {
    for (const each of tableBlocks(table.cells)) table.sink.push(each)
    table.cells = []
  }

  function cell(colspan: string | undefined, rowspan: string | undefined): void {
    const table = tables.at(-1)
    if (table === undefined) return
    endCell()
    if (table.cells.length >= limits.cells) {
      problem(`a table has more than ${limits.cells} cells; it is written in parts`)
      settle(table)
      spill()
    }
    sink = openCell(table, colspan, rowspan, limits).blocks
  }

  function endCell(): void {
    const table = tables.at(-1)
    if (table === undefined || table.cell === null) return
    const { cell } = table
    table.cell = null
    sink = table.sink
    if (table.layout) for (const each of cell.blocks) sink.push(each)
    else if (cell.blocks.length > 0) table.cells.push(cell)
  }

  function end(): void {
    endCell()
    const table = tables.pop()
    if (table === undefined) return
    settle(table)
    sink = table.sink
    spill()
  }

  return {
    root,
    push,
    begin: () => tables.push(openTable(sink)),
    row: () => {
      if (tables.length > 0) openRow(tables.at(-1)!)
    },
    cell,
    endCell,
    end,
    endAll: () => {
      while (tables.length > 0) end()
    },
    between: () => tables.length > 0 && tables.at(-1)!.cell === null,
    collecting: () => tables.some(({ layout }) => !layout),
  }
}
