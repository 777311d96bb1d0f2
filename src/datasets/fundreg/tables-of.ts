/** Tables in the Markdown of a document: those with cells, and those that are set with blanks, as before 2001. */
import { isValue, plain } from './fee-values.ts'

export interface Row {
  /** UTF-16 offsets of its line in the Markdown; `end` is exclusive. */
  start: number
  end: number
  /** Without emphasis and numbers of notes. */
  cells: string[]
  /** The rule below the head. */
  isRule: boolean
}

export interface Table {
  rows: Row[]
  /** Numbers of its first and last line among those that are not blank. */
  line: number
  lastLine: number
}

const ROWS_MAX = 500
/** A table has at most 256 columns. A longer row is not cut, since half a number would be another one. */
const LINE_MAX = 40_000
const CELLS_MAX = 400

/** The tables in their order. Of one with a row that is too long nothing is read. */
export function* tablesOf(markdown: string): Generator<Table> {
  let table: Table | null = null
  let fenced: { start: number; end: number; text: string }[] | null = null
  let isTooWide = false
  let after = -1
  let number = 0
  for (const { start, end } of linesOf(markdown)) {
    number++
    const isCells = fenced === null && markdown[start] === '|'
    if (table && (!isCells || start !== after + 1)) {
      yield isTooWide ? { ...table, rows: [] } : table
      table = null
      isTooWide = false
    }
    if (isCells) {
      table ??= { rows: [], line: number, lastLine: number }
      table.lastLine = number
      if (end - start > LINE_MAX) isTooWide = true
      else if (table.rows.length < ROWS_MAX) table.rows.push(rowOf(markdown.slice(start, end), start))
    } else if (markdown.startsWith('```', start)) {
      if (fenced) yield setWithBlanks(fenced, number)
      fenced = fenced ? null : []
    } else if (fenced && fenced.length < ROWS_MAX && end - start <= SET_MAX) {
      fenced.push({ start, end, text: markdown.slice(start, end) })
    }
    after = end
  }
  if (table) yield isTooWide ? { ...table, rows: [] } : table
}

function* linesOf(markdown: string): Generator<{ start: number; end: number }> {
  for (let at = 0; at <= markdown.length; ) {
    const stop = markdown.indexOf('\n', at)
    const end = stop < 0 ? markdown.length : stop
    if (end > at) yield { start: at, end }
    at = end + 1
  }
}

function rowOf(text: string, start: number): Row {
  const cells = text.split('|', CELLS_MAX).slice(1, -1)
  return {
    start,
    end: start + text.length,
    cells: cells.map(plain),
    isRule: cells.length > 0 && cells.every((cell) => /^\s*:?-{3,}:?\s*$/.test(cell)),
  }
}

/** Lines of text tables have 80 to 132 signs. */
const SET_MAX = 400
const PARTS = /\s{2,}|\.{3,}\s*|(?:\s\.){3,}\s*/

/** A table set with blanks: what stands two blanks or more apart, or behind dots, are cells. */
function setWithBlanks(lines: readonly { start: number; end: number; text: string }[], number: number): Table {
  const split = lines.map(({ start, end, text }) => {
    const parts = text.trim().split(PARTS).map(plain).filter((part) => part !== '') // biome-ignore format: one line
    const from = parts.findLastIndex((part) => !isValue(part)) + 1
    const isRow = from > 0 && from < parts.length
    return { start, end, parts, label: isRow ? parts.slice(0, from).join(' ') : null, values: isRow ? parts.slice(from) : [] } // biome-ignore format: one line
  })
  // Cells have no places here, so rows are only read that have as many values as most have.
  const counts = Map.groupBy(split.filter(({ values }) => values.length > 0), ({ values }) => values.length) // biome-ignore format: one line
  const width = [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 0
  const rows = split.map(({ start, end, parts, label, values }): Row => {
    const isHead = label === null && width > 0 && (parts.length === width || parts.length === width + 1)
    const cells = label !== null
      ? values.length === width ? [label, ...values] : [label]
      : isHead ? [...(parts.length > width ? [parts[0]!] : ['']), ...parts.slice(-width)] : [parts.join(' ')] // biome-ignore format: three kinds of lines
    return { start, end, cells, isRule: parts.length > 0 && parts.every((part) => /^[-=_]+$/.test(part)) }
  })
  return { rows, line: number - lines.length, lastLine: number }
}
