/** Decides which columns of a table come first, which are folded, and which values are stated once for all rows. */
import { isNothing, isObject, isRows, type Member, notesOf } from './shape.ts'

type Row = Readonly<Record<string, unknown>>

/** Maximum number of columns of a table; the other columns are folded into one cell of each row. */
const SHOWN = 9
/** A table with fewer rows states no value once for all rows. */
const ROWS_MIN = 3
/** A value that is longer than this stays in its column, even if all rows have the same value. */
const VALUE_MAX = 60

/** The most important columns of a page’s tables, by operation: they are never folded. */
export const FIRST_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  // Entries of the log without a filing have no form and no day. On a phone, the columns of form and day would show
  // only dashes next to the name.
  events: ['what', 'source'],
  ipos: ['stage', 'stage_date', 'price', 'price_low', 'price_high', 'price_to_range', 'gross'],
  brokers: ['auditor', 'material_weakness'],
  npx_votes: ['person_name', 'series_name', 'meeting_date', 'description', 'votes'],
  eightk_events: ['filed_date', 'officers', 'earnings', 'facts', 'votes', 'excerpt'],
  brochure_search: ['excerpts'],
  text_search: ['excerpts'],
  form144_filings: ['sales'],
}

export interface Columns {
  shown: readonly Member[]
  folded: readonly Member[]
  /** Columns with the same value in all rows. */
  common: readonly Member[]
}

/**
 * @param columns in the order in which they would be shown
 * @param isKept whether a column must stay, because it names the subject of the row
 */
export function arranged(
  columns: readonly Member[],
  rows: readonly Row[],
  isKept: (member: Member) => boolean,
): Columns {
  const places = columns.filter((column) => isTextPlace(column, rows))
  const common = columns.filter((column) => !isKept(column) && !places.includes(column) && isCommon(column, rows))
  const sparse = columns.filter((column) => !isKept(column) && isSparse(column, rows))
  const own = columns.filter((column) => ![common, places, sparse].some((some) => some.includes(column)))
  const aside = columns.filter((column) => places.includes(column) || sparse.includes(column))
  // A cell that folds a single column would take as much space as that column.
  if (own.length + Math.sign(aside.length) <= SHOWN + 1) return { shown: own, folded: aside, common }
  const rank = new Map(own.map((column, n) => [column, rankOf(column, rows, isKept) * own.length + n]))
  const first = [...own].sort((a, b) => rank.get(a)! - rank.get(b)!).slice(0, SHOWN)
  return {
    shown: own.filter((column) => first.includes(column)),
    folded: columns.filter((column) => aside.includes(column) || (own.includes(column) && !first.includes(column))),
    common,
  }
}

/** Whether a column has positions within a text. Only programs need them: people follow the link of the quotation. */
const isTextPlace = ({ name }: Member, rows: readonly Row[]): boolean =>
  /^((text_)?(start|stop)|offset|length)$/.test(name) &&
  rows.every((row) => isNothing(row[name]) || typeof row[name] === 'number')

/** In a table with fewer rows than this, a column stays unfolded even if only few rows fill it. */
const SPARSE_ROWS_MIN = 8

/**
 * Whether a column is mostly empty, and is not a figure that people compare. Such a column would only take space from
 * the others.
 */
const isSparse = ({ name, type }: Member, rows: readonly Row[]): boolean =>
  rows.length >= SPARSE_ROWS_MIN &&
  notesOf(type).unit === undefined &&
  rows.filter((row) => !isNothing(row[name])).length * 4 < rows.length

function isCommon({ name }: Member, rows: readonly Row[]): boolean {
  const value = rows[0]?.[name]
  return (
    rows.length >= ROWS_MIN &&
    !isNothing(value) &&
    typeof value !== 'object' &&
    String(value).length <= VALUE_MAX &&
    rows.every((row) => row[name] === value)
  )
}

/** Columns with a lower rank are kept first: names, days and figures before flags and notes. */
function rankOf(column: Member, rows: readonly Row[], isKept: (member: Member) => boolean): number {
  const { name, type } = column
  const stated = rows.filter((row) => !isNothing(row[name]))
  if (isKept(column)) return 0
  // Flags, and columns that are filled in fewer than a quarter of the rows.
  if (/^(is|has)_/.test(name) || stated.length * 4 < rows.length) return 4
  if (
    stated.some((row) => typeof row[name] === 'boolean') ||
    /^(source|submission_type|amended_by|lei|isin)$/.test(name)
  )
    return 4
  if (/_before$|^(exercise|deemed|expiration)_/.test(name)) return 3
  if (stated.some((row) => String(row[name]).length > 120 && !Array.isArray(row[name]))) return 3
  // Objects without a name, such as footnotes, and codes of one letter that are shown next to their meaning.
  if (stated.some((row) => isRows(row[name]) && !hasName(row[name])) || stated.some((row) => isObject(row[name])))
    return 3
  if (stated.every((row) => typeof row[name] === 'string' && row[name].length === 1)) return 3
  const { unit } = notesOf(type)
  return unit !== undefined || /(^|_)(date|day|period|name)$/.test(name) ? 1 : 2
}

const hasName = (values: readonly Row[]) => values.every((value) => 'name' in value)
