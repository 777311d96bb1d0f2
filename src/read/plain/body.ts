/** Builds the rows of a text table: puts each cell into its column, and joins wrapped labels. */
import { isNumeric } from '../html/joined.ts'
import type { Cell } from './cells.ts'
import { type Column, isOverrun } from './columns.ts'
import type { ReadLine } from './lines.ts'

interface Row {
  texts: string[]
  /** Number of blanks before the label. */
  indent: number
  /** Whether the row is directly below the row before: no blank line and no rule is between them. */
  isAdjacent: boolean
}

/**
 * `NUMBER` matches a number within a label that reaches over values. `DATE` matches the day and the year of a date,
 * which are part of the label and not a value.
 */
const NUMBER = /(?<!\S)[$(]*\d[\d,.]*\)?%?(?!\S)/
const DATE = /\b\d{1,2}, (?:19|20)\d\d\b/g

/** @returns the rows by column; null if it is not certain to which column or row each text belongs */
export function bodyOf(
  lines: readonly ReadLine[],
  columns: readonly Column[],
  tags: readonly number[],
): string[][] | null {
  const rows: Row[] = []
  const columnAt = columnsByCharacter(columns)
  let isAdjacent = false
  let overruns = 0
  for (const { kind, cells } of lines) {
    if (kind === 'unread' || kind === 'dashes') return null
    if (kind === 'cells') {
      const overrun = isOverrun(cells, tags)
      // Two long texts one below the other are a paragraph and not labels, so the table is not converted.
      overruns = overrun && isAdjacent ? overruns + 1 : Number(overrun)
      const texts =
        overruns > 1 ? null : overrun ? labelOf(cells[0]!, columns) : textsOf(cells, columns.length, columnAt)
      if (texts === null) return null
      rows.push({ texts, indent: cells[0]!.start, isAdjacent })
    }
    isAdjacent = kind === 'cells'
  }
  if (rows.some((row, at) => at > 0 && mayContinue(row, rows[at - 1]!))) return null
  const joined = withoutWraps(withoutOpen(rows))
  return joined.length > 0 && joined.every(isWhole) ? joined.map(({ texts }) => texts) : null
}

/** Returns the number of the column of each character; a cell is in the column of its first character. */
function columnsByCharacter(columns: readonly Column[]): Int16Array {
  const columnAt = new Int16Array(columns.at(-1)!.end)
  for (const [column, { start, end }] of columns.entries()) columnAt.fill(column, start, end)
  return columnAt
}

function textsOf(cells: readonly Cell[], columns: number, columnAt: Int16Array): string[] | null {
  const texts = new Array<string>(columns).fill('')
  for (const { start, text } of cells) {
    const column = columnAt[start]!
    if (texts[column] === '') texts[column] = text
    else if (column > 0) return null
    else texts[0] += ` ${text}`
  }
  return texts
}

/** Reads a label that reaches over values; null if it may have a value at its end. */
function labelOf({ text, start }: Cell, columns: readonly Column[]): string[] | null {
  const over = text.slice(Math.max(columns[0]!.end - start, 0)).replace(DATE, '')
  return NUMBER.test(over) ? null : columns.map((_, column) => (column === 0 ? text : ''))
}

const isLabel = ({ texts }: Row) => texts[0] !== '' && texts.every((text, column) => column === 0 || text === '')
/**
 * Matches the rest of a label. The rest begins with a small letter, possibly after a parenthesis, or it refers to a
 * note.
 */
const REST = /^(?:\p{Ll}|\((?:\p{Ll}{4}|Notes? ))/u
const isLower = ({ texts }: Row) => REST.test(texts[0]!)

/**
 * Whether a row has a label or a number. A row with neither continues cells above it, and it is not certain where these
 * cells end.
 */
const isWhole = ({ texts }: Row) => texts[0] !== '' || texts.some(isNumeric)

/**
 * Whether a line without a label may continue the line directly above it: it has a text that may continue the text
 * above it, and the line above is empty in each column in which this line has a number.
 */
const mayContinue = (row: Row, above: Row) =>
  row.isAdjacent &&
  row.texts[0] === '' &&
  row.texts.some((text, column) => text !== '' && !isNumeric(text) && above.texts[column] !== '') &&
  row.texts.every((text, column) => !isNumeric(text) || above.texts[column] === '')

/** Matches a label that cannot be complete: a parenthesis is open, or the last word needs a further word. */
const OPEN = /\([^()]*$|\s(?:of|and|or|the|to|for|from|in|at|by|on|with|a|an)$/

/** Maximum length of a label to which another line is joined. */
const LABEL_MAX = 400

/** Joins a label that cannot end with its line, and the label below it. */
function withoutOpen(rows: readonly Row[]): Row[] {
  const joined: Row[] = []
  for (const row of rows) {
    const last = joined.at(-1)
    const isRest =
      last !== undefined &&
      row.isAdjacent &&
      isLabel(last) &&
      last.texts[0]!.length < LABEL_MAX &&
      OPEN.test(last.texts[0]!) &&
      row.texts[0] !== ''
    if (isRest)
      joined[joined.length - 1] = {
        ...last,
        texts: row.texts.map((text, j) => (j === 0 ? `${last.texts[0]!} ${text}` : text)),
      }
    else joined.push(row)
  }
  return joined
}

/**
 * Joins a label that continues in the next line, which then begins with a small letter. If any row that begins with a
 * small letter cannot be joined, the filer writes labels in small letters, and nothing is joined.
 */
function withoutWraps(rows: readonly Row[]): Row[] {
  const joined: Row[] = []
  for (const [at, row] of rows.entries()) {
    const last = joined.at(-1)
    if (!isLower(row)) {
      joined.push(row)
      continue
    }
    const isWrap =
      last !== undefined &&
      row.isAdjacent &&
      !/[:]$/.test(last.texts[0]!) &&
      last.texts[0] !== '' &&
      row.indent >= last.indent &&
      (isLabel(last) ||
        (isLabel(row) && row.indent > last.indent && !(rows[at + 1]?.isAdjacent && isLower(rows[at + 1]!))))
    if (!isWrap) return [...rows]
    const texts = last.texts.map((text, column) => `${text} ${row.texts[column]!}`.trim())
    joined[joined.length - 1] = { texts, indent: last.indent, isAdjacent: last.isAdjacent }
  }
  return joined
}
