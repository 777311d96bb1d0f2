/**
 * Reads fee tables as text, in the Markdown of a prospectus. Usually each row is an item, and each column is a class.
 * In tables of funds with one class, and of several portfolios, each column may be an item (iShares).
 */
import type { Fee } from '../fees.ts'
import { type Item, itemOf } from './items.ts'
import { type Row, type Table, tablesOf } from './set-tables.ts'
import { isValue, NOT_APPLICABLE, readValue } from './values.ts'
import { waived } from './waivers.ts'

/** A fee without its series and class, which are not assigned yet. */
export interface WrittenFee extends Omit<Fee, 'series_id' | 'class_id'> {
  /** Whether each row of the table is a class or a portfolio. */
  are_rows: boolean
}

const TABLES_MAX = 500
/** Every fee table has a line with one of these words. */
const LIKELY = /management|advis/i

/**
 * Returns the fees of every fee table of a document, in the order of the document. Each class or portfolio is a column
 * in the result, even if it is a row of the table.
 */
export const feesOf = (markdown: string): WrittenFee[] => feesIn(markdown).fees

/** Fees of a document, and the fee tables from which no fee was read. */
export interface WrittenFees {
  fees: WrittenFee[]
  /** UTF-16 offsets in the Markdown. */
  unread: { start: number; end: number }[]
}

/** Does the same as `feesOf`, and also returns the fee tables from which no fee was read. */
export function feesIn(markdown: string): WrittenFees {
  const [fees, unread]: [WrittenFee[], WrittenFees['unread']] = [[], []]
  let number = 1
  let above: Table | null = null
  for (const table of tablesOf(markdown)) {
    if (number > TABLES_MAX) break
    const isLikely = LIKELY.test(markdown.slice(table.start, table.end))
    const read = isLikely ? (inBlocks(table, above, number) ?? inColumns(table, number)) : null
    above = table
    if (read === null) {
      if (isLikely && isOfFees(table)) unread.push({ start: table.start, end: table.end })
      continue
    }
    number++
    fees.push(...read)
  }
  return { fees, unread }
}

/** Matches a number with a unit of fees. The amounts of a statement of operations have none. */
const IN_PERCENT = /\d\s?\)?\s?(?:%|bps?\b|basis points?|per ?cent)/i

/** Tests for a table that has the labels of a fee table, and a percentage next to at least one of these labels. */
const isOfFees = ({ rows }: Table): boolean =>
  isWhole(rows.map(({ cells }) => itemOf(cells[0] ?? ''))) &&
  rows.some(({ cells }) => itemOf(cells[0] ?? '') !== null && cells.slice(1).some((cell) => IN_PERCENT.test(cell)))

/**
 * Tests for a management fee and a total, which every fee table has. The amount after waivers may replace the total.
 */
const isWhole = (items: readonly (Item | null)[]) =>
  items.includes('management') && (items.includes('total') || items.includes('net'))

interface Named {
  row: Row
  item: Item
  label: string
}

interface Block {
  rows: Row[]
  /** Name of the fund or class in a line above the first item; null if the block begins with heads of columns. */
  title: string | null
  /** Whether the block has column heads of its own, or is the first block. */
  isHeaded: boolean
}

/**
 * Splits a table into blocks, each with the same items. A block has its own heads if a page was too narrow for all
 * classes. A block has only a title if the table lists the funds, or the classes, below each other.
 */
function blocksOf({ rows }: Table): Block[] {
  const starts = rows.flatMap((row, at) => (hasValues(row) && itemOf(row.cells[0] ?? '') === 'management' ? [at] : []))
  // Computed once for each row: `itemOf` is expensive, and a hostile table has only rows of management fees.
  const sums = starts.length > 1 ? rows.map((row) => hasValues(row) && isSum(itemOf(row.cells[0] ?? ''))) : []
  let from = 0
  const cuts = starts.slice(1).flatMap((at) => {
    // The block begins below two rows: the last earlier row that has values, and the label that continues that row.
    const last = rows.slice(0, at).findLastIndex(hasValues)
    const head = rows.findIndex(
      (row, i) => i > last && i < at && row.cells.slice(1).some((cell) => cell !== '') && !row.isRule,
    )
    const title = head < 0 && sums.lastIndexOf(true, at) >= from ? titleAbove(rows, at) : null
    if (head < 0 && title === null) return []
    from = head < 0 ? at : head
    return [{ from, isHeaded: head >= 0, title }]
  })
  const isTitled = cuts.some(({ title }) => title !== null)
  const first = { from: 0, isHeaded: true, title: isTitled ? titleAbove(rows, starts[0]!) : null }
  return [first, ...cuts].map(({ from: begin, ...block }, n) => ({ ...block, rows: rows.slice(begin, cuts[n]?.from) }))
}

