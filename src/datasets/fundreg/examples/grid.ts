/** The tables of a prospectus as cells, for the readers of expense examples. */
import { plain } from '../fees/values.ts'
import { amountOf, periodOf } from './amounts.ts'

export interface GridRow {
  /** UTF-16 offsets of the line in the Markdown; `end` is exclusive. */
  start: number
  end: number
  cells: string[]
}

export interface Grid {
  rows: GridRow[]
  start: number
  end: number
}

const CELLS_MAX = 60
const ROWS_MAX = 120
const LINE_MAX = 4_000
/** Separates the cells of tables that are aligned with blanks. */
const PARTS = /\s{2,}|\.{3,}\s*|(?:\s\.){3,}\s*/
const RULE = /^[\s:=_|-]*$/

/**
 * Yields the tables between two offsets: lines of cells, and lines within fences, which are aligned with blanks. Skips
 * a table with more rows than an example has.
 */
export function* gridsIn(markdown: string, from: number, to: number): Generator<Grid> {
  let rows: GridRow[] = []
  let isFenced = false
  for (let at = from; at < to; ) {
    const stop = markdown.indexOf('\n', at)
    const end = stop < 0 ? markdown.length : stop
    const isFence = markdown.startsWith('```', at)
    const isRow = !isFence && (isFenced || markdown[at] === '|')
    if (isRow) rows.push({ start: at, end, cells: [] })
    else if (!isFenced && rows.length > 0) {
      yield* gridOf(markdown, rows, false)
      rows = []
    }
    if (isFence) {
      if (isFenced) yield* gridOf(markdown, rows, true)
      rows = []
      isFenced = !isFenced
    }
    at = end + 1
  }
  yield* gridOf(markdown, rows, isFenced)
}

function* gridOf(markdown: string, lines: readonly GridRow[], isFenced: boolean): Generator<Grid> {
  if (lines.length === 0 || lines.length > ROWS_MAX) return
  if (lines.some(({ start, end }) => end - start > LINE_MAX)) return
  const rows = lines.flatMap((line): GridRow[] => {
    const text = markdown.slice(line.start, line.end)
    if (RULE.test(text)) return []
    const cells = isFenced
      ? text
          .trim()
          .split(PARTS, CELLS_MAX)
          .filter((cell) => cell !== '')
      : text.split('|', CELLS_MAX).slice(1, -1)
    return [{ ...line, cells: withoutSigns(cells.map((cell) => cell.trim())) }]
  })
  if (rows.length === 0) return
  yield { rows: isFenced ? aligned(rows) : rows, start: lines[0]!.start, end: lines.at(-1)!.end }
}

/** Joins a dollar sign and the amount in the next cell. */
function withoutSigns(cells: readonly string[]): string[] {
  const whole = [...cells]
  for (let at = 0; at + 1 < whole.length; at++) {
    if (plain(whole[at]!) !== '$' || /^(?:\\?\$|$)/.test(whole[at + 1]!)) continue
    whole.splice(at, 2, '', `$${whole[at + 1]!}`)
  }
  return whole
}

/**
 * Puts the amounts and periods at the end of each line below each other. Blanks do not show to which column a value
 * belongs, so a line with fewer values than the widest line is a label.
 */
function aligned(rows: readonly GridRow[]): GridRow[] {
  const split = rows.map((row) => {
    const from = row.cells.findLastIndex((cell) => amountOf(cell) === null && periodOf(cell) === null) + 1
    return { row, label: row.cells.slice(0, from).join(' '), values: row.cells.slice(from) }
  })
  const width = split.reduce((most, { values }) => Math.max(most, values.length), 0)
  return split.map(({ row, label, values }) => ({
    ...row,
    cells: values.length === width ? [label, ...values] : [row.cells.join(' ')],
  }))
}
