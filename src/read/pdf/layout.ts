/** Divides pages into lines and tables, in reading order. */
import { regionsOf } from './columns.ts'
import type { PageContent, Rule } from './content.ts'
import { withoutFurniture } from './furniture.ts'
import { cellsOf, type GridCells, gridsOf } from './grids.ts'
import { type Line, lineOf } from './line.ts'
import { type Row, rowsOf, textOf } from './rows.ts'
import { plainMoney, tableAt } from './tables.ts'

export type Element =
  | {
      kind: 'line'
      line: Line
      page: number
      /** Number of the region: a column, or another part of a page in which lines follow each other downwards. */
      region: number
      /** Left and right edges of the lines in the region. */
      left: number
      right: number
    }
  | { kind: 'table'; cells: string[][]; page: number }

/**
 * Which tables without borders are searched for. `doubtful` is for scanned pages, where unrecognised words leave wide
 * gaps: only lines with figures are taken for a table there.
 */
type Tables = 'all' | 'doubtful' | 'none'

/** A cell with more text than this is part of the page's layout, not of a table. */
const LONG_CELL = 1_500

/** A page as rows; rows take a tenth of the memory that the characters of the page take. */
export interface LaidPage {
  height: number
  rows: Row[]
  /** Rows of rotated text, by direction. */
  turned: Row[][]
  rules: Rule[]
  images: number
  pictured: boolean
  /** Number of characters on the page. */
  signs: number
}

export function laidPage({ height, glyphs, turned, rules, images, pictured }: PageContent): LaidPage {
  return {
    height,
    rows: rowsOf(glyphs, rules),
    turned: turned.map((signs) => rowsOf(signs, [])),
    rules,
    images,
    pictured,
    signs: turned.reduce((sum, signs) => sum + signs.length, glyphs.length),
  }
}

export function elementsOf(pages: readonly LaidPage[]): Element[] {
  const kept = withoutFurniture(pages)
  const elements: Element[] = []
  let region = 0
  const addLines = (rows: readonly Row[], rules: readonly Rule[], page: number, tables: Tables) => {
    region++
    elements.push(...linesAndTables(rows, rules, page, region, tables))
  }
  const addRows = (rows: readonly Row[], rules: readonly Rule[], page: number) => {
    for (const part of regionsOf(rows, rules)) addLines(part, rules, page, pages[page]!.pictured ? 'doubtful' : 'all')
  }
  pages.forEach((content, page) => {
    let rest = kept[page]!
    const grids = gridsOf(content.rules)
      .map((grid) => ({ top: grid.ys[0]!, grid }))
      .toSorted((a, b) => a.top - b.top)
    const tables: { top: number; cells: GridCells }[] = []
    for (const { grid, top } of grids) {
      const found = cellsOf(grid, rest)
      if (found.cells.length < 2 || found.cells[0]!.length < 2) continue
      rest = found.rest
      tables.push({ top, cells: found.cells })
    }
    for (const { top, cells } of tables) {
      addRows(
        rest.filter(({ y }) => y < top),
        content.rules,
        page,
      )
      rest = rest.filter(({ y }) => y >= top)
      if (cells.flat().some((rows) => rows.reduce((sum, row) => sum + textOf(row).length, 0) > LONG_CELL)) {
        for (const cell of cells.flat()) if (cell.length > 0) addLines(cell, content.rules, page, 'none')
      } else
        elements.push({ kind: 'table', cells: cells.map((row) => row.map((cell) => plainMoney(cellText(cell)))), page })
    }
    addRows(rest, content.rules, page)
    for (const turned of content.turned) addRows(turned, [], page)
  })
  return elements
}

const cellText = (rows: readonly Row[]) =>
  rows
    .map((row) => {
      const { mark, text } = lineOf(row)
      return mark === null ? text : `${mark === '-' ? '•' : mark} ${text}`
    })
    .join(' ')

function linesAndTables(
  rows: readonly Row[],
  rules: readonly Rule[],
  page: number,
  region: number,
  tables: Tables,
): Element[] {
  const flat = rules.filter(({ y0, y1 }) => y1 - y0 < 3)
  const lines = rows.map((row) => lineOf(row, flat))
  const left = Math.min(...lines.map(({ x0 }) => x0))
  const right = Math.max(...lines.map(({ x1 }) => x1))
  const elements: Element[] = []
  for (let i = 0; i < lines.length; ) {
    const may = tables !== 'none' && lines[i]!.pieces.length > 1
    const table = may ? tableAt(lines, i, right - left, tables === 'doubtful') : null
    if (table) {
      elements.push({ kind: 'table', cells: table.cells, page })
      i += table.lines
    } else {
      elements.push({ kind: 'line', line: lines[i]!, page, region, left, right })
      i++
    }
  }
  return elements
}
