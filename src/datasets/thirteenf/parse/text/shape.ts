/**
 * Aligns tables of text without columns: cells between separators or in quotes, and rows of HTML. Then one reader can
 * read all of these tables. Filers exported such tables from spreadsheets.
 */
import { decoded } from '../../../../read/html/characters.ts'
import { readTokens } from '../../../../read/html/tokens.ts'
import { cusipFlag } from '../../../../read/securityid.ts'
import { withoutGaps, withoutGapsInCells } from './gap.ts'

/** Returns the text with HTML converted to lines, character references decoded, and one kind of line end. */
export function plainText(text: string): string {
  const ends = text.includes('\n') ? text.replaceAll('\r', '') : text.replaceAll('\r', '\n')
  const lines = ends
    .replaceAll('\u00a0', ' ')
    .replace(/[\u00ad\u2010-\u2012]/g, '-')
    .replace(/[│║┃]/g, '|')
  if (/<(?:t[rd]|div|span)[\s>]|<\/p>|<br\b/i.test(lines)) return textOfHtml(lines)
  return lines.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi, (reference) => decoded(reference))
}

/** Aligns one table; leaves it unchanged if its cells are aligned already. */
export function inColumns(table: string): string {
  const lines = table.split('\n')
  let best: { rows: (string[] | null)[]; count: number } | null = null
  for (const sign of [...signsAfterCusips(lines), ...SIGNS]) {
    const rows = sign === ',' ? rowsOfCommas(lines) : rowsOf(lines, sign)
    const places = rows.map((row) => (row === null ? -1 : placeOfCusip(row))).filter((place) => place >= 0)
    // If the CUSIPs of different lines are in different cells, the tabs only pad the text and do not separate cells.
    if (sign === '\t' && new Set(places).size > 1) continue
    if (places.length > (best?.count ?? 0)) best = { rows, count: places.length }
  }
  if (best === null) return withoutGaps(plainMarks(table))
  const first = best.rows.findIndex((row) => row !== null && placeOfCusip(row) >= 0)
  const heads = best.rows.slice(0, first).filter((row) => row !== null)
  const rows: string[][] = []
  const below: string[] = []
  for (const [at, row] of best.rows.entries()) {
    if (at < first) continue
    if (row !== null) rows.push(row)
    else if (/^[\s+\-=_|]*$/.test(lines[at]!)) rows.push([])
    else below.push(lines[at]!)
  }
  const set = aligned(rows, heads)
  if (set === null) return withoutGaps(plainMarks(table))
  const isHead = (at: number) => set.heads.length > 0 && best.rows[at] !== null
  const above = lines.slice(0, first).filter((line, at) => !/^\s*<S>/i.test(line) && !isHead(at))
  return [...above, ...set.heads, ...set.lines, ...below].map(plainMarks).join('\n')
}

/** Separators between cells, the least ambiguous first. */
const SIGNS = ['|', '¦', ';', '^', '~', '!', '\\', '\t', ' - ', ':', '*', '/', ','] as const

/** Finds a further separator: the sign that most often stands between a CUSIP and the number after it. */
function signsAfterCusips(lines: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of lines) {
    const [whole, cusip, sign = ''] = SIGN_AFTER_CUSIP.exec(line) ?? []
    if (whole && !NO_SIGN.test(sign) && cusipFlag(cusip!) === null) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 1)
    .map(([sign]) => sign)
}

