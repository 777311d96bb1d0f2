/** Finds tables whose borders are drawn. */
import type { Rule } from './content.ts'
import type { Piece, Row } from './rows.ts'
import { rowFrom } from './rows.ts'

/** The borders between the cells of a table, from left to right and from top to bottom. */
export interface Grid {
  xs: number[]
  ys: number[]
}

/** Two lines count as meeting if their distance is at most this. */
const NEAR = 3
/**
 * Maximum number of lines: each line is compared with every other line, and 1,500 lines take 20 ms. A page of many
 * tables has 600.
 */
const LINES = 1_500

export function gridsOf(rules: readonly Rule[]): Grid[] {
  const lines = rules.filter(({ x0, x1, y0, y1 }) => x1 - x0 > 6 || y1 - y0 > 6).slice(0, LINES)
  const group = lines.map((_, i) => i)
  const rootOf = (i: number) => {
    while (group[i] !== i) {
      group[i] = group[group[i]!]!
      i = group[i]!
    }
    return i
  }
  for (let i = 0; i < lines.length; i++) {
    for (let j = 0; j < i; j++) if (meet(lines[i]!, lines[j]!)) group[rootOf(i)] = rootOf(j)
  }
  const groups = Map.groupBy(lines, (_, i) => rootOf(i))
  return [...groups.values()].flatMap((members) => {
    const upright = members.filter(isUpright)
    const across = members.filter((rule) => !isUpright(rule))
    const xs = placesOf(upright.map(({ x0, x1, y0, y1 }) => ({ at: (x0 + x1) / 2, from: y0, to: y1 })))
    const ys = placesOf(across.map(({ x0, x1, y0, y1 }) => ({ at: (y0 + y1) / 2, from: x0, to: x1 })))
    return xs.length >= 3 && ys.length >= 2 ? [{ xs, ys }] : []
  })
}

/** Minimum length of a border, with its continuations, as a share of the table's height or width. */
const LONG = 0.3

const isUpright = ({ x0, x1, y0, y1 }: Rule) => y1 - y0 > x1 - x0

const meet = (a: Rule, b: Rule) =>
  a.x0 <= b.x1 + NEAR && b.x0 <= a.x1 + NEAR && a.y0 <= b.y1 + NEAR && b.y0 <= a.y1 + NEAR

function placesOf(lines: readonly { at: number; from: number; to: number }[]): number[] {
  const places: { at: number; length: number }[] = []
  for (const { at, from, to } of lines.toSorted((a, b) => a.at - b.at)) {
    const place = places.at(-1)
    if (place && at - place.at <= NEAR) place.length += to - from
    else places.push({ at, length: to - from })
  }
  const whole = Math.max(...lines.map(({ to }) => to)) - Math.min(...lines.map(({ from }) => from))
  return places.filter(({ length }) => length > LONG * whole).map(({ at }) => at)
}

/** The lines of each cell, row by row. A row or a column is left out if all its cells are empty. */
export type GridCells = Row[][][]

/**
 * Divides rows into the text in the grid and the text around it.
 *
 * @returns the cells, and the remaining rows without the pieces that were taken
 */
export function cellsOf(grid: Grid, rows: readonly Row[]): { cells: GridCells; rest: Row[] } {
  const { xs, ys } = grid
  const cells: Piece[][][][] = ys.slice(1).map(() => xs.slice(1).map(() => []))
  const rest: Row[] = []
  for (const row of rows) {
    const around: Piece[] = []
    const inside = new Map<Piece[][], Piece[]>()
    for (const piece of row.pieces) {
      const at = intervalOf(xs, piece.x0 + Math.min(2, (piece.x1 - piece.x0) / 2))
      const down = intervalOf(ys, piece.y - 0.3 * piece.size)
      if (at < 0 || down < 0) around.push(piece)
      else {
        const cell = cells[down]![at]!
        const known = inside.get(cell)
        if (known) known.push(piece)
        else inside.set(cell, [piece])
      }
    }
    for (const [cell, pieces] of inside) cell.push(pieces)
    if (around.length > 0) rest.push(rowFrom(around))
  }
  const filled = cells.filter((row) => row.some((cell) => cell.length > 0))
  const columns = xs.slice(1).flatMap((_, at) => (filled.some((row) => row[at]!.length > 0) ? [at] : []))
  return { cells: filled.map((row) => columns.map((at) => row[at]!.map(rowFrom))), rest }
}

function intervalOf(edges: readonly number[], value: number): number {
  if (value < edges[0]! || value > edges.at(-1)!) return -1
  for (let i = 1; i < edges.length; i++) if (value <= edges[i]!) return i - 1
  return -1
}
