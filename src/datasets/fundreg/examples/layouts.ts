/** Reads the amounts of an expense example from its table: years in columns, or years in rows. */
import { plain } from '../fees/values.ts'
import { type Amount, amountOf, areInOrder, type Period, periodOf } from './amounts.ts'
import type { Grid, GridRow } from './grid.ts'
import { type Redemption, redemptionOf, withoutRedemption } from './redemption.ts'

export interface Line extends Amount {
  class_name: string | null
  redemption: Redemption | null
  years: Period
  start: number
  end: number
}

export interface Reading {
  lines: Line[]
  /** Rows with a period or an amount that could not be assigned. */
  unread: GridRow[]
}

/** Returns the lines of a table; null for a table that is not an expense example. */
export function linesOf(grid: Grid): Reading | null {
  const heads = grid.rows.flatMap(({ cells }) => groupsOf(cells) ?? [])
  const reading = heads.length > 0 ? yearsInColumns(grid.rows) : yearsInRows(grid.rows)
  return reading !== null && reading.lines.length > 0 ? reading : null
}

/** Words that head a column of labels, or that say what the amounts are. They do not name a class. */
const NO_NAME =
  /^(?:share )?class(?:es)?:?$|^share (?:class|status)$|^(?:fund|portfolio|series|name)s?:?$|\b(?:costs?|expenses?|would pay|would be|assum\w+|example|years?|periods?)\b|^\(?\$\)?$/i

const TICKER = /^\(?[A-Z]{4}X\)?$/

/** Returns the name of a class from a label; null if the label names no class. */
function nameOf(label: string): string | null {
  const name = withoutRedemption(plain(label))
    .replace(/(?<!\.)\.{2,}$|:$/, '')
    .replace(/\s(?:assuming|if|with)$/i, '')
    .trim()
  return name === '' || NO_NAME.test(name) || TICKER.test(name) ? null : name
}

interface Label {
  name: string | null
  redemption: Redemption | null
}

/** Reads the cells to the left of the amounts: the class, and perhaps a share status. */
function labelOf(cells: readonly string[]): Label {
  const shown = cells.map(plain).filter((cell) => cell !== '')
  const names = shown.map(nameOf).filter((name) => name !== null)
  const redemptions = shown.map(redemptionOf).filter((redemption) => redemption !== null)
  return { name: names.join(' ') || null, redemption: redemptions[0] ?? null }
}

interface Group {
  /** Positions of the columns, with their periods. */
  columns: { at: number; years: Period }[]
  /** What the cells with the periods say about redemption: "If you surrender: 1 year". */
  redemption: Redemption | null
}

/** Matches a period at the end of a cell whose head spans several periods. */
const SPANNED = /^(.{3,160}?)[\s:,;–—-]{1,3}((?:10|[135]|one|three|five|ten)[\s-]?(?:years?|yrs?\.?):?)$/i

/** Returns the period of a cell, also after words about redemption. */
function headOf(cell: string): { years: Period; redemption: Redemption | null } | null {
  const years = periodOf(cell)
  if (years !== null) return { years, redemption: null }
  const [, words = '', period = ''] = cell.length > 200 ? [] : (SPANNED.exec(plain(cell)) ?? [])
  const [redemption, last] = [redemptionOf(words), periodOf(period)]
  return redemption === null || last === null ? null : { years: last, redemption }
}

/** Returns the groups of years that a row names, each from 1 year on; null for a row without such a group. */
function groupsOf(cells: readonly string[]): Group[] | null {
  const groups: Group[] = []
  for (const [at, cell] of cells.entries()) {
    const head = headOf(cell)
    if (head === null) continue
    const { years, redemption } = head
    if (years === 1 || groups.length === 0) groups.push({ columns: [], redemption })
    groups.at(-1)!.columns.push({ at, years })
  }
  const areGroups = groups.every(({ columns }) => areInOrder(columns.map(({ years }) => years)))
  return groups.length > 0 && areGroups ? groups : null
}

interface Block {
  groups: Group[]
  /** What the rows above each group say about redemption. */
  redemptions: (Redemption | null)[]
  own: Label
  /** Name in the last line without amounts: a class with a row for each case below, or a fund with its classes. */
  heading: string | null
  /** Class of the row above. */
  last: string | null
}

/** A line and the name of the fund above it. */
interface Headed extends Line {
  heading: string | null
}

/** Reads a table whose head names the years. A table may have several heads below each other. */
function yearsInColumns(rows: readonly GridRow[]): Reading {
  const lines: Headed[] = []
  const unread: GridRow[] = []
  let block: Block | null = null
  let above: GridRow[] = []
  for (const row of rows) {
    const groups = groupsOf(row.cells)
    if (groups !== null) {
      block = blockOf(row, groups, above)
      above = []
    } else if (block === null || !row.cells.some((cell) => amountOf(cell) !== null)) {
      above.push(row)
      if (block !== null) addLabel(block, labelOf(row.cells))
    } else {
      const read = rowIn(row, block)
      if (read === null) unread.push(row)
      else lines.push(...read)
      block.last = read?.[0]?.class_name ?? null
      above = []
    }
  }
  return named(lines, unread)
}

