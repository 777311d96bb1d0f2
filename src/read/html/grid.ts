/** Finds the columns of a table as people see them, without columns that only serve as separators. */
import { firstIndex } from '../first-index.ts'
import { isNumeric, isYear, type Value } from './joined.ts'

export interface Grid {
  columns: number
  /** By row, then column; null for an empty cell. If several values of a row are in one column, they share a cell. */
  rows: (Value[] | null)[][]
}

/**
 * Puts values into columns. Two neighbouring columns are merged if no row has a value in both, and a value of one
 * column reaches into the other. Examples: a number is one column further right because it has no currency sign, or a
 * year is above both columns. Values that span several columns, such as titles, are not treated as a separate column.
 */
export function gridOf(rows: readonly (readonly Value[])[]): Grid {
  const wide = wideness(rows)
  const held = new Map<number, { rows: number[]; start: number; end: number }>()
  for (const [index, row] of rows.entries()) {
    for (const value of row) {
      value.wide = wide(value)
      if (value.wide) {
        // A title belongs to the first of its columns. A year is a title, although its anchor is that of a number.
        if (isYear(value.plain)) value.anchor = value.start
        continue
      }
      const { anchor, start, end } = value
      const column = held.get(anchor)
      if (column === undefined) held.set(anchor, { rows: [index], start, end })
      else {
        column.rows.push(index)
        column.start = Math.min(column.start, start)
        column.end = Math.max(column.end, end)
      }
    }
  }
  const anchors = [...held.keys()].sort((a, b) => a - b)
  const columns: number[] = []
  const taken = new Set<number>()
  let count = 0
  let reach = 0
  let last = 0
  for (const anchor of anchors) {
    const { rows: own, start, end } = held.get(anchor)!
    const overlaps = count > 0 && (reach > anchor || start <= last)
    if (!overlaps || own.some((row) => taken.has(row))) {
      count++
      taken.clear()
      reach = 0
    }
    for (const row of own) taken.add(row)
    reach = Math.max(reach, end)
    last = anchor
    columns.push(count - 1)
  }
  const columnAt = (anchor: number) => {
    const from = firstIndex(anchors.length, (i) => anchors[i]! >= anchor)
    return columns[Math.min(from, anchors.length - 1)] ?? 0
  }
  return { columns: Math.max(count, 1), rows: rows.map((row) => line(row, Math.max(count, 1), columnAt)) }
}

function line(row: readonly Value[], columns: number, columnAt: (anchor: number) => number): (Value[] | null)[] {
  const found: (Value[] | null)[] = new Array(columns).fill(null)
  let next = 0
  for (const value of row) {
    // The values of a row stay in order; if several values of a row are in one column, they share one cell.
    let column = Math.max(columnAt(value.anchor), Math.min(next, columns - 1))
    // A title that reaches beyond the column of the title before it belongs to the next column.
    if (value.wide && found[column] && column < columnAt(value.end - 1)) column++
    const there = found[column]
    if (there) there.push(value)
    else found[column] = [value]
    next = column
  }
  return found
}

/** Returns a function that tests whether a value spans two columns that are both filled in some row. */
function wideness(rows: readonly (readonly Value[])[]): (value: Value) => boolean {
  /** For each column: the nearest column to the left that is filled in the same row. */
  const nearest: number[] = []
  for (const row of rows) {
    for (let index = 1; index < row.length; index++) {
      const { anchor } = row[index]!
      nearest[anchor] = Math.max(nearest[anchor] ?? -1, row[index - 1]!.anchor)
    }
  }
  const upTo: number[] = []
  let most = -1
  for (let column = 0; column < nearest.length; column++) {
    most = Math.max(most, nearest[column] ?? -1)
    upTo.push(most)
  }
  return ({ plain, start, end }) =>
    end - start > 1 && (upTo[Math.min(end, upTo.length) - 1] ?? -1) >= start && (isYear(plain) || !isNumeric(plain))
}
