/**
 * Reads fee tables as text, in the Markdown of a prospectus. Items stand in rows, with a class in each column. Funds
 * with one class, and portfolios next to each other, may have items in columns (iShares).
 */
import type { Fee } from '../fees.ts'
import { type Item, itemOf } from './items.ts'
import { type Row, type Table, tablesOf } from './set-tables.ts'
import { isValue, readValue } from './values.ts'
import { waived } from './waivers.ts'

/** A fee without its series and class, which are not assigned yet. */
export interface WrittenFee extends Omit<Fee, 'series_id' | 'class_id'> {
  /** True if classes, or portfolios, stand in rows. */
  are_rows: boolean
}

const TABLES_MAX = 500
/** Every fee table has a line with one of these words. */
const LIKELY = /management|advis/i

/** Returns every fee table of a document, in the order of the document. The columns of a table are classes. */
export function feesOf(markdown: string): WrittenFee[] {
  const fees: WrittenFee[] = []
  let number = 1
  let above: Table | null = null
  for (const table of tablesOf(markdown)) {
    if (number > TABLES_MAX) break
    const isLikely = LIKELY.test(markdown.slice(table.start, table.end))
    const read = isLikely ? (inBlocks(table, above, number) ?? inColumns(table, number)) : null
    above = table
    if (read === null) continue
    number++
    fees.push(...read)
  }
  return fees
}

/**
 * Tests for a management fee and a total, which every fee table has; the amount after waivers can replace the total.
 */
const isWhole = (items: readonly (Item | null)[]) =>
  items.includes('management') && (items.includes('total') || items.includes('net'))

interface Named {
  row: Row
  item: Item
  label: string
}

/**
 * Splits a table into blocks, each with its own heads above the same items: a page was too narrow for all classes.
 */
function blocksOf({ rows }: Table): Row[][] {
  const starts = rows.flatMap((row, at) => (hasValues(row) && itemOf(row.cells[0] ?? '') === 'management' ? [at] : []))
  const cuts = starts.slice(1).flatMap((at) => {
    // The block begins below the last earlier row with values, and below the label that continues it.
    const last = rows.slice(0, at).findLastIndex(hasValues)
    const head = rows.findIndex(
      (row, i) => i > last && i < at && row.cells.slice(1).some((cell) => cell !== '') && !row.isRule,
    )
    return head < 0 ? [] : [head]
  })
  return [0, ...cuts].map((from, n) => rows.slice(from, cuts[n]))
}

/** Reads all blocks of a table; columns of later blocks follow those of earlier ones. */
function inBlocks(table: Table, above: Table | null, number: number): WrittenFee[] | null {
  const blocks = blocksOf(table)
  if (blocks.length === 1) return inRows(table, above, number)
  const fees: WrittenFee[] = []
  for (const rows of blocks) {
    const before = fees.reduce((most, { column }) => Math.max(most, column), 0)
    const own = inRows({ ...table, rows }, null, number)
    if (own === null) return inRows(table, above, number)
    fees.push(...own.map((fee) => ({ ...fee, column: fee.column + before })))
  }
  return fees
}

/** Reads a table with items in rows. Columns without any value only hold percent signs or spacing. */
function inRows(table: Table, above: Table | null, number: number): WrittenFee[] | null {
  const { rows } = table
  const all = rows.flatMap((row, at): Named[] => {
    if (!hasValues(row)) return []
    const label = labelOf(rows, at)
    const item = label === null ? null : itemOf(label)
    return item ? [{ row, item, label: label! }] : []
  })
  if (!isWhole(all.map(({ item }) => item))) return null
  const named = once(all)
  const width = named.reduce((most, { row }) => Math.max(most, row.cells.length), 0)
  const columns = Array.from({ length: width - 1 }, (_, i) => i + 1).filter((at) =>
    named.some(({ row }) => isValue(row.cells[at])),
  )
  const heads =
    headsOf(rows.slice(0, rows.indexOf(named[0]!.row)), columns) ?? (above && headsAbove(above, table, columns))
  return columns
    .flatMap((at, n) => {
      // A class without a waiver has an empty cell.
      const cells = named
        .map(({ row, item, label }) => ({ row, item, label, stated: row.cells[at] ?? '' }))
        .filter(({ stated }) => stated !== '')
      return valued(cells).map((cell) =>
        feeOf(cell, { table: number, column: n + 1, class_name: heads?.[n] ?? null, are_rows: false }),
      )
    })
    .sort((a, b) => a.start! - b.start! || a.column - b.column)
}

const hasValues = ({ cells }: Row) => cells.slice(1).some((cell) => isValue(cell))

/** Maximum number of lines by which a label extends below or above the row with the values. */
const LABEL_LINES = 3

/**
 * Returns the label of a row. A label that names no item may continue in rows below that have only a label ("Total
 * Annual Fund", then "Operating Expenses"). It may also begin in the row above ("Total Fund Operating Expenses", then
 * "(after waiver)").
 */
function labelOf(rows: readonly Row[], at: number): string | null {
  const own = rows[at]!.cells[0] ?? ''
  const begun = rows[at - 1]
  const isBegun = begun !== undefined && isLabelAlone(begun) && /^(?:total|net)\b/i.test(begun.cells[0]!)
  if (itemOf(own) !== null && !(isBegun && own.startsWith('('))) return own
  let label = isBegun ? `${begun.cells[0]} ${own}` : own
  for (let next = at + 1; next < rows.length && next < at + LABEL_LINES && isLabelAlone(rows[next]!); next++) {
    label += ` ${rows[next]!.cells[0]}`
  }
  return itemOf(label) !== null && /^(?:total|net)\b/i.test(label) ? label : null
}

const isLabelAlone = ({ cells, isRule }: Row) =>
  !isRule && (cells[0] ?? '') !== '' && cells.slice(1).every((cell) => cell === '')