function blockOf(row: GridRow, groups: Group[], above: readonly GridRow[]): Block {
  const own = labelOf(row.cells.slice(0, groups[0]!.columns[0]!.at))
  const title = above.map(({ cells }) => labelOf(cells)).find(({ redemption }) => redemption !== null)
  return {
    groups,
    redemptions: groups.map((group, n) => group.redemption ?? redemptionAbove(above, group, n === 0)),
    own: { name: own.name, redemption: own.redemption ?? (groups.length === 1 ? title?.redemption : null) ?? null },
    heading: own.name,
    last: null,
  }
}

/** A line such as "No redemption" is about the rows below; a line such as "Class C" names what these rows are about. */
function addLabel(block: Block, { name, redemption }: Label): void {
  if (redemption !== null) block.own.redemption = redemption
  if (redemption === null || name !== null) block.heading = name
  block.last = null
}

/**
 * Adds the name of the fund to the classes of a table of several funds. A row without a name is left out if other rows
 * have names.
 */
function named(lines: readonly Headed[], unread: readonly GridRow[]): Reading {
  const hasFunds = new Set(lines.map(({ heading }) => heading)).size > 1
  const all = lines.map(({ heading, ...line }): Line => {
    const isPart = hasFunds && heading !== null && line.class_name !== null && heading !== line.class_name
    return isPart ? { ...line, class_name: `${heading} ${line.class_name}` } : line
  })
  const own = all.filter(({ class_name }) => class_name !== null)
  if (own.length === 0) return { lines: all, unread: [...unread] }
  const unnamed = all.filter(({ class_name, years }) => class_name === null && years === 1)
  return { lines: own, unread: [...unread, ...unnamed.map(({ start, end }) => ({ start, end, cells: [] }))] }
}

/** Returns what the rows above a group of columns say about redemption; a cell may span the columns to its right. */
function redemptionAbove(above: readonly GridRow[], { columns }: Group, isFirst: boolean): Redemption | null {
  const [first, last] = [columns[0]!.at, columns.at(-1)!.at]
  for (const { cells } of above.toReversed()) {
    const own = cells.map((cell, at) => ({ at, redemption: redemptionOf(plain(cell)) }))
    const inside = own.filter(({ at, redemption }) => redemption !== null && at <= last && (isFirst || at >= first - 1))
    if (inside.length > 0) return inside.at(-1)!.redemption
  }
  return null
}

/** Reads the amounts of a row; null if not every cell can be assigned to a year. */
function rowIn(row: GridRow, { groups, redemptions, own, heading, last }: Block): Headed[] | null {
  const cells = placed(
    row.cells,
    groups.flatMap(({ columns }) => columns),
  )
  if (cells === null) return null
  const lines: Headed[] = []
  let first: Label | null = null
  let from = 0
  for (const [n, { columns }] of groups.entries()) {
    const stated = columns.map(({ at, years }) => ({ years, cell: cells.get(at) ?? '' }))
    const label = labelOf(row.cells.slice(from, columns[0]!.at))
    from = columns.at(-1)!.at + 1
    first ??= label
    const redemption = label.redemption ?? first.redemption ?? redemptions[n] ?? own.redemption
    // A row that has only a case, such as "Held", is about the class of the row above.
    const class_name = label.name ?? first.name ?? (first.redemption === null ? null : last) ?? heading
    // A class that began recently has no amounts for the longer periods.
    const count = stated.findLastIndex(({ cell }) => cell !== '') + 1
    for (const { years, cell } of stated.slice(0, count)) {
      const amount = amountOf(cell)
      if (amount === null) return null
      lines.push({ ...amount, class_name, redemption, years, start: row.start, end: row.end, heading })
    }
  }
  return lines
}

/**
 * Assigns the cells of a row to the columns of the years. If a row has as many amounts as the head has years, the order
 * decides. Heads and amounts of one column may have different positions.
 */
function placed(cells: readonly string[], columns: readonly { at: number }[]): Map<number, string> | null {
  const positions = columns.map(({ at }) => at)
  const amounts = cells.flatMap((cell, at) => (at >= positions[0]! && amountOf(cell) !== null ? [at] : []))
  if (amounts.every((at) => positions.includes(at))) return new Map(positions.map((at) => [at, cells[at] ?? '']))
  if (amounts.length !== positions.length) return null
  return new Map(positions.map((at, n) => [at, cells[amounts[n]!]!]))
}

interface Section {
  heads: GridRow[]
  rows: { row: GridRow; years: Period }[]
}

