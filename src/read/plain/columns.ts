/**
 * Finds the columns of a text table: blanks that all rows share divide the columns, and EDGAR's tags confirm the
 * columns.
 */
import { isNumeric } from '../html/joined.ts'
import type { Cell } from './cells.ts'
import { type ReadLine, WIDTH_MAX } from './lines.ts'

/** The characters that a column fills in any row; `end` is exclusive. */
export interface Column {
  start: number
  end: number
}

/** Whether a line has a single text that begins as a label and reaches into the first column of values. */
export const isOverrun = (cells: readonly Cell[], tags: readonly number[]): boolean =>
  cells.length === 1 && cells[0]!.start < tags[1]! && cells[0]!.end > tags[1]! && !isNumeric(cells[0]!.text)

/**
 * @param lines the lines below the head
 * @param tags the positions of `<S>` and `<C>`
 * @returns one column for each tag; null if the tags do not confirm the columns
 */
export function columnsOf(lines: readonly ReadLine[], tags: readonly number[]): Column[] | null {
  const runs = runsOf(lines, tags)
  return inOrder(runs, tags) ?? byEnds(runs, tags)
}

/** Returns the runs of characters that at least one row fills. */
function runsOf(lines: readonly ReadLine[], tags: readonly number[]): Column[] {
  const change = new Int32Array(WIDTH_MAX + 1)
  for (const { cells } of lines) {
    if (isOverrun(cells, tags)) continue
    for (const { start, end } of cells) {
      change[start]!++
      change[end]!--
    }
  }
  const runs: Column[] = []
  let filled = 0
  for (let at = 0; at <= WIDTH_MAX; at++) {
    const by = change[at]!
    if (filled === 0 && by > 0) runs.push({ start: at, end: at })
    filled += by
    if (filled === 0 && by < 0) runs.at(-1)!.end = at
  }
  return runs
}

/**
 * Returns the runs if each tag has its own run. The tag must be after the start of the previous run, and before the end
 * of its own run. Otherwise returns null.
 */
function inOrder(runs: readonly Column[], tags: readonly number[]): Column[] | null {
  if (runs.length !== tags.length) return null
  const fits = runs.every(({ end }, j) => tags[j]! < end && (j === 0 || tags[j]! > runs[j - 1]!.start))
  return fits ? [...runs] : null
}

/**
 * Assigns each run to the last tag before the end of the run. Returns null if a run also contains the tag before this
 * tag, since the run may then belong to either column.
 */
function byEnds(runs: readonly Column[], tags: readonly number[]): Column[] | null {
  const columns: (Column | null)[] = tags.map(() => null)
  for (const { start, end } of runs) {
    const own = tags.findLastIndex((tag) => tag < end)
    if (own < 0 || (own > 0 && tags[own - 1]! >= start)) return null
    const column = columns[own]
    if (column) column.end = end
    else columns[own] = { start, end }
  }
  return columns.every((column) => column !== null) ? columns : null
}

/** Returns the numbers of the columns that share a character with the span. */
export function touchedBy({ start, end }: Column, columns: readonly Column[]): number[] {
  const touched: number[] = []
  for (const [j, column] of columns.entries()) if (start < column.end && end > column.start) touched.push(j)
  return touched
}