const isSum = (item: Item | null) => item === 'total' || item === 'net'

/** Words of headings about fees. A line with such a word does not name a fund or a class. */
const OF_FEES = /\b(?:expenses?|fees?|annual|percentage|pay|paid|continued|example|shareholder transaction)\b/i

/**
 * Returns the nearest of the `LABEL_LINES` lines above a row that can be the name of a fund or a class. Skips lines
 * about fees. Returns null if a row with several cells comes first.
 */
function titleAbove(rows: readonly Row[], at: number): string | null {
  for (const row of rows.slice(Math.max(0, at - LABEL_LINES), at).toReversed()) {
    if (row.isRule || row.cells.every((cell) => cell === '')) continue
    if (!isLabelAlone(row)) return null
    if (!OF_FEES.test(row.cells[0]!)) return row.cells[0]!
  }
  return null
}

/** Reads all blocks of a table; columns of later blocks follow those of earlier blocks. */
function inBlocks(table: Table, above: Table | null, number: number): WrittenFee[] | null {
  const blocks = blocksOf(table)
  if (blocks.length === 1) return inRows(table, above, number)
  const fees: WrittenFee[] = []
  const heads = new Map<number, string | null>()
  for (const { rows, title, isHeaded } of blocks) {
    const before = fees.reduce((most, { column }) => Math.max(most, column), 0)
    const own = inRows({ ...table, rows }, null, number)
    if (own === null && title === null) return inRows(table, above, number)
    if (isHeaded) for (const { column, class_name } of own ?? []) heads.set(column, class_name)
    for (const fee of own ?? []) {
      const head = isHeaded ? fee.class_name : (heads.get(fee.column) ?? null)
      const name = [title, head].filter((part) => part !== null).join(' ') || null
      // A title can name a different fund from the heading above the table. So a fee gets a series only if its class is
      // known.
      fees.push({ ...fee, column: fee.column + before, class_name: name, are_rows: title !== null })
    }
  }
  return fees
}

/**
 * Reads a table with items in rows. Columns without any value contain only percent signs or spacing, and are skipped.
 */
function inRows(table: Table, above: Table | null, number: number): WrittenFee[] | null {
  const { rows } = table
  const all = withTotal(
    rows,
    rows.flatMap((row, at): Named[] => {
      if (!hasValues(row)) return []
      return namedAt(rows, at)
    }),
  )
  const whole = withWords(rows, all)
  if (!isWhole(whole.map(({ item }) => item))) return null
  const named = once(whole)
  const columns = columnsOf(named)
  const heads =
    headsOf(rows.slice(0, rows.indexOf(named[0]!.row)), columns) ?? (above && headsAbove(above, table, columns))
  return columns
    .flatMap((at, n) => {
      // A class without a waiver has an empty cell.
      const cells = named
        .map(({ row, item, label }) => ({ row, item, label, stated: row.cells[at] ?? '' }))
        .filter(({ stated }) => stated !== '')
      return single(valued(cells)).map((cell) =>
        feeOf(cell, { table: number, column: n + 1, class_name: heads?.[n] ?? null, are_rows: false }),
      )
    })
    .sort((a, b) => a.start! - b.start! || a.column - b.column)
}

/** Returns the row with its item; an empty list if its label names none. */
function namedAt(rows: readonly Row[], at: number): Named[] {
  const label = labelOf(rows, at)
  const item = label === null ? null : itemOf(label)
  return item ? [{ row: rows[at]!, item, label: label! }] : []
}

/**
 * Adds rows whose item no other row states, and that have words in the columns of the percentages: "see note 3". Such a
 * row has no value. Without it the table might have no management fee or no total, and would not be read at all.
 */
function withWords(rows: readonly Row[], all: readonly Named[]): readonly Named[] {
  if (!all.some(({ item }) => item === 'management' || isSum(item))) return all
  const columns = columnsOf(all)
  const stated = new Set(all.map(({ item }) => item))
  const others = rows.flatMap((row, at) =>
    row.isRule || hasValues(row) || !columns.some((column) => isWords(row.cells[column]))
      ? []
      : namedAt(rows, at).filter(({ item }) => !stated.has(item)),
  )
  return [...all, ...others].sort((a, b) => rows.indexOf(a.row) - rows.indexOf(b.row))
}

const isWords = (cell: string | undefined): boolean => cell !== undefined && /[\p{L}\d]/u.test(cell)

