/**
 * Finds tables in the Markdown of a document: tables with cells, and tables that are aligned with blanks, as before
 * 2001.
 */
import { isValue, plain } from './values.ts'

export interface Row {
  /** UTF-16 offsets of the row's line in the Markdown; `end` is exclusive. */
  start: number
  end: number
  /** Cells without emphasis, and without the numbers of footnotes. */
  cells: string[]
  /** Whether the row is the rule below the head. */
  isRule: boolean
}

export interface Table {
  /** Rows are computed on demand, since most tables of a prospectus are not fee tables. */
  readonly rows: readonly Row[]
  /** Numbers of the table's first and last line. Blank lines have no number. */
  line: number
  lastLine: number
  /** UTF-16 offsets in the Markdown. */
  start: number
  end: number
}

const ROWS_MAX = 500
/**
 * Maximum length of a line. A table has at most 256 columns. A longer row is not cut, since half a number would be a
 * different number.
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

/** Yields the tables in the order of the document. Skips a table with a row that is too long. */
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
    : withoutHalves(lines.slice(0, ROWS_MAX).map(({ start, end }) => rowOf(markdown.slice(start, end), start)))

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

/** A number that lacks its last digits ("0."), and digits that complete such a number. */
const [BEGUN, ENDED] = [/^[(-]{0,2}\d{1,2}\.$/, /^\d{1,2}\s?\)?\s?%\s?\)?$/]
/** Match "0.8" and "5%", which can be two halves of a number, or two values. */
const [HALF, DIGIT] = [/^[(-]{0,2}\d{0,2}\.\d$/, /^\d\s?\)?\s?%\s?\)?$/]

/** Joins a value that the filer split into two cells: "Non" and "e", "0." and "85%". */
const withoutSplits = (cells: readonly string[]): string[] =>
  joined(cells, (cell, next) => /^none$/i.test(cell + next) || (BEGUN.test(cell) && ENDED.test(next)))

function joined(cells: readonly string[], isSplit: (cell: string, next: string, at: number) => boolean): string[] {
  const whole = [...cells]
  for (let at = 0; at + 1 < whole.length; at++) {
    const [cell, next] = [whole[at]!, whole[at + 1]!]
    if (cell === '' || next === '' || !isSplit(cell, next, at)) continue
    whole.splice(at, 2, cell + next, '')
  }
  return whole
}

/**
 * Joins halves such as "0.8" and "5%" if the column of the second half has only halves and percent signs, and if
 * another row shows that this column belongs to the column before it. Otherwise the two numbers are the values of two
 * classes.
 */
function withoutHalves(rows: readonly Row[]): Row[] {
  const shown = rows.filter(({ isRule }) => !isRule)
  const isHalf = ({ cells }: Row, at: number) => HALF.test(cells[at] ?? '') && DIGIT.test(cells[at + 1] ?? '')
  const isSign = ({ cells }: Row, at: number) => /^[\s%)]*$/.test(cells[at] ?? '')
  const halves = new Set(shown.flatMap((row) => row.cells.flatMap((_, at) => (isHalf(row, at) ? [at] : []))))
  const columns = [...halves].filter(
    (at) =>
      shown.every((row) => isHalf(row, at) || isSign(row, at + 1)) &&
      shown.some((row) => (row.cells[at] ?? '') !== '' && isSign(row, at + 1)),
  )
  if (columns.length === 0) return [...rows]
  return rows.map((row) => ({
    ...row,
    cells: joined(row.cells, (_, __, at) => columns.includes(at) && isHalf(row, at)),
  }))
}

/** Maximum length of a line: text tables have 80 to 132 characters. */
const SET_MAX = 400
const PARTS = /\s{2,}|\.{3,}\s*|(?:\s\.){3,}\s*/

/** Matches the end of a label that states a limit or a rate. A percentage after such words is part of the label. */
const LIMITED =
  /\b(?:of|to|at|than|exceed\w*|over|up|above|below|under|by|from|least|most|max\w*|min\w*|limit\w*|cap\w*|between|and|or|plus|within|for|is|are)$|\([^)]*$/i

/** Separates a percentage from its label if only one blank is between the two. */
const withoutValue = (part: string): string[] => {
  const found = /(?<=\S)\s(\(?-?\d{0,2}\.\d{1,4}\s?%\)?)$/.exec(part)
  const label = part.slice(0, found?.index ?? 0)
  return found && /\p{L}/u.test(label) && !LIMITED.test(label) ? [label, found[1]!] : [part]
}

interface Split {
  parts: string[]
  label: string | null
  values: string[]
}

/** Splits a line into a label and the values at its end. */
function splitOf(pieces: readonly string[]): Split {
  const parts = pieces.map(plain).filter((part) => part !== '')
  const from = parts.findLastIndex((part) => !isValue(part)) + 1
  const isRow = from > 0 && from < parts.length
  return { parts, label: isRow ? parts.slice(0, from).join(' ') : null, values: isRow ? parts.slice(from) : [] }
}

/** Returns the most common number of values in a row; 0 if no row has values. */
function widthOf(splits: readonly Split[]): number {
  const counts = Map.groupBy(
    splits.filter(({ values }) => values.length > 0),
    ({ values }) => values.length,
  )
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 0
}

/** Splits a table that is aligned with blanks into cells. Two or more blanks, or dots, separate cells. */
function setWithBlanks(markdown: string, lines: readonly Span[]): Row[] {
  const short = lines.filter(({ start, end }) => end - start <= SET_MAX).slice(0, ROWS_MAX)
  const split = short.map(({ start, end }) => {
    const line = markdown.slice(start, end).trimEnd()
    const pieces = line.trimStart().split(PARTS)
    const apart = pieces.flatMap(withoutValue)
    const place = { length: line.length, last: line.length - pieces.at(-1)!.length }
    return { start, end, ...place, whole: splitOf(pieces), apart: apart.length > pieces.length ? splitOf(apart) : null }
  })
  // Blanks do not show to which column a value belongs, so only rows with the most common number of values are read.
  const width =
    widthOf(split.filter(({ apart }) => apart === null).map(({ whole }) => whole)) ||
    widthOf(split.flatMap(({ apart }) => apart ?? []))
  // In a table with one column of values, a text that ends before the column is a label, and no head of the column.
  const column = split.reduce(
    (least, { whole, last }) => (whole.values.length === 1 ? Math.min(least, last) : least),
    SET_MAX,
  )
  return split.map(({ start, end, length, whole, apart }): Row => {
    // A percentage at the end of a label is a value only if the row otherwise has too few values.
    const isApart = apart !== null && whole.values.length !== width && apart.values.length === width
    const { parts, label, values } = isApart ? apart : whole
    const isLabel = width === 1 && parts.length === 1 && length <= column
    const isHead = label === null && width > 0 && !isLabel && (parts.length === width || parts.length === width + 1)
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
