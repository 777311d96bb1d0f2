/** Finds tables without borders: consecutive lines whose pieces are below each other. */
import type { Line } from './line.ts'

/** Minimum gap between columns, in points. */
const GUTTER = 5
/** Maximum number of lines that are examined together. */
const MOST = 400
/** If the only piece of a line is wider than this share of the width of the text, the line is prose. */
const PROSE = 0.55
/** Maximum number of consecutive lines within a table that have a single piece. */
const SINGLES = 3

export interface FoundTable {
  cells: string[][]
  /** Number of lines of which the table consists. */
  lines: number
}

/**
 * Returns the table that begins with this line.
 *
 * @param width of the text around it
 * @param doubtful whether the positions come from a scan. Then only lines with figures are taken for a table
 * @returns null if no table begins here
 */
export function tableAt(lines: readonly Line[], at: number, width: number, doubtful: boolean): FoundTable | null {
  const end = endOf(lines, at, width)
  const run = lines.slice(at, end)
  const multiple = run.filter(({ pieces }) => pieces.length > 1)
  if (multiple.length < 3 && !(multiple.length === 2 && run.length === 2 && multiple.every(isFigures))) return null
  if (multiple.length < 0.5 * run.length) return null
  if (doubtful && multiple.filter(isFigures).length < 0.6 * multiple.length) return null
  const edges = edgesOf(multiple)
  if (edges.length === 0) return null
  const cells: string[][] = []
  run.forEach((line, i) => {
    const row = rowOf(line, edges)
    const before = cells.at(-1)
    const near = i > 0 && line.y - run[i - 1]!.y < 1.4 * line.size
    if (before && near && continues(row, before)) {
      row.forEach((cell, column) => {
        before[column] = [before[column], cell].filter(Boolean).join(' ')
      })
    } else cells.push(row)
  })
  const used = edges.length + 1
  const wide = cells.filter((row) => row.filter(Boolean).length > 1).length
  return wide >= 2 && used >= 2 ? { cells, lines: run.length } : null
}

const FIGURE = /^[($€£\s]*[\d,.]+[)%\s]*$|^[-–—]$/
const isFigures = ({ pieces }: Line) => pieces.slice(1).every(({ text }) => FIGURE.test(text))

function endOf(lines: readonly Line[], at: number, width: number): number {
  let free: [number, number][] = [[-1e9, 1e9]]
  let singles = 0
  let end = at
  for (let i = at; i < Math.min(lines.length, at + MOST); i++) {
    const line = lines[i]!
    const before = lines[i - 1]
    if (i > at && before && (line.y - before.y > 3.4 * Math.max(line.size, 8) || line.y <= before.y)) break
    if (line.pieces.length === 1) {
      singles++
      if (i === at || singles > SINGLES || line.mark === '-' || line.x1 - line.x0 > PROSE * width) break
      continue
    }
    const left = without(free, line)
    if (left.filter(([from, to]) => from > -1e9 && to < 1e9).length === 0) break
    free = left
    singles = 0
    end = i + 1
  }
  // A cell of the last line may continue in a further line, which then has a single piece.
  const last = lines[end - 1]
  const next = lines[end]
  if (last && next && end > at && next.pieces.length === 1 && next.y > last.y && next.y - last.y < 1.4 * next.size) {
    const below = last.pieces.slice(1).some(({ x0 }) => Math.abs(x0 - next.x0) < 2)
    if (below && next.x1 - next.x0 < PROSE * width) end++
  }
  return end
}

/** Returns the ranges that are still free after this line is added. */
function without(free: readonly [number, number][], line: Line): [number, number][] {
  let left = [...free]
  for (const { x0, x1 } of line.pieces) {
    left = left.flatMap(([from, to]): [number, number][] => {
      if (x1 <= from || x0 >= to) return [[from, to]]
      return [
        [from, Math.min(to, x0)],
        [Math.max(from, x1), to],
      ].filter(([a, b]) => b! - a! >= GUTTER) as [number, number][]
    })
  }
  return left
}

/**
 * Returns the middles of the gaps between columns. One line in ten may cross a gap, since titles of several columns
 * cross gaps.
 */
function edgesOf(lines: readonly Line[]): number[] {
  const left = Math.floor(Math.min(...lines.map(({ x0 }) => x0)))
  const right = Math.ceil(Math.max(...lines.map(({ x1 }) => x1)))
  const allowed = lines.length < 4 ? 0 : Math.max(1, Math.floor(0.1 * lines.length))
  const covered = new Uint16Array(Math.min(right - left + 1, 20_000))
  for (const { pieces } of lines) {
    for (const { x0, x1 } of pieces)
      for (let x = Math.floor(x0 - left); x < Math.ceil(x1 - left); x++) if (x < covered.length) covered[x]!++
  }
  const edges: number[] = []
  let from = -1
  let begun = false
  for (let x = 0; x < covered.length; x++) {
    if (covered[x]! > allowed) {
      if (from >= 0 && x - from >= GUTTER) edges.push(left + (from + x) / 2)
      from = -1
      // Gaps count only to the right of the first position that most lines cover, since the space before that position
      // is their indent.
      begun = true
    } else if (from < 0 && begun) from = x
  }
  return edges
}

function rowOf(line: Line, edges: readonly number[]): string[] {
  const row = Array.from({ length: edges.length + 1 }, () => '')
  line.pieces.forEach((piece, i) => {
    // Figures are right-aligned and titles centred, so the middle of a piece decides its column. A label may be wide,
    // so the left edge of a label decides its column.
    const place = i === 0 ? Math.min(piece.x0 + 2, piece.x1) : (piece.x0 + piece.x1) / 2
    const column = edges.filter((edge) => edge < place).length
    const mark = i === 0 && line.mark && line.mark !== '-' ? `${line.mark} ` : ''
    row[column] = [row[column], mark + piece.text].filter(Boolean).join(' ')
  })
  return row.map(plainMoney)
}

/** Removes the blank after a currency sign: `$ 1,000` becomes `$1,000`. */
export const plainMoney = (cell: string): string => cell.replace(/([$€£])\s+(?=[\d(])/g, '$1')

/** Whether a row only continues cells of the row above. */
function continues(row: readonly string[], before: readonly string[]): boolean {
  if (row.some((cell) => FIGURE.test(cell))) return false
  const filled = row.flatMap((cell, column) => (cell === '' ? [] : [column]))
  if (filled.some((column) => before[column] === '')) return false
  return row[0] === '' || /^[a-z(&]/.test(row[0]!)
}
