/**
 * Joins cells that people read as one value: a currency sign, a number, and the closing parenthesis or percent sign of
 * the number.
 */
import type { Cell } from './table.ts'

/** A value of a table: the text of one cell, or of several cells that belong together. */
export interface Value {
  cells: Cell[]
  /** The text without Markdown, for comparisons. */
  plain: string
  start: number
  end: number
  /** Whether the value spans columns that other rows fill one by one. */
  wide: boolean
  /** The column in which the value is placed: its last column for a number, its first column for words. */
  anchor: number
}

/** Maximum number of empty columns between a currency sign and its number. */
const GAP_MAX = 1
const CURRENCY =
  /^(?:(?:US|U\.S\.|C|CA|A|AU|HK|NT|NZ|S|R|MX|Cdn|CAD)?\s?[$€£¥₩₹₪]\s?\(?|(?:USD|EUR|GBP|JPY|CAD|RMB|CHF|NIS|Rs\.?)\s?\(?|\()$/i
const CLOSING = /^(?:\)|%|\)\s?%|%\s?\)|pts?\.?|bps)$/
/**
 * Matches the mark of a note: a letter or a Roman number in parentheses, or stars and daggers. Arabic numbers are
 * excluded, since a number in parentheses may be a value below zero.
 */
const NOTE = /^(?:\((?:[a-z]|[ivx]{1,4})\)|[*†‡#]{1,3})(?:\s?\([a-z]\))*$/i
const NUMERIC =
  /^[-–—+(]?\s?(?:US|C|HK|RMB)?[$€£¥]?\s?[-–—(]?\s?(?:\d[\d,.]*|\.\d+|[-–—]+)\s?[%)]{0,2}(?:\s?\(\w\)|[*†‡])?$/

export const isNumeric = (plain: string) => plain.length <= 40 && NUMERIC.test(plain)
/** Whether a value is a year, which may have marks of notes: "2024 (1)", "2024*". */
export const isYear = (plain: string) => /^(?:19|20)\d\d(?:\s?\(\w{1,3}\)|[*†‡])*$/.test(plain)
const isCurrency = (plain: string) => plain.length <= 5 && plain !== '' && CURRENCY.test(plain)

/** Joins the cells of one row, given from left to right. */
export function joined(row: readonly Cell[]): Value[] {
  const values: Value[] = []
  for (const cell of row) {
    const plain = plainOf(cell)
    if (plain === '') continue
    const last = values.at(-1)
    if (last !== undefined && cell.start - last.end <= GAP_MAX && belongs(last.plain, plain)) {
      last.cells.push(cell)
      last.plain += plain
      if (last.cells.length === 2 && isCurrency(plainOf(last.cells[0]!))) last.anchor = cell.end - 1
      last.end = cell.end
      continue
    }
    values.push({
      cells: [cell],
      plain,
      start: cell.start,
      end: cell.end,
      wide: false,
      anchor: isNumeric(plain) ? cell.end - 1 : cell.start,
    })
  }
  return values
}

/** Whether a cell forms one value with the text before it in its row. */
function belongs(before: string, plain: string): boolean {
  if (isCurrency(before)) return isNumeric(plain) || /^\(?\s?[\d.—–-]/.test(plain)
  if (
    plain.length > 12 ||
    !/[\d—–-]\)?$/.test(before) ||
    !(isNumeric(before) || /^\(?[$€£¥]?\s?\(?[\d,.]+$/.test(before))
  )
    return false
  return CLOSING.test(plain) || NOTE.test(plain)
}

/** Returns the text of a cell on one line. */
export function plainOf({ blocks }: Cell): string {
  let plain = ''
  for (const block of blocks) {
    if (block.kind === 'paragraph') plain += plain === '' ? block.plain : ` ${block.plain}`
  }
  return plain.includes('\n') ? plain.replaceAll('\n', ' ') : plain
}