const SIGN_AFTER_CUSIP =
  /(?<![0-9A-Za-z])([0-9A-Za-z]{9})[ \t]{0,20}([^0-9A-Za-z\s$"'()](?: ?[^0-9A-Za-z\s$"'()]){0,5})[ \t]{0,20}[$("']?\d/
const NO_SIGN = /^(?:[-,.<]|\.{2,}|_{3,}|-{3,})$/

const rowsOf = (lines: readonly string[], sign: string) =>
  lines.map((line) => {
    const cells = line.includes(sign) ? fieldsOf(line, sign) : null
    return cells === null ? null : withoutGapsInCells(cells)
  })

/**
 * Splits cells at commas, which may also stand within numbers: `Com, 037833100, 2,550`. If the commas between cells
 * have blanks around them, commas without blanks are within numbers. Without any blanks, equal numbers of cells in all
 * rows show the right split.
 */
function rowsOfCommas(lines: readonly string[]): (string[] | null)[] {
  const joined = lines.map((line) =>
    line.replace(/(?<![0-9A-Za-z])\d{1,3}(?:,\d{3}){1,4}(?![0-9A-Za-z])/g, (number) => number.replaceAll(',', '')),
  )
  const own = lines.filter((line) => /[0-9A-Za-z]{9}["']?\s{0,20},/.test(line))
  if (own.length > 0 && own.every((line) => /[0-9A-Za-z]{9}(?:\s{1,20},|,\s)/.test(line))) return rowsOf(joined, ',')
  const counts = (rows: readonly (string[] | null)[]) =>
    new Set(rows.flatMap((row) => (row !== null && placeOfCusip(row) >= 0 ? [row.length] : []))).size
  const rows = rowsOf(lines, ',')
  if (counts(rows) <= 1) return rows
  const whole = rowsOf(joined, ',')
  return counts(whole) === 1 ? whole : rows.map(() => null)
}

/**
 * Splits a line into cells, quoted or not. Returns null if there are too few cells, or if a cell has a gap that
 * separates columns.
 */
function fieldsOf(line: string, sign: string): string[] | null {
  const fields: string[] = []
  let at = 0
  while (at <= line.length && fields.length < COLUMNS_MAX) {
    const quoted = /[^\s]/.exec(line.slice(at, at + 8))
    const open = quoted?.[0] === '"' || quoted?.[0] === "'" ? at + quoted.index : -1
    const close = open < 0 ? -1 : closeOf(line, open, sign)
    const end = line.indexOf(sign, close < 0 ? at : close + 1)
    const to = end < 0 ? line.length : end
    fields.push(close < 0 ? line.slice(at, to) : line.slice(open + 1, close))
    if (end < 0) break
    at = end + sign.length
  }
  // If a cell has a gap of several blanks, the gap separates columns, so the sign is not the separator.
  return fields.length < FIELDS_MIN || fields.some((field) => /\S {3,}\S/.test(field)) ? null : fields.map(cellOf)
}

/**
 * Returns the position of the quote that closes a cell; -1 if no quote closes it. A single quote closes a cell only
 * before the next separator, since other single quotes are apostrophes.
 */
function closeOf(line: string, open: number, sign: string): number {
  if (line[open] === '"') return line.indexOf('"', open + 1)
  const next = line.indexOf(sign, open + 1)
  for (let at = line.indexOf("'", open + 1); at >= 0; at = line.indexOf("'", at + 1)) {
    const after = line.slice(at + 1, at + 9).replace(/^ +/, '')
    if (after === '' || after.startsWith(sign.trim() || sign)) return at
    if (next >= 0 && at > next + 24) break
  }
  return -1
}

const FIELDS_MIN = 4
const COLUMNS_MAX = 64

/**
 * Removes the marks around the text of a cell. The marks in `="037833100"` and `'037833100` keep a spreadsheet from
 * reading a number.
 */
const cellOf = (field: string): string =>
  field
    .replaceAll('"', ' ')
    .replace(/^[\s='`]+/, '')
    .replace(/['`]$/, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Returns the index of the cell that is exactly a CUSIP and has two numbers in cells after it. */
function placeOfCusip(cells: readonly string[]): number {
  const place = cells.findIndex(isCusipCell)
  const numbers = cells.slice(place + 1).filter((cell) => /^\$? ?\d[\d,.'’]*(\([pc]\))?$/i.test(cell))
  return place >= 0 && numbers.length >= 2 ? place : -1
}

function isCusipCell(cell: string): boolean {
  if (!CUSIP.test(cell)) return false
  const plain = cell.replace(/[ \-–./]/g, '')
  if ((plain.match(/\d/g) ?? []).length < 3) return false
  const nine = plain.length < 9 ? plain.padStart(9, '0') : plain.slice(-9)
  return cusipFlag(nine) === null || (plain.length === 9 && /\d[A-Za-z]|[A-Za-z]\d/.test(plain))
}

const CUSIP =
  /^(?:[0-9A-Za-z*@#]{7,12}|[0-9A-Za-z*@#]{5,7} ?[ \-–./] ?[0-9A-Za-z*@#]{2} ?[ \-–./]? ?\d|[0-9A-Za-z*@#]{8}[ \-–./]\d)$/

/** Maximum width to which a heading extends its column. */
const HEAD_MAX = 24
const isNumberCell = (cell: string): boolean => /^\$?[\d.,']+(\([pc]\))?$/i.test(cell)

interface Aligned {
  heads: string[]
  lines: string[]
}

/**
 * Aligns the cells of rows below a line that marks the columns as EDGAR required: text to the left, numbers to the
 * right. Omits columns that are empty in every row with a CUSIP. Headings stand above their columns: they show which
 * column has the values. Omits a line of headings that has another number of cells than the rows, because its columns
 * are unknown.
 *
 * @returns null if the widest cells would make the text many times as long
 */
function aligned(rows: readonly (readonly string[])[], headings: readonly (readonly string[])[]): Aligned | null {
  const whole = rows.filter((row) => placeOfCusip(row) >= 0)
  const count = whole.reduce((most, row) => Math.max(most, row.length), 0)
  const used = Array.from({ length: count }, (_, at) => at).filter((at) =>
    whole.some((row) => !/^[$)%]?$/.test(row[at] ?? '')),
  )
  const own = headings
    .filter((row) => row.length === count && row.filter((cell) => cell !== '').length >= FIELDS_MIN)
    // Removes remarks such as `(x$1000)`, so that the word `Value` is directly above the numbers.
    .map((row) => row.map((cell) => cell.replace(/ ?\([^()]*\)$/, '')))
  const widthOf = (at: number, from: number) =>
    own.reduce((most, row) => Math.max(most, Math.min(row[at]!.length, HEAD_MAX)), from)
  const widths = used.map((at) => {
    const width = rows.reduce((most, row) => Math.max(most, (row[at] ?? '').length), 3)
    return widthOf(at, width)
  })
  const written = rows.reduce((sum, row) => row.reduce((all, cell) => all + cell.length + 1, sum), 0)
  if (rows.length * widths.reduce((sum, width) => sum + width + 2, 0) > 64 * written + 65_536) return null
  const set = (cell: string, at: number, isRight: boolean) =>
    `${isRight ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)}  `
  const isNumeric = used.map((of) => isNumberCell(whole[0]?.[of] ?? ''))
  const head = used.map((_, at) => (at === 0 ? '<S>' : '<C>').padEnd(widths[at]! + 2)).join('')
  return {
    heads: own.map((row) => used.map((of, at) => set(row[of]!.slice(0, widths[at]!), at, isNumeric[at]!)).join('')),
    lines: [
      head,
      ...rows.map((row) => used.map((of, at) => set(row[of] ?? '', at, isNumberCell(row[of] ?? ''))).join('')),
    ],
  }
}

/** Removes the marks around CUSIPs and numbers, each character replaced by a blank, so that columns stay aligned. */
const plainMarks = (text: string): string => joinedThousands(plainCusips(text))

/**
 * Joins the parts of `2 550` and `30 000` in a line that has one blank within each number and more blanks between them.
 * Skips a pair if the second number repeats the end of the first: `421 100` before `100` is a value, an amount and its
 * votes.
 */
const joinedThousands = (text: string): string =>
  text.replace(PARTED_NUMBERS, (whole: string, one: string, gap: string, two: string) => {
    const [joined, other] = [one.replaceAll(' ', ''), two.replaceAll(' ', '')]
    return one.endsWith(` ${two}`) || joined.length + other.length === one.length + two.length
      ? whole
      : `${joined.padStart(one.length)}${gap}${other.padStart(two.length)}`
  })

const PARTED_NUMBERS = /(?<=\s\s)(\d{1,3}(?: \d{3}){0,3})([ \t]{2,40})(\d{1,3}(?: \d{3}){1,3})(?=\s|$)/gm

/**
 * Blanks out the marks within CUSIPs, `037833-10-0` and `037833.10.0`, and runs of dots or underscores between columns.
 */
export const plainCusips = (text: string): string =>
  text
    .replace(LEADERS, (dots) => ' '.repeat(dots.length))
    .replace(/(?<![^\s])['"=]+(?=[0-9A-Za-z])/g, (signs) => ' '.repeat(signs.length))
    .replaceAll('"', ' ')
    .replace(LABEL, (label) => ' '.repeat(label.length))
    .replace(/(?<!\S)\S{10,16}(?!\S)/g, markedCusip)
    .replace(PARTED, (cusip) => ((cusip.match(/\d/g) ?? []).length < 3 ? cusip : cusip.replace(/[-–/.]/g, ' ')))

/** Accepts `CUSIP 037833100`, `#037833100`, `(037833100)`, `037833100*` and `037_833_100` if the check digit fits. */
const LABEL = /\bcusip(?: ?(?:no\.?|number|#))?:? {1,3}(?=[0-9A-Z]{6})/gi
function markedCusip(word: string): string {
  const plain = word.replace(/^[#('"=]{1,3}|[)*,:;'"]{1,3}$/g, '').replace(/[-–/._]/g, '')
  return plain.length === 9 && (plain.match(/\d/g) ?? []).length >= 3 && cusipFlag(plain) === null
    ? plain.padEnd(word.length)
    : word
}

const LEADERS = /(?<!\.)\.{3,}|_{3,}/g
const PARTED =
  /(?<![^\s|;,])[0-9A-Za-z*@#]{5,7}(?: ?[-–/] ?[0-9A-Za-z*@#]{2} ?[-–/] ?\d|\.[0-9A-Za-z*@#]{2}\.\d| ?[-–/] ?[0-9A-Za-z*@#]{2}[ ]?\d|[0-9A-Za-z*@#]{1,2} ?[-–/] ?\d| [0-9A-Za-z*@#]{2}[-–/]\d)(?![^\s|;,])/g

interface HtmlTable {
  rows: string[][]
  /** Whether the parser is within a cell. */
  isOpen: boolean
  /** Text outside of cells. In a table with EDGAR's own tags, this is the whole text. */
  loose: string[]
}

/** Elements that end a line. */
const BREAKS = new Set(['br', 'p', 'div', 'tr', 'table', 'h1', 'h2', 'h3', 'h4', 'hr', 'li', 'center', 'page'])

function textOfHtml(html: string): string {
  const out: string[] = []
  const tables: HtmlTable[] = []
  const append = (text: string) => {
    const table = tables.at(-1)
    if (table === undefined) out.push(text)
    else if (!table.isOpen) table.loose.push(text)
    else table.rows.at(-1)![table.rows.at(-1)!.length - 1] += text
  }
  const end = () => {
    const table = tables.pop()
    if (table === undefined) return
    const lines = linesOfTable(table)
    append(`\n${lines.join('\n')}\n`)
  }
  let isHidden = false
  readTokens(html, {
    at: 0,
    open({ name }, { colspan }, isSelfClosing) {
      const table = tables.at(-1)
      if (name === 'style' || name === 'script') isHidden = !isSelfClosing
      if (name === 'table' && tables.length < 16) tables.push({ rows: [], isOpen: false, loose: [] })
      else if (name === 'tr' && table) {
        table.rows.push([])
        table.isOpen = false
      } else if ((name === 'td' || name === 'th') && table) {
        if (table.rows.length === 0) table.rows.push([])
        table.isOpen = true
        openCell(table.rows.at(-1)!, Number(colspan ?? 1))
      } else if (/^(s|c|caption)$/.test(name) && (table === undefined || table.rows.length === 0)) append(`<${name}>`)
      else if (BREAKS.has(name)) append('\n')
    },
    close({ name }) {
      if (name === 'style' || name === 'script') isHidden = false
      else if (name === 'table') end()
      else if ((name === 'td' || name === 'th') && tables.length > 0) tables.at(-1)!.isOpen = false
      else if (BREAKS.has(name)) append('\n')
    },
    text(text) {
      if (!isHidden) append(decoded(text).replaceAll('\u00a0', ' '))
    },
  })
  while (tables.length > 0) end()
  return out.join('')
}

/** Adds a cell to a row. If the cell spans several columns, the other columns stay empty. */
function openCell(row: string[], span: number): void {
  if (row.length < COLUMNS_MAX) row.push('')
  else return
  const more = Math.min(Number.isInteger(span) ? span : 1, COLUMNS_MAX - row.length)
  // Keeps the open cell last in the row, so that its text is read into it.
  for (let at = 1; at < more; at++) row.splice(row.length - 1, 0, '')
}

function linesOfTable({ rows, loose }: HtmlTable): string[] {
  if (rows.length === 0) return ['<TABLE>', loose.join(''), '</TABLE>']
  const cells = rows.flatMap(splitRow).map((row) => withoutGapsInCells(row))
  const first = cells.findIndex((row) => placeOfCusip(row) >= 0)
  const set = first < 0 ? null : aligned(cells.slice(first), cells.slice(0, first))
  const plain = (of: string[][]) => of.map((row) => row.filter((cell) => cell !== '').join('  '))
  if (set === null) return plain(cells)
  // Rows above the first holding are kept as text only if they have few cells. A line of headings with another number
  // of cells than the rows would stand above wrong columns.
  const titles = cells.slice(0, first).filter((row) => row.filter((cell) => cell !== '').length < FIELDS_MIN)
  return ['<TABLE>', ...plain(titles), ...set.heads, ...set.lines, '</TABLE>']
}

/** Splits a row whose cells hold equally many lines: whole columns were typed into one row. */
function splitRow(row: readonly string[]): string[][] {
  const lines = row.map((cell) =>
    cell
      .split('\n')
      .map(cellOf)
      .filter((line) => line !== ''),
  )
  const counts = new Set(lines.filter((of) => of.length > 0).map((of) => of.length))
  const [count = 0] = counts
  if (counts.size !== 1 || count < 2 || lines.filter((of) => of.length > 0).length < FIELDS_MIN)
    return [lines.map((of) => of.join(' '))]
  return Array.from({ length: count }, (_, at) => lines.map((of) => of[at] ?? ''))
}
