/** Which columns of a table matter first, which are folded, and which values are said once for all rows. */
import { isNothing, isObject, isRows, type Member, notesOf } from './shape.ts'

type Row = Readonly<Record<string, unknown>>

/** Columns of a table; the others are folded into a cell of each row. */
const SHOWN = 9
/** In fewer rows nothing is said once for all. */
const ROWS_MIN = 3
/** A longer value stays in its column. */
const VALUE_MAX = 60

export interface Columns {
  shown: readonly Member[]
  folded: readonly Member[]
  /** Columns with the same value in all rows. */
  common: readonly Member[]
}

/**
 * @param columns in the order in which they would be shown
 * @param isKept whether a column stays a column, since it names what the row is about
 */
export function arranged(
  columns: readonly Member[],
  rows: readonly Row[],
  isKept: (member: Member) => boolean,
): Columns {
  const places = columns.filter((column) => isTextPlace(column, rows))
  const common = columns.filter((column) => !isKept(column) && !places.includes(column) && isCommon(column, rows))
  const own = columns.filter((column) => !common.includes(column) && !places.includes(column))
  // A cell that folds one or two columns takes as much room as they do.
  if (own.length + Math.sign(places.length) <= SHOWN + 1) return { shown: own, folded: places, common }
  const rank = new Map(own.map((column, n) => [column, rankOf(column, rows, isKept) * own.length + n]))
  const first = [...own].sort((a, b) => rank.get(a)! - rank.get(b)!).slice(0, SHOWN)
  return {
    shown: own.filter((column) => first.includes(column)),
    folded: columns.filter((column) => places.includes(column) || (own.includes(column) && !first.includes(column))),
    common,
  }
}

/** Whether a column has places within a text, which only programs need: people follow the link of the sentence. */
const isTextPlace = ({ name }: Member, rows: readonly Row[]): boolean =>
  /^((text_)?(start|stop)|offset|length)$/.test(name) &&
  rows.every((row) => isNothing(row[name]) || typeof row[name] === 'number')

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

/** The lower the rank, the earlier a column is kept: names, days and figures before flags and notes. */
function rankOf(column: Member, rows: readonly Row[], isKept: (member: Member) => boolean): number {
  const { name, type } = column
  const stated = rows.filter((row) => !isNothing(row[name]))
  if (isKept(column)) return 0
  // A column that few rows fill, or that only a program reads.
  if (/^(is|has)_/.test(name) || stated.length * 4 < rows.length) return 4
  if (
    stated.some((row) => typeof row[name] === 'boolean') ||
    /^(source|submission_type|amended_by|lei|isin)$/.test(name)
  )
    return 4
  if (/_before$|^(exercise|deemed|expiration)_/.test(name)) return 3
  if (stated.some((row) => String(row[name]).length > 120 && !Array.isArray(row[name]))) return 3
  // Objects without a name, such as footnotes, and codes of one letter, next to which stands their meaning.
  if (stated.some((row) => isRows(row[name]) && !hasName(row[name])) || stated.some((row) => isObject(row[name])))
    return 3
  if (stated.every((row) => typeof row[name] === 'string' && row[name].length === 1)) return 3
  const { unit } = notesOf(type)
  return unit !== undefined || /(^|_)(date|day|period|name)$/.test(name) ? 1 : 2
}

const hasName = (values: readonly Row[]) => values.every((value) => 'name' in value)
