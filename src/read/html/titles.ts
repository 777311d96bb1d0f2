/** Builds the row of titles of a Markdown table from all rows above its values. */
import type { Paragraph } from './block.ts'
import { isNumeric, isYear, type Value } from './joined.ts'

/** A row, by column. */
export type Line = readonly (Value[] | null)[]

/** Maximum number of title rows, one below the other. */
const TITLES_MAX = 8
/** Maximum number of rows that are examined to find how far the columns reach. */
const LOOKED_AT = 100
const TITLE_MAX = 60

/**
 * Returns the row of titles and the rows below it.
 *
 * If the title of a column has several lines, the lines are joined. A title above all columns is written above the
 * labels, where people read it first. A title above some of the columns keeps a separate row, since it applies to
 * further columns, not only to the column in which it begins. If the first row has values, the row of titles is empty.
 */
export function titled(rows: readonly Line[], columns: number): Line[] {
  const titles = titleRows(rows)
  if (titles === 0) return isTitle(rows) ? [...rows] : [new Array<null>(columns).fill(null), ...rows]
  const out: Line[] = []
  let over: Value[] = []
  let open = false
  for (const row of rows.slice(0, titles)) {
    const [alone] = valuesOf(row)
    if (isOverAll(row, rows)) {
      over.push(alone!)
      continue
    }
    const narrow = valuesOf(row).every(({ wide }) => !wide)
    if (narrow && open) out[out.length - 1] = out.at(-1)!.map((values, column) => together(values, row[column]!))
    else out.push(row)
    open = narrow
  }
  if (over.length > 0) {
    const [first = new Array<null>(columns).fill(null), ...others] = out
    over = [...over, ...(first[0] ?? [])]
    return [[over, ...first.slice(1)], ...others, ...rows.slice(titles)]
  }
  return [...out, ...rows.slice(titles)]
}

const valuesOf = (row: Line): Value[] => row.flatMap((values) => values ?? [])

/**
 * Returns the number of rows at the beginning that have titles. These are rows without a label at their left. The next
 * row counts too if it has years.
 */
function titleRows(rows: readonly Line[]): number {
  let titles = 0
  const most = Math.min(rows.length - 1, TITLES_MAX)
  while (titles < most && isOfTitles(rows[titles]!) && (rows[titles]![0] === null || isOverAll(rows[titles]!, rows)))
    titles++
  const next = rows[titles]!
  if (titles < most && isOfTitles(next) && valuesOf(next).some(({ plain }) => isYear(plain))) titles++
  return titles
}

const isOfTitles = (row: Line): boolean => valuesOf(row).every(({ plain }) => isYear(plain) || !isNumeric(plain))

/** Whether a row has a single title that spans all columns with values. */
function isOverAll(row: Line, rows: readonly Line[]): boolean {
  const [value, ...others] = valuesOf(row)
  if (value === undefined || others.length > 0 || !value.wide || value.plain.length > TITLE_MAX) return false
  const near = rows.slice(0, LOOKED_AT)
  const first = Math.min(...near.map((each) => each[1]?.[0]?.anchor ?? Number.POSITIVE_INFINITY))
  const last = Math.max(...near.map((each) => each.at(-1)?.at(-1)?.anchor ?? 0))
  return value.start <= first && value.end > last
}

const together = (above: Value[] | null, below: Value[] | null): Value[] | null =>
  above === null ? below : below === null ? above : [...above, ...below]

/**
 * Whether the first row has titles. Any of these signs is enough: the row has no label; it has a year; it has words
 * above numbers; it is bold and the next row is not; all its columns have short words.
 */
function isTitle(rows: readonly Line[]): boolean {
  const [first, second] = rows as [Line, Line | undefined]
  if (second === undefined || !isOfTitles(first)) return false
  if (first[0] === null || valuesOf(first).some(({ plain }) => isYear(plain))) return true
  const aboveNumbers = first.some(
    (values, column) =>
      values !== null && column > 0 && rows.slice(1).some((row) => row[column]?.some(({ plain }) => isNumeric(plain))),
  )
  if (aboveNumbers || (isBold(first) && !isBold(second))) return true
  return rows.length > 2 && first.every((values) => values?.every(({ plain }) => plain.length <= TITLE_MAX))
}

const isBold = (row: Line): boolean =>
  valuesOf(row).every(({ cells }) => (cells[0]!.blocks[0] as Paragraph).spans[0]!.computed.bold)
