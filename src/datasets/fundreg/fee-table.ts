/**
 * Fee tables as text, in the Markdown of a prospectus. Items stand in rows, with a class in each column; of funds with one
 * class they may stand in columns (iShares).
 */
import { decimal } from '../../read/values.ts'
import type { Fee, Item } from './fees.ts'

/** The line above, or within, every fee table of Form N-1A. */
const CAPTION = /\bannual\s{1,3}(?:fund\s{1,3}|portfolio\s{1,3})?operating\s{1,3}expenses\b/i
/** From the caption to the rule of the table are some lines of explanation at most. */
const CAPTION_LINES = 14
const TABLES_MAX = 500
const ROWS_MAX = 60
const LINE_MAX = 4_000

const ITEMS: readonly (readonly [Item, RegExp])[] = [
  ['net', /^(?:total\b.{0,80}\bafter\b|net\s(?:annual|fund|expenses|operating)|total net\b)/i],
  ['waiver', /^(?:less\b|plus\b)?.{0,40}\b(?:waivers?|reimbursements?|recoupment|limitation)\b/i],
  ['total', /^total\s(?:annual\s)?(?:fund\s|portfolio\s)?(?:annual\s)?(?:operating\s)?expenses\b/i],
  ['acquired_funds', /^(?:acquired|underlying) fund/i],
  ['management', /^(?:management|advisory|investment (?:advisory|management)) fees?\b/i],
  ['distribution', /\b12b-?1\b|^distribution\b/i],
  ['other', /^(?:total )?other (?:fund )?expenses\b/i],
]

/** Which line of a fee table a label names; null for one that is none of these. */
export const itemOf = (label: string): Item | null => ITEMS.find(([, pattern]) => pattern.test(label))?.[0] ?? null

interface Line {
  start: number
  end: number
  text: string
}

/** Every fee table of a document, in its order; the columns of one are classes. */
export function feesOf(markdown: string): Omit<Fee, 'series_id' | 'class_id'>[] {
  const lines = linesOf(markdown)
  const fees: Omit<Fee, 'series_id' | 'class_id'>[] = []
  let table = 0
  for (let at = 0; at < lines.length && table < TABLES_MAX; at++) {
    if (!CAPTION.test(lines[at]!.text)) continue
    const from = startOfTable(lines, at)
    if (from === null) continue
    const rows = rowsFrom(lines, from)
    const read = inRows(rows, table + 1) ?? inColumns(rows, table + 1)
    if (read === null) continue
    table++
    fees.push(...read)
    at = from + rows.length
  }
  return fees
}

function linesOf(markdown: string): Line[] {
  const lines: Line[] = []
  for (let at = 0; at <= markdown.length; ) {
    const stop = markdown.indexOf('\n', at)
    const end = stop < 0 ? markdown.length : stop
    if (end > at) lines.push({ start: at, end, text: markdown.slice(at, Math.min(end, at + LINE_MAX)) })
    at = end + 1
  }
  return lines
}