/** Reads a table whose first column names the years. Each other column is a class. */
function yearsInRows(rows: readonly GridRow[]): Reading | null {
  const sections: Section[] = []
  let heads: GridRow[] = []
  for (const row of rows) {
    const years = periodOf(row.cells.find((cell) => cell !== '') ?? '')
    const open = sections.at(-1)
    if (years === null) heads.push(row)
    else if (years === 1 || open === undefined || heads.some(hasText)) {
      sections.push({ heads: heads.filter(hasText), rows: [{ row, years }] })
      heads = []
    } else open.rows.push({ row, years })
  }
  const own = sections.filter((section) => areInOrder(section.rows.map(({ years }) => years)))
  if (own.length === 0) return null
  const readings = sections.map(sectionLines)
  return {
    lines: readings.flatMap((reading) => reading ?? []),
    unread: sections.flatMap((section, n) => (readings[n] === null ? section.rows.map(({ row }) => row) : [])),
  }
}

const hasText = ({ cells }: GridRow) => cells.some((cell) => cell !== '')

function sectionLines({ heads, rows }: Section): Line[] | null {
  if (!areInOrder(rows.map(({ years }) => years))) return null
  const valuesOf = ({ cells }: GridRow) => {
    const label = cells.findIndex((cell) => cell !== '')
    return cells.flatMap((cell, at) => (at > label && cell !== '' ? [at] : []))
  }
  const columns = valuesOf(rows[0]!.row)
  const labels = columns.length === 0 ? null : headsOf(heads, columns)
  if (labels === null) return null
  const lines: Line[] = []
  for (const { row, years } of rows) {
    const at = valuesOf(row)
    if (at.length !== columns.length) return null
    for (const [n, position] of at.entries()) {
      const amount = amountOf(row.cells[position]!)
      if (amount === null) return null
      const { name, redemption } = labels[n]!
      lines.push({ ...amount, class_name: name, redemption, years, start: row.start, end: row.end })
    }
  }
  return lines
}

/** Matches the end of a name that began in the row above: "Investor", then "Class". */
const REST = /^(?:class|shares?)$/i

/**
 * Returns the class and the redemption of each column, from the rows above. Returns null if one of several columns has
 * no class.
 */
function headsOf(heads: readonly GridRow[], columns: readonly number[]): Label[] | null {
  const labels = columns.map((): Label => ({ name: null, redemption: null }))
  const rows = heads.map((row) => headCells(row, columns))
  for (const [n, row] of rows.entries()) {
    const below = rows.slice(n + 1).flatMap(({ cells }) => cells)
    addHead(
      labels,
      row,
      below.some((cell) => nameOf(cell) !== null),
    )
  }
  for (const [at, label] of labels.entries()) {
    // A class with two columns, sold and held, is named once, above both.
    const left = labels[at - 1]
    if (label.name === null && label.redemption !== null && left?.redemption !== null) label.name = left?.name ?? null
  }
  if (labels.some(({ name }) => name !== null)) return labels.every(({ name }) => name !== null) ? labels : null
  const title = heads.map(({ cells }) => nameOf(cells[0] ?? '')).findLast((name) => name !== null) ?? null
  return labels.length === 1 || areCases(labels) ? labels.map((label) => ({ ...label, name: title })) : null
}

interface Head {
  /** What the first cell says about redemption. */
  title: Redemption | null
  /** A cell for each column. */
  cells: string[]
}

/** Assigns the cells of a row of heads to the columns. If the row has as many cells as columns, their order decides. */
function headCells({ cells }: GridRow, columns: readonly number[]): Head {
  const shown = cells.flatMap((cell, at) => (at > 0 && cell !== '' ? [at] : []))
  const isInOrder = shown.length === columns.length
  return {
    title: redemptionOf(plain(cells[0] ?? '')),
    cells: columns.map((at, n) => plain(cells[isInOrder ? shown[n]! : at] ?? '')),
  }
}

/** Adds a row of heads to the labels of the columns. */
function addHead(labels: readonly Label[], { title, cells }: Head, hasNamesBelow: boolean): void {
  const isStatus = cells.some((cell) => redemptionOf(cell) !== null && nameOf(cell) === null)
  let spanning: Redemption | null = null
  for (const [at, cell] of cells.entries()) {
    const label = labels[at]!
    const redemption = redemptionOf(cell)
    const name = nameOf(cell) ?? (label.name !== null && REST.test(cell) ? cell : null)
    if (redemption !== null) spanning = redemption
    // A status above the names of classes may span the columns to its right.
    label.redemption = redemption ?? (isStatus && hasNamesBelow ? spanning : null) ?? label.redemption ?? title
    if (name !== null) label.name = label.name === null ? name : `${label.name} ${name}`
  }
}

/** Tests for a fund with one class and two columns: sold and held. */
const areCases = (labels: readonly Label[]): boolean =>
  labels.every(({ redemption }) => redemption !== null) &&
  new Set(labels.map(({ redemption }) => redemption)).size === labels.length
