/** Reads the head of a text table: titles of columns, which may have several lines, and titles that span columns. */
import { isNumeric } from '../html/joined.ts'
import type { Cell } from './cells.ts'
import { type Column, touchedBy } from './columns.ts'
import type { ReadLine } from './lines.ts'

export interface Head {
  /** The first line of the head; the lines above it are not titles of columns. */
  from: number
  /** The titles by row and column, as in tables of HTML: a title that spans columns has a row of its own. */
  rows: string[][]
}

/** A title, with its first and last column. */
interface Title {
  text: string
  from: number
  to: number
  /** Whether a rule directly below the title has the width of its columns. */
  isRuled: boolean
  /**
   * Whether a rule as wide as the title's columns is directly below the title, or below the lines that continue the
   * title.
   */
  isOverRule: boolean
}

const YEAR = /^(?:19|20)\d\d$/
/** Maximum number of lines of a head that is below the tags. */
const LINES_MAX = 8
/**
 * Maximum distance of a title that spans columns from the middle of these columns. It is the difference of the space on
 * the two sides of the title, in characters.
 */
const OFF_CENTRE = 5
/** Maximum number of characters by which a title may reach over the longest label. */
const OVER_LABELS = 3

/** @returns number of lines at the beginning that are titles, if a rule below them divides them from the rows; else 0 */
export function headIn(lines: readonly ReadLine[]): number {
  const rule = lines.slice(0, LINES_MAX + 1).findIndex(({ kind }) => kind === 'rule')
  const titles = lines.slice(0, Math.max(rule, 0))
  const cells = titles.flatMap((line) => line.cells)
  return cells.length > 1 && cells.every(isTitle) && titles.every(({ kind }) => kind !== 'unread') ? rule + 1 : 0
}

/** Whether a cell may be a title. Numbers are values, except years and marks of notes. */
const isTitle = ({ text }: Cell) => !isNumeric(text) || YEAR.test(text) || /^\(\w{1,2}\)$|^-+$/.test(text)

/** @returns null if it is not certain to which columns each title belongs */
export function headOf(lines: readonly ReadLine[], columns: readonly Column[]): Head | null {
  const from = leadOf(lines, columns)
  const rows: Title[][] = []
  const read: Title[][] = []
  for (let at = from; at < lines.length; at++) {
    const { kind } = lines[at]!
    if (kind === 'unread') return null
    if (kind !== 'cells') continue
    const titles = titlesOf(at, lines, columns)
    const above = at > from && lines[at - 1]!.kind === 'cells' ? read.at(-1)! : null
    if (titles === null || titles.some((title) => isUncertain(title, titles, above, columns.length))) return null
    if (!add(rows, titles, isBelowRule(lines, at))) return null
    read.push(titles)
  }
  if (read.some((titles, at) => titles.some((title) => isOverGroup(title, read, at)))) return null
  // If there are many columns and all titles are above the same column, the titles may belong to the whole table. Their
  // columns are then not certain.
  const all = read.flat()
  const isOverOne = all.length > 0 && all.every(({ from, to, isRuled }) => from > 0 && to === all[0]!.from && !isRuled)
  if (isOverOne && columns.length > 2) return null
  return { from, rows: rows.map((titles) => textsOf(titles, columns.length)) }
}

/** Returns the titles of a line; null if the columns of any title are not certain. */
function titlesOf(at: number, lines: readonly ReadLine[], columns: readonly Column[]): Title[] | null {
  const titles: Title[] = []
  const cells = lines[at]!.cells.filter((cell) => !isRuleCell(cell))
  for (const cell of cells.flatMap((cell) => splitAtRules(cell, lines[at + 1]))) {
    const title = isTitle(cell) ? titleOf(cell, at, lines, columns) : null
    if (title === null || title.from <= (titles.at(-1)?.to ?? -1)) return null
    titles.push(title)
  }
  const [only, ...others] = titles
  // A remark in parentheses is about all values, wherever its middle is.
  const isRemark = only !== undefined && others.length === 0 && only.from !== only.to && REMARK.test(only.text)
  return isRemark ? [{ ...only, from: 1, to: columns.length - 1 }] : titles
}

const isRule = (line: ReadLine | undefined) => line?.kind === 'rule' || line?.kind === 'dashes'
const isBelowRule = (lines: readonly ReadLine[], at: number) =>
  isRule(lines.slice(0, at).findLast(({ kind }) => kind !== 'blank'))