/** The first row of the table that the caption stands above, or in. */
function startOfTable(lines: readonly Line[], caption: number): number | null {
  if (lines[caption]!.text.startsWith('|')) return caption
  for (let at = caption + 1; at < Math.min(lines.length, caption + CAPTION_LINES); at++) {
    if (lines[at]!.text.startsWith('|')) return at
    // The next part of the prospectus.
    if (/^#{1,6} |^\**examples?\b/i.test(lines[at]!.text)) return null
  }
  return null
}

interface Row extends Line {
  cells: string[]
}

function rowsFrom(lines: readonly Line[], from: number): Row[] {
  const rows: Row[] = []
  for (let at = from; at < lines.length && rows.length < ROWS_MAX && lines[at]!.text.startsWith('|'); at++) {
    const line = lines[at]!
    rows.push({ ...line, cells: line.text.split('|', 60).slice(1, -1).map(plain) }) // biome-ignore format: one line
  }
  return rows
}

/** A cell without emphasis and without numbers of notes: `0.40%^1`, `Other Expenses(b)`. */
const plain = (cell: string) =>
  cell
    .trim()
    .replace(/[*_\\]/g, '')
    .replace(/\^[\d,]{1,10}/g, '')
    .replace(/\((?:\d{1,2}|[a-z])\)(?=(?:\s?,?\s?\((?:\d{1,2}|[a-z])\))*$)/gi, '')
    .replace(/[†‡§]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/,$/, '')
    .trim()

const isRule = ({ cells }: Row) => cells.every((cell) => /^:?-{3,}:?$/.test(cell))

/** Items in rows. Columns that no row has a value in are there for signs of percent and for looks. */
function inRows(rows: readonly Row[], table: number): Omit<Fee, 'series_id' | 'class_id'>[] | null {
  const named = rows.flatMap((row) => {
    const item = itemOf(row.cells[0] ?? '')
    return item && row.cells.slice(1).some((cell) => isValue(cell)) ? [{ row, item }] : []
  })
  const items = named.map(({ item }) => item)
  if (!items.includes('management') || !items.includes('total')) return null
  const width = Math.max(...named.map(({ row }) => row.cells.length))
  const columns = Array.from({ length: width - 1 }, (_, i) => i + 1).filter((at) => named.some(({ row }) => isValue(row.cells[at]))) // biome-ignore format: one line
  const heads = headsOf(rows, columns, named[0]!.row)
  return named.flatMap(({ row, item }, i) => {
    // "Other expenses" above its parts and "total other expenses" below them: the last counts.
    if (items.lastIndexOf(item) !== i && item === 'other') return []
    if (items.indexOf(item) !== i && item !== 'other') return []
    return columns.map((at, n) => fee({ table, column: n + 1, item, class_name: heads[n] ?? null }, row, row.cells[at] ?? '')) // biome-ignore format: one line
  })
}

/** The row of names of classes: the nearest above the first item whose cells are no values. */
function headsOf(rows: readonly Row[], columns: readonly number[], first: Row): (string | null)[] {
  const above = rows.slice(0, rows.indexOf(first)).reverse()
  const head = above.find((row) => !isRule(row) && columns.every((at) => (row.cells[at] ?? '') !== '' && !isValue(row.cells[at]))) // biome-ignore format: one line
  return columns.map((at) => head?.cells[at] ?? null)
}

/** Items in the head, and one row of values. */
function inColumns(rows: readonly Row[], table: number): Omit<Fee, 'series_id' | 'class_id'>[] | null {
  const [head, rule, values] = rows
  if (!head || !rule || !values || !isRule(rule)) return null
  const items = head.cells.map(itemOf)
  if (!items.includes('management') || !items.includes('total')) return null
  return items.flatMap((item, at) =>
    item === null || items.indexOf(item) !== at
      ? []
      : [fee({ table, column: 1, item, class_name: null }, values, values.cells[at] ?? '')],
  )
}

const BLANK = /^(?:[_\s]*%?|\[[\s●•_]*\]\s?%?|[●•]\s?%?)$/
const NOT_STATED = /^(?:n\/?a|not applicable|-+|[–—]+)%?$/i
const NONE = /^none$/i
/** 0.45%, 0.75, (0.19)%, (0.24%), -0.32%. */
const NUMBER = /^(\(|-)?\s?(\d{0,3}\.\d{1,4}|\d{1,3})\s?%?\s?(\))?\s?%?$/

function isValue(cell: string | undefined): boolean {
  if (cell === undefined || cell === '' || cell === '%') return false
  return NUMBER.test(cell) || NONE.test(cell) || NOT_STATED.test(cell) || (BLANK.test(cell) && /[_●•[]/.test(cell))
}

function fee(
  of: Pick<Fee, 'table' | 'column' | 'item' | 'class_name'>,
  { start, end }: Line,
  stated: string,
): Omit<Fee, 'series_id' | 'class_id'> {
  const { value, reason } = read(stated, of.item)
  return { ...of, value, stated, reason, start, end }
}

/** A waiver stands with brackets, a minus, or neither: it takes away all the same. */
function read(stated: string, item: Item): Pick<Fee, 'value' | 'reason'> {
  if (NONE.test(stated)) return { value: '0', reason: null }
  if (NOT_STATED.test(stated)) return { value: null, reason: 'stated as not applicable' }
  if (BLANK.test(stated)) return { value: null, reason: 'left blank' }
  const found = NUMBER.exec(stated)
  const amount = found && decimal(found[2]!)
  if (!found || !amount) return { value: null, reason: 'is no percentage' }
  const isBelow = found[1] !== undefined || item === 'waiver'
  return { value: isBelow && amount !== '0' ? `-${amount}` : amount, reason: null }
}
