/** Finds tables in the Markdown of a document: those with cells, and those aligned with blanks, as before 2001. */
import { isValue, plain } from './values.ts'

export interface Row {
  /** UTF-16 offsets of its line in the Markdown; `end` is exclusive. */
  start: number
  end: number
  /** Without emphasis and numbers of footnotes. */
  cells: string[]
  /** The rule below the head. */
  isRule: boolean
}

export interface Table {
  /** Computed on demand: few tables of a prospectus are read. */
  readonly rows: readonly Row[]
  /** Numbers of its first and last line, counting lines that are not blank. */
  line: number
  lastLine: number
  /** UTF-16 offsets in the Markdown. */
  start: number
  end: number
}

const ROWS_MAX = 500
/**
 * Maximum length of a line. A table has at most 256 columns. A longer row is not cut, since half a number would be
 * another one.
 */
const LINE_MAX = 40_000
const CELLS_MAX = 400

interface Span {
  start: number
  end: number
}

interface Open {
  kind: 'cells' | 'blanks'
  lines: Span[]
  line: number
}

/** Yields the tables in their order. Skips a table with a row that is too long. */
export function* tablesOf(markdown: string): Generator<Table> {
  let open = null as Open | null
  let number = 0
  for (const span of linesOf(markdown)) {
    number++
    const isFence = markdown.startsWith('```', span.start)
    const isCells = markdown[span.start] === '|'
    const goesOn: boolean =
      open?.kind === 'blanks' ? !isFence : isCells && span.start === (open?.lines.at(-1)?.end ?? -2) + 1
    if (open && goesOn) open.lines.push(span)
    else {
      if (open) yield tableOf(markdown, open)
      const begins: Open['kind'] | null = isCells ? 'cells' : isFence && open?.kind !== 'blanks' ? 'blanks' : null
      open = begins ? { kind: begins, lines: [span], line: number } : null
    }
  }
  if (open) yield tableOf(markdown, open)
}

function tableOf(markdown: string, { kind, lines, line }: Open): Table {
  let made: Row[] | null = null
  return {
    line,
    lastLine: line + lines.length - 1,
    start: lines[0]!.start,
    end: lines.at(-1)!.end,
    get rows() {
      made ??= kind === 'cells' ? withCells(markdown, lines) : setWithBlanks(markdown, lines.slice(1))
      return made
    },
  }
}

const withCells = (markdown: string, lines: readonly Span[]): Row[] =>
  lines.some(({ start, end }) => end - start > LINE_MAX)
    ? []
    : lines.slice(0, ROWS_MAX).map(({ start, end }) => rowOf(markdown.slice(start, end), start))

function* linesOf(markdown: string): Generator<Span> {
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
    cells: withoutSplits(cells.map(plain)),
    isRule: cells.length > 0 && cells.every((cell) => /^\s*:?-{3,}:?\s*$/.test(cell)),
  }
}

/** Joins "Non" and "e" in two cells to one word. */
const withoutSplits = (cells: string[]): string[] => {
  const at = cells.findIndex(
    (cell, i) => cell !== '' && (cells[i + 1] ?? '') !== '' && /^none$/i.test(cell + cells[i + 1]!),
  )
  return at < 0
    ? cells
    : withoutSplits(cells.map((cell, i) => (i === at ? cell + cells[i + 1]! : i === at + 1 ? '' : cell)))
}

/** Maximum length of a line: text tables have 80 to 132 characters. */
const SET_MAX = 400
const PARTS = /\s{2,}|\.{3,}\s*|(?:\s\.){3,}\s*/

/** Splits a table aligned with blanks into cells: they stand two or more blanks apart, or after dots. */
function setWithBlanks(markdown: string, lines: readonly Span[]): Row[] {
  const short = lines.filter(({ start, end }) => end - start <= SET_MAX).slice(0, ROWS_MAX)
  const split = short.map(({ start, end }) => {
    const parts = markdown
      .slice(start, end)
      .trim()
      .split(PARTS)
      .map(plain)
      .filter((part) => part !== '')
    const from = parts.findLastIndex((part) => !isValue(part)) + 1
    const isRow = from > 0 && from < parts.length
    return {
      start,
      end,
      parts,
      label: isRow ? parts.slice(0, from).join(' ') : null,
      values: isRow ? parts.slice(from) : [],
    }
  })
  // Cells have no columns here, so only rows with the most common number of values are read.
  const counts = Map.groupBy(
    split.filter(({ values }) => values.length > 0),
    ({ values }) => values.length,
  )
  const width = [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 0
  return split.map(({ start, end, parts, label, values }): Row => {
    const isHead = label === null && width > 0 && (parts.length === width || parts.length === width + 1)
    const cells =
      label !== null
        ? values.length === width
          ? [label, ...values]
          : [label]
        : isHead
          ? [...(parts.length > width ? [parts[0]!] : ['']), ...parts.slice(-width)]
          : [parts.join(' ')]
    return { start, end, cells, isRule: parts.length > 0 && parts.every((part) => /^[-=_]+$/.test(part)) }
  })
}