/** Matches a remark in parentheses, or one of its lines: it belongs to all columns of values. */
const REMARK = /^\(|^[^(]*\)$/

/**
 * Whether a title over several columns may be something else. Directly below a line with a title for one of these
 * columns, it may be two titles with one blank between them. Without its own rule, it may be the title of the whole
 * table, if the titles of its line leave out other columns of values. A remark in parentheses is never
 * uncertain: it belongs to all columns of values.
 */
function isUncertain(title: Title, line: readonly Title[], above: readonly Title[] | null, columns: number): boolean {
  if (title.from === title.to || REMARK.test(title.text)) return false
  if (above !== null) {
    const isOwn = (column: number) => above.some(({ from, to }) => from === column && to === column)
    for (let column = title.from; column <= title.to; column++) if (isOwn(column)) return true
  }
  if (title.isOverRule) return false
  for (let column = 1; column < columns; column++) if (!fills(line, column)) return true
  return false
}

/**
 * Splits a text at its single blanks if the rules in the next line have their gaps there, and the rules together cover
 * the text. Then the text is several titles with one blank between two of them.
 */
function splitAtRules(cell: Cell, next: ReadLine | undefined): Cell[] {
  if (!isRule(next) || !cell.text.includes(' ')) return [cell]
  const rules = rulesIn(next!.text).filter(({ start, end }) => start < cell.end && end > cell.start)
  const isWhole = rules.length > 1 && rules[0]!.start <= cell.start && rules.at(-1)!.end >= cell.end
  if (!isWhole || rules.some(({ start }, j) => j > 0 && start !== rules[j - 1]!.end + 1)) return [cell]
  const gaps = rules.slice(1).map(({ start }) => start - 1 - cell.start)
  if (cell.text.length !== cell.end - cell.start || gaps.some((gap) => cell.text[gap] !== ' ')) return [cell]
  return [...gaps, cell.text.length].map((end, j) => {
    const start = j === 0 ? 0 : gaps[j - 1]! + 1
    return { start: cell.start + start, end: cell.start + end, text: cell.text.slice(start, end) }
  })
}

const isNarrow = (titles: readonly Title[]) => titles.every(({ from, to }) => from === to)
const fills = (titles: readonly Title[], column: number) =>
  titles.some(({ from, to }) => from <= column && column <= to)

function textsOf(titles: readonly Title[], columns: number): string[] {
  const texts = new Array<string>(columns).fill('')
  for (const { from, text } of titles) texts[from] = text
  return texts
}

/**
 * Returns the number of lines above the titles. Each of these lines has a single text that reaches from the labels over
 * values, or that has an empty line below it.
 */
function leadOf(lines: readonly ReadLine[], columns: readonly Column[]): number {
  let from = 0
  for (const [at, { kind, cells }] of lines.entries()) {
    if (kind === 'unread') from = at + 1
    if (kind !== 'cells') continue
    const touched = touchedBy(cells[0]!, columns)
    const isLead = cells.length === 1 && ((touched[0] === 0 && touched.length > 1) || lines[at + 1]?.kind === 'blank')
    if (!isLead) break
    from = at + 1
  }
  return from
}

/**
 * Adds a line of titles, or joins it with the row above. Returns false if it is not certain whether to add or to join.
 */
function add(rows: Title[][], titles: Title[], isBelowRule: boolean): boolean {
  const last = rows.at(-1)
  if (last === undefined) rows.push(titles)
  else if (!isNarrow(titles)) {
    const isSame =
      titles.length === last.length && titles.every(({ from, to }, i) => from === last[i]!.from && to === last[i]!.to)
    if (isSame && !isBelowRule) rows[rows.length - 1] = joined(last, titles)
    else rows.push(titles)
  } else if (isNarrow(last)) {
    // If the title above has a rule below it, and the new titles are above more columns, the title above may belong to
    // all these columns.
    if (isBelowRule && titles.some(({ from }) => from > 0 && !fills(last, from))) return false
    // A single text in the column of labels, below the titles of values, may be the label of the first rows.
    if (titles.length === 1 && titles[0]!.from === 0 && last.some(({ from }) => from > 0)) rows.push(titles)
    else rows[rows.length - 1] = joined(last, titles)
  } else {
    // A single title below a title that spans columns may be the rest of that title.
    if (!isBelowRule && titles.length === 1 && last.length === 1 && fills(last, titles[0]!.from)) return false
    rows.push(titles)
  }
  return true
}

/** Joins titles of the same columns. */
function joined(above: readonly Title[], below: readonly Title[]): Title[] {
  const both = above.map((title) => {
    const rest = below.find(({ from }) => from === title.from)
    return rest === undefined ? title : { ...title, text: `${title.text} ${rest.text}` }
  })
  const others = below.filter(({ from }) => !above.some((title) => title.from === from))
  return [...both, ...others].toSorted((a, b) => a.from - b.from)
}

/**
 * Whether a title may also belong to the columns on both its sides: these columns have titles only in lines below the
 * title.
 */
function isOverGroup({ from, to, isRuled }: Title, lines: readonly Title[][], at: number): boolean {
  if (isRuled || from !== to || from < 2) return false
  const isBelow = (column: number) =>
    !lines.slice(0, at + 1).some((titles) => fills(titles, column)) &&
    lines.slice(at + 1).some((titles) => fills(titles, column))
  return isBelow(from - 1) && isBelow(from + 1)
}

/** @returns null if the columns of the title are not certain */
function titleOf(cell: Cell, at: number, lines: readonly ReadLine[], columns: readonly Column[]): Title | null {
  const { text } = cell
  const below = ruleBelow(cell, at, lines)
  const ruled = below === null ? [] : touchedBy(below.rule, columns)
  const isRuled = below?.isNext === true
  if (ruled.length > 1 && ruled[0]! > 0) return { text, from: ruled[0]!, to: ruled.at(-1)!, isRuled, isOverRule: true }
  if (ruled.length === 1 && isRuled) return { text, from: ruled[0]!, to: ruled[0]!, isRuled, isOverRule: true }
  const touched = touchedBy(cell, columns)
  const isOverLabel = touched.length > 1 && touched[0] === 0 && columns[0]!.end - cell.start <= OVER_LABELS
  const [from, to] = [touched[isOverLabel ? 1 : 0], touched.at(-1)]
  if (from === undefined || to === undefined) return null
  const [first, last] = [columns[from]!, columns[to]!]
  if (from === to) {
    const shared = Math.min(cell.end, first.end) - Math.max(cell.start, first.start)
    const isOver = shared * 2 >= Math.min(cell.end - cell.start, first.end - first.start)
    return isOver ? { text, from, to, isRuled: false, isOverRule: false } : null
  }
  const isCentred = Math.abs(cell.start - first.start - (last.end - cell.end)) <= OFF_CENTRE
  return from > 0 && isCentred ? { text, from, to, isRuled: false, isOverRule: false } : null
}

/** Returns the rule below a title and below the lines that continue it; null if the rule is below other titles too. */
function ruleBelow(cell: Cell, at: number, lines: readonly ReadLine[]): { rule: Column; isNext: boolean } | null {
  let below = at + 1
  while (lines[below]?.kind === 'cells' && rulesBelow(cell, lines[below]).length === 0) below++
  const [rule, ...others] = rulesBelow(cell, lines[below])
  if (rule === undefined || others.length > 0) return null
  const isOwn = lines.slice(at, below).every(({ cells }) => cells.filter((each) => isOver(each, rule)).length === 1)
  return isOwn ? { rule, isNext: below === at + 1 } : null
}

const isOver = (a: Column, b: Column) => a.start < b.end && a.end > b.start
/** Whether a cell is a rule that is drawn in a line of titles. */
const isRuleCell = ({ text }: Cell) => /^[-=_]{3,}$/.test(text)

/** Returns the rules of a line that are below a title. The line has only rules, or rules among titles. */
function rulesBelow(cell: Cell, line: ReadLine | undefined): Column[] {
  const rules = isRule(line) ? rulesIn(line!.text) : (line?.cells.filter(isRuleCell) ?? [])
  return rules.filter((rule) => isOver(rule, cell))
}

/**
 * Matches the dashes that sending software put before a line that begins with a dash. These dashes move the line to the
 * right.
 */
const QUOTED = /^(?:- )+(?=--)/

/** Returns the rules of a line. */
function rulesIn(text: string): Column[] {
  const moved = QUOTED.exec(text)?.[0].length ?? 0
  const rules = text.slice(moved).matchAll(/[-=_]{2,}/g)
  return [...rules].map(({ 0: rule, index }) => ({ start: index, end: index + rule.length }))
}
