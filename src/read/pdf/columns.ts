/** Finds the order in which the rows of a page are read: columns of prose one after another. */
import type { Rule } from './content.ts'
import { type Piece, type Row, rowFrom } from './rows.ts'

/** Rows that are read one below the other. */
export type Region = Row[]

/** Minimum number of lines of a column. */
const LINES = 5
/**
 * A page with more rows than this was not set in columns; the time of the search grows with the square of the number of
 * rows.
 */
const MOST = 1_000
/** Minimum width of the gap between columns, in points. */
const GUTTER = 5
/** Minimum width of a column, as a share of the width of the text. */
const NARROW = 0.28
/** Minimum width of a column of titles, as a share of the width of the text. */
const TITLES = 0.12
const DEPTH = 3

/**
 * @param rules drawn horizontal lines; if they cross a gap, the gap divides the cells of a table and not columns of
 * prose
 */
export function regionsOf(rows: readonly Row[], rules: readonly Rule[], depth = 0): Region[] {
  const found = depth < DEPTH ? bestGutter(rows, rules) : null
  if (found === null) return rows.length > 0 ? [[...rows]] : []
  const { from, to, x, titles } = found
  const within = rows.slice(from, to)
  const side = (left: boolean) =>
    within.flatMap((row) => {
      const pieces = row.pieces.filter((piece) => (piece.x0 + piece.x1) / 2 < x === left)
      return pieces.length > 0 ? [rowFrom(pieces)] : []
    })
  return [
    ...regionsOf(rows.slice(0, from), rules, depth + 1),
    ...(titles
      ? titled(side(true), side(false))
      : [...regionsOf(side(true), rules, depth + 1), ...regionsOf(side(false), rules, depth + 1)]),
    ...regionsOf(rows.slice(to), rules, depth + 1),
  ]
}

/**
 * Pairs each title of the left column with the text to the right of the title. Form CRS has its questions in such a
 * column.
 */
function titled(left: readonly Row[], right: readonly Row[]): Region[] {
  const titles: Region[] = []
  left.forEach((row, i) => {
    const before = left[i - 1]
    if (before && row.y - before.y < 1.6 * row.size) titles.at(-1)!.push(row)
    else titles.push([row])
  })
  const top = (title: Region | undefined) => (title ? title[0]!.y - title[0]!.size * 0.7 : Infinity)
  const above = right.filter(({ y }) => y < top(titles[0]))
  const parts = titles.flatMap((title, i) => [
    title,
    right.filter(({ y }) => y >= top(title) && y < top(titles[i + 1])),
  ])
  return [above, ...parts].filter((part) => part.length > 0)
}

interface Gutter {
  /** The first row, and the row after the last. */
  from: number
  to: number
  x: number
  /** Whether the left side has the titles of the text at the right. */
  titles: boolean
}

function bestGutter(rows: readonly Row[], rules: readonly Rule[]): Gutter | null {
  if (rows.length < LINES || rows.length > MOST) return null
  const left = Math.min(...rows.map(({ x0 }) => x0))
  const right = Math.max(...rows.map(({ x1 }) => x1))
  const width = right - left
  let best: Gutter | null = null
  for (let x = left + TITLES * width; x <= right - NARROW * width; x += 4) {
    for (const run of runsAround(rows, x)) {
      const found = trimmed(rows, { ...run, x, titles: false })
      if (found === null || found.to - found.from <= (best ? best.to - best.from : 0)) continue
      const within = rows.slice(found.from, found.to)
      if (isRuled(rows, found, rules)) continue
      const [before, after] = [
        within.flatMap((row) => row.pieces.filter(({ x1 }) => x1 < x)),
        within.flatMap((row) => row.pieces.filter(({ x0 }) => x0 > x)),
      ]
      if (!isProse(after)) continue
      if (x >= left + NARROW * width && isProse(before)) best = found
      else if (areTitles(before, after)) best = { ...found, titles: true }
    }
  }
  return best
}

/** Returns the runs of rows that have no text at x. */
function runsAround(rows: readonly Row[], x: number): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = []
  let from = 0
  for (let i = 0; i <= rows.length; i++) {
    const row = rows[i]
    const free = row?.pieces.every((piece) => piece.x1 < x - GUTTER / 2 || piece.x0 > x + GUTTER / 2)
    if (free) continue
    if (i - from >= LINES) runs.push({ from, to: i })
    from = i + 1
  }
  return runs
}

/** Removes rows at either end that have text on only one side. */
function trimmed(rows: readonly Row[], { from, to, x, titles }: Gutter): Gutter | null {
  const isLeft = (piece: Piece) => piece.x1 < x
  const first = rows.findIndex((row, i) => i >= from && row.pieces.some((piece) => !isLeft(piece)))
  const last = rows.findLastIndex((row, i) => i < to && row.pieces.some((piece) => !isLeft(piece)))
  if (first < 0 || first >= to || last < from) return null
  // The left column may begin one line before the right column, and end long after it.
  let begin = first
  while (begin > from && rows[begin]!.y - rows[begin - 1]!.y < 1.6 * rows[begin]!.size && begin > first - 2) begin--
  return last + 1 - begin >= LINES ? { from: begin, to: Math.max(last + 1, begin), x, titles } : null
}

/** Whether these are lines of prose: most of them are as long as their column is wide. */
function isProse(side: readonly Piece[]): boolean {
  if (side.length < LINES) return false
  const left = Math.min(...side.map(({ x0 }) => x0))
  const right = Math.max(...side.map(({ x1 }) => x1))
  const full = side.filter(({ x0, x1 }) => x1 - x0 > 0.65 * (right - left))
  const letters = side.reduce((sum, { text }) => sum + text.length, 0)
  const words = side.filter(({ text }) => /[a-z]{3}/i.test(text)).length
  return full.length > 0.5 * side.length && letters / side.length > 20 && words > 0.9 * side.length
}

/**
 * Whether the left side has titles: a few lines in bold or in larger letters, next to a larger number of long lines at
 * the right.
 */
function areTitles(left: readonly Piece[], right: readonly Piece[]): boolean {
  const letters = right.reduce((sum, { text }) => sum + text.length, 0) / right.length
  const apart = left.filter(({ bold, size }) => bold || size > 1.05 * right[0]!.size)
  return left.length >= 2 && left.length < right.length && letters > 40 && apart.length > 0.7 * left.length
}

function isRuled(rows: readonly Row[], { from, to, x }: Gutter, rules: readonly Rule[]): boolean {
  const [top, bottom] = [rows[from]!.y, rows[to - 1]!.y]
  const across = rules.filter(
    (rule) => rule.y1 - rule.y0 < 3 && rule.x0 < x - 20 && rule.x1 > x + 20 && rule.y0 > top && rule.y1 < bottom,
  )
  return across.length >= 2
}