const TOTAL_ALONE = /^total:?$/i
/** Half a step of a percentage with two decimals, and a margin for binary fractions. */
const ROUNDING = 0.0051

/** Adds a last row "Total" if no other row is the total, and if it is the sum of the items in each column. */
function withTotal(rows: readonly Row[], all: readonly Named[]): readonly Named[] {
  const items = all.map(({ item }) => item)
  if (!items.includes('management') || items.some(isSum)) return all
  const [row, ...others] = rows.filter((one) => hasValues(one) && TOTAL_ALONE.test(one.cells[0] ?? ''))
  if (!row || others.length > 0 || rows.indexOf(row) < rows.indexOf(all.at(-1)!.row)) return all
  const amount = (cell: string | undefined) => Number(isValue(cell) ? (readValue(cell!).value ?? 0) : 0)
  const isSumOf = row.cells.every((cell, at) => {
    if (at === 0 || !isValue(cell)) return true
    const sum = all.reduce((parts, { row: part }) => parts + amount(part.cells[at]), 0)
    return Math.abs(sum - amount(cell)) < ROUNDING
  })
  return isSumOf ? [...all, { row, item: 'total', label: row.cells[0]! }] : all
}

/** Returns the positions of the columns with values. */
function columnsOf(named: readonly Named[]): number[] {
  const width = named.reduce((most, { row }) => Math.max(most, row.cells.length), 0)
  const all = Array.from({ length: width - 1 }, (_, i) => i + 1).flatMap((at) => {
    const values = named.flatMap(({ row }) => (isValue(row.cells[at]) ? [row.cells[at]!] : []))
    return values.length > 0 ? [{ at, areMarks: values.every((value) => IS_MARK.test(value)) }] : []
  })
  // Next to a column of percentages, a column of whole numbers has the numbers of notes.
  const own = all.some(({ areMarks }) => !areMarks) ? all.filter(({ areMarks }) => !areMarks) : all
  return own.map(({ at }) => at)
}

const IS_MARK = /^\d{1,2}$/

const hasValues = ({ cells }: Row) => cells.slice(1).some((cell) => isValue(cell))