/**
 * Returns each item once, by its first line. If several lines are other expenses, the line of their total counts, or
 * else a first line "Other expenses", which stands above its parts. Without either, none of these lines counts.
 */
function once(all: readonly Named[]): Named[] {
  const others = all.filter(({ item }) => item === 'other')
  const sum = others.findLast(({ label }) => /^total\b/i.test(label))
  const other = sum ?? (others.length <= 1 || isAbovePart(others) ? others[0] : undefined)
  return all.filter((one) => (one.item === 'other' ? one === other : all.find(({ item }) => item === one.item) === one))
}

const isAbovePart = ([first]: readonly Named[]) => /^other expenses$/i.test(first!.label)

interface Cell extends Named {
  stated: string
}

type Valued = Cell & Pick<Fee, 'value' | 'reason'>

/** Reads the values of a column, with the waiver below zero. */
function valued(cells: readonly Cell[]): Valued[] {
  const read = cells.map((cell) => ({ ...cell, ...readValue(cell.stated) }))
  const of = (item: Item) => read.find((cell) => cell.item === item)?.value ?? null
  return read.map((cell) => (cell.item === 'waiver' ? { ...cell, ...waived(cell, of('total'), of('net')) } : cell))
}

const feeOf = (
  { row, item, stated, value, reason }: Valued,
  of: Pick<WrittenFee, 'table' | 'column' | 'class_name' | 'are_rows'>,
): WrittenFee => ({ ...of, item, value, stated, reason, start: row.start, end: row.end })

/** Maximum number of rows between the table of shareholder fees and this one: the names of classes stand above both. */
const BETWEEN = 12

/**
 * Takes the names of the classes from the table of shareholder fees above, if that table has the same number of
 * columns.
 */
function headsAbove(above: Table, { line }: Table, columns: readonly number[]): (string | null)[] | null {
  if (line - above.lastLine > BETWEEN) return null
  const first = above.rows.findIndex((row) => hasCharges(row))
  if (first < 0) return null
  const width = above.rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const own = Array.from({ length: width - 1 }, (_, i) => i + 1).filter((at) =>
    above.rows.some((row) => !row.isRule && isCharge(row.cells[at])),
  )
  return own.length === columns.length ? headsOf(above.rows.slice(0, first), own) : null
}

const CHARGES = /\b(?:sales (?:charge|load)|redemption|deferred|exchange|wire|account|maintenance|repurchase)\b/i
const isCharge = (cell: string | undefined) => isValue(cell) || /^\$\s?[\d,.]+$/.test(cell ?? '')
const hasCharges = ({ cells }: Row) => CHARGES.test(cells[0] ?? '') && cells.slice(1).some((cell) => isCharge(cell))

const HEAD_LINES = 4
const TICKERS = /^\(?[A-Z]{4}X\)?$/

/**
 * Returns the names of classes: the nearest rows above the first item that have text and no value in each column. A
 * name may span several rows ("Class A", then "Shares").
 */
function headsOf(above: readonly Row[], columns: readonly number[]): string[] | null {
  let heads: string[] | null = null
  let lines = 0
  for (const row of above.toReversed()) {
    const cells = columns.map((at) => row.cells[at] ?? '')
    if (row.isRule || cells.every((cell) => cell === '') || cells.every((cell) => TICKERS.test(cell))) {
      if (heads !== null && !row.isRule) break
      continue
    }
    const isHead = cells.every((cell) => cell !== '' && !isCharge(cell))
    // Shareholder fees may stand between the names of the classes and the annual fees.
    if (!isHead && heads === null && (hasCharges(row) || cells.every((cell) => isCharge(cell)))) continue
    if (!isHead || ++lines > HEAD_LINES) break
    heads = heads === null ? cells : cells.map((cell, i) => `${cell} ${heads![i]}`)
  }
  return heads && withoutNotes(heads.map((head) => head.replace(/\s?\(?%\)?$/, '')))
}

/**
 * Removes numbers of notes if each of several names ends with one, and they count from 1: "A 1", "S 2". Those of "R 5"
 * and "R 6" are part of the names, as always with classes R and F.
 */
function withoutNotes(heads: string[]): string[] {
  const found = heads.map((head) => /^((?:class )?[A-Z]{1,2}) (\d{1,2})$/i.exec(head))
  const names = found.flatMap((each, at) => (each && Number(each[2]) === at + 1 ? [each[1]!] : []))
  const areNotes =
    names.length > 1 &&
    names.length === heads.length &&
    new Set(names).size === names.length &&
    !names.some((name) => /\b[RF]$/i.test(name))
  return areNotes ? names : heads
}

/**
 * Reads a table with items in the head, and below it the values of the fund, or of a class or portfolio in each row.
 */
function inColumns({ rows }: Table, number: number): WrittenFee[] | null {
  const at = rows.findIndex(({ cells }) => isWhole(cells.map(itemOf)))
  if (at < 0) return null
  const items = rows[at]!.cells.map(itemOf)
  const own = items.map((item, i) => (item !== null && items.indexOf(item) === i ? item : null))
  const names = items.indexOf(null)
  const values = rows
    .slice(at + 1)
    .filter((row) => !row.isRule && own.every((item, i) => item === null || isValue(row.cells[i])))
  return values.flatMap((row, n) => {
    const name = names < 0 ? '' : (row.cells[names] ?? '')
    const cells = own.flatMap((item, i) =>
      item === null ? [] : [{ row, item, label: rows[at]!.cells[i]!, stated: row.cells[i]! }],
    )
    return valued(cells).map((cell) =>
      feeOf(cell, { table: number, column: n + 1, class_name: name || null, are_rows: values.length > 1 }),
    )
  })
}