/** Matches the end of a label that continues in the next row. */
const UNENDED = /(?:\b(?:after|and|or|of|less|the|any|for|with)|[,/&–-])$/i
/** Matches the row "(after fee waiver)" below a sum. It shows that the sum is the net amount. */
const REMAINS = /^\(?(?:after|net of|including|reflecting)\b/i
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
  const isRest = isBegun && (/^[(a-z]/.test(own) || UNENDED.test(begun.cells[0]!))
  const after = rows[at + 1]
  if (isSum(itemOf(own)) && after !== undefined && isLabelAlone(after) && REMAINS.test(after.cells[0]!))
    return `${own} ${after.cells[0]}`
  if (itemOf(own) !== null && !isRest) return own
  let label = isBegun ? `${begun.cells[0]} ${own}` : own
  for (let next = at + 1; next < rows.length && next < at + LABEL_LINES && isLabelAlone(rows[next]!); next++) {
    label += ` ${rows[next]!.cells[0]}`
  }
  return itemOf(label) !== null && /^(?:total|net)\b/i.test(label) ? label : null
}

const isLabelAlone = ({ cells, isRule }: Row) =>
  !isRule && (cells[0] ?? '') !== '' && cells.slice(1).every((cell) => cell === '')

/**
 * Selects the lines of each item:
 *
 * - The total and the net amount: the first line; a sum that excludes some expenses only if there is no other line.
 * - Any other item with several lines: the line with its total.
 * - Other expenses without a total: a first line "Other expenses" above its parts, or else no line.
 * - Any other item without a total: all its lines.
 */
function once(all: readonly Named[]): Named[] {
  return [...Map.groupBy(all, ({ item }) => item)]
    .flatMap(([item, lines]) => {
      if (isSum(item)) return lines.find(({ label }) => !IS_PART.test(label)) ?? lines[0]!
      const sum = lines.findLast(({ label }) => /^total\b/i.test(label))
      if (sum || item !== 'other') return sum ?? lines
      return lines.length === 1 || isAbovePart(lines) ? lines[0]! : []
    })
    .sort((a, b) => all.indexOf(a) - all.indexOf(b))
}

/** Matches a sum without some of the expenses: "Total expenses excluding interest". */
const IS_PART = /\b(?:exclud\w+|exclusive of)\b/i

const isAbovePart = ([first]: readonly Named[]) => /^other expenses$/i.test(first!.label)

interface Cell extends Named {
  stated: string
}

type Valued = Cell & Pick<Fee, 'value' | 'reason'>

/** Reads the values of a column. A waiver gets a negative value. */
function valued(cells: readonly Cell[]): Valued[] {
  const read = cells.map((cell) => ({ ...cell, ...readValue(cell.stated) }))
  const of = (item: Item) => read.find((cell) => cell.item === item)?.value ?? null
  return read.map((cell) => (cell.item === 'waiver' ? { ...cell, ...waived(cell, of('total'), of('net')) } : cell))
}

/**
 * Keeps one line of each item of a column. Two waivers, or two distribution fees, are parts of an amount that no line
 * states. Then the one line that is kept gets no value.
 */
function single(cells: readonly Valued[]): Valued[] {
  return [...Map.groupBy(cells, ({ item }) => item).values()].flatMap((lines) => {
    const amounts = lines.filter(({ value }) => value !== null && Number(value) !== 0)
    const one = amounts[0] ?? lines[0]!
    const areRead = lines.every(({ value, reason }) => value !== null || reason === NOT_APPLICABLE)
    const isOne = lines.length === 1 || (areRead && amounts.length < 2)
    return isOne ? one : { ...one, value: null, reason: 'several lines state a part of it' }
  })
}

const feeOf = (
  { row, item, stated, value, reason }: Valued,
  of: Pick<WrittenFee, 'table' | 'column' | 'class_name' | 'are_rows'>,
): WrittenFee => ({ ...of, item, value, stated, reason, start: row.start, end: row.end })

/**
 * Maximum number of rows between the table of shareholder fees and this table. The names of the classes are above both
 * tables.
 */
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

/** Matches words that are not the name of a class: "$20 a year", "2.00% within 30 days". */
const IS_AMOUNT = /\$\s?\d|\d\s?%/
const HEAD_LINES = 4
const TICKERS = /^\(?[A-Z]{4}X\)?$/
/** Matches a ticker after the name of a class: "Class A (ABCDX)". */
const TICKER_AFTER = /\s\(?[A-Z]{4}X\)?$/

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
    const isHead = cells.every((cell) => cell !== '' && !isCharge(cell) && !IS_AMOUNT.test(cell))
    // Shareholder fees may come between the names of the classes and the annual fees.
    if (!isHead && heads === null && (hasCharges(row) || cells.every((cell) => isCharge(cell) || IS_AMOUNT.test(cell))))
      continue
    if (!isHead || ++lines > HEAD_LINES) break
    heads = heads === null ? cells : cells.map((cell, i) => `${cell} ${heads![i]}`)
  }
  return heads && withoutNotes(heads.map((head) => head.replace(/\s?\(?%\)?$/, '').replace(TICKER_AFTER, '')))
}

/**
 * Removes numbers of notes if each of several names ends with a number, and the numbers count from 1: "A 1", "S 2". The
 * numbers of "R 5" and "R 6" are part of the names. Numbers after R and F are always part of the name.
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
 * Reads a table whose head names the items. Each row below the head has the values of a fund, a class or a portfolio.
 */
function inColumns({ rows }: Table, number: number): WrittenFee[] | null {
  const at = rows.findIndex(({ cells }) => isWhole(cells.map(itemOf)))
  if (at < 0) return null
  const items = rows[at]!.cells.map(itemOf)
  const own = items.map((item, i) => (item !== null && items.indexOf(item) === i ? item : null))
  const names = items.indexOf(null)
  const values = rows.slice(at + 1).filter(({ cells, isRule }) => {
    const isNeeded = (item: Item | null) => isSum(item) || item === 'management'
    const isRead = (item: Item | null, i: number) =>
      isValue(cells[i]) || isWords(cells[i]) || (!isNeeded(item) && (cells[i] ?? '') === '')
    // Words may replace a percentage, but a row without any of the needed percentages has no fees.
    const isOfFees = own.some((item, i) => isNeeded(item) && isValue(cells[i]))
    return !isRule && isOfFees && own.every((item, i) => item === null || isRead(item, i))
  })
  return values.flatMap((row, n) => {
    const stated = names < 0 ? '' : (row.cells[names] ?? '')
    // If this column has values, it is the column of another fee and has no names.
    const name = isValue(stated) || IS_AMOUNT.test(stated) ? '' : stated
    const cells = own.flatMap((item, i) =>
      item === null || (row.cells[i] ?? '') === ''
        ? []
        : [{ row, item, label: rows[at]!.cells[i]!, stated: row.cells[i]! }],
    )
    return valued(cells).map((cell) =>
      feeOf(cell, { table: number, column: n + 1, class_name: name || null, are_rows: values.length > 1 }),
    )
  })
}
