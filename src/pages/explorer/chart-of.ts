/** Makes the content of a drawing from the declaration of a chart and an answer. */
import type { Unit } from '../../declare/table.ts'
import type { Drawing, Kind, Series } from './charts/drawing.ts'
import { isOnMap } from './charts/states.ts'
import { inSteps, type Step } from './charts/steps.ts'
import { isObject, memberAt } from './shape.ts'
import { numberOf } from './value.ts'

export type Row = Readonly<Record<string, unknown>>

/** A chart of the rows of an answer. */
export interface ChartOf {
  title: string
  draw: Kind
  /** The member that holds the rows, or a function that makes rows from the answer. */
  rows: string | ((answer: Row) => readonly Row[])
  /** Draws only rows with these values. */
  where?: Readonly<Record<string, string>>
  /** Makes one chart for each of the `EACH` values of this member that have the most rows. */
  each?: string
  /** The member with the day, the name or the state of a value. */
  by: string
  /** The interval between the days. Without it, rows are drawn next to each other in their order. */
  every?: Step | ((answer: Row) => Step)
  unit: Unit
  /**
   * The member with the currency of a row, for amounts of unit `USD` that may be in another currency. Rows whose
   * currency differs from that of the newest row are not drawn.
   */
  currency?: string
  /** The members that are drawn, with their labels. */
  values: Readonly<Record<string, string>>
  /** The member of `values` that is drawn below zero. */
  below?: string
  /** Whether the answer may have only the first rows: if so, the parts that are not drawn are not summed. */
  isPart?: true
  /** Whether the rows are counts, so that a period without a row means zero, not missing data. */
  isCount?: true
}

/** Maximum number of charts from one declaration with `each`. */
const EACH = 4
/** Maximum number of named parts; the others are combined into one part. */
const PARTS = 8
/** Maximum numbers of periods that remain distinct on a phone: of a line, of bars, and of marks. */
const LINE_PERIODS = 240
const BAR_PERIODS = 60
const MARK_PERIODS = 6

export function drawingsOf(chart: ChartOf, answer: Row): Drawing[] {
  const { rows: where, each, every } = chart
  // The title names the period, since two answers of one operation may have different periods.
  const periods = typeof every === 'function' ? `${chart.title}, by ${every(answer)}` : chart.title
  const all = (typeof where === 'function' ? where(answer) : rowsAt(answer, where)).filter(isWanted(chart))
  const { rows, currency } = inOneCurrency(chart, all)
  const title = currency === 'USD' ? periods : `${periods}, in ${currency}`
  const own: ChartOf = currency === 'USD' ? { ...chart, title } : { ...chart, title, unit: 'stated' }
  if (each === undefined) return [drawingOf(own, rows, answer)].filter((drawing) => drawing !== null)
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(String(row[each]), [...(groups.get(String(row[each])) ?? []), row])
  const most = [...groups].sort(([, a], [, b]) => b.length - a.length).slice(0, EACH)
  return most.flatMap(([name, some]) => drawingOf({ ...own, title: `${title}: ${name}` }, some, answer) ?? [])
}

function inOneCurrency({ by, currency }: ChartOf, rows: readonly Row[]): { rows: readonly Row[]; currency: string } {
  if (currency === undefined || rows.length === 0) return { rows, currency: 'USD' }
  const last = rows.reduce((newest, row) => (String(row[by]) > String(newest[by]) ? row : newest))
  const of = last[currency]
  return {
    rows: rows.filter((row) => row[currency] === of),
    currency: typeof of === 'string' ? of : 'units not stated',
  }
}

const isWanted =
  ({ where = {} }: ChartOf) =>
  (row: Row) =>
    Object.entries(where).every(([name, value]) => row[name] === value)

function rowsAt(answer: Row, path: string): readonly Row[] {
  const found = memberAt(answer, path)
  return Array.isArray(found) ? found.filter(isObject) : []
}

/** Returns null if the drawing would be empty: no value, or only one period. */
function drawingOf(chart: ChartOf, rows: readonly Row[], answer: Row): Drawing | null {
  if (chart.draw === 'parts') return partsOf(chart, rows)
  if (chart.draw === 'states') return statesOf(chart, rows)
  const { by, every } = chart
  if (every === undefined) {
    return finished(
      chart,
      rows.map((row) => String(row[by] ?? '–')),
      rows,
      [],
    )
  }
  const step = typeof every === 'function' ? every(answer) : every
  const dated = rows.filter((row) => DAY.test(String(row[by])))
  const isLine = chart.draw === 'lines' || chart.draw === 'band'
  const together = chart.draw === 'bars' ? Object.keys(chart.values).length : 1
  const most = isLine ? LINE_PERIODS : chart.draw === 'ticks' ? MARK_PERIODS : Math.floor(BAR_PERIODS / together)
  const { rows: placed, labels, missing, earlier } = inSteps(dated, (row) => String(row[by]), step, most)
  return finished(chart, labels, placed, [
    ...(missing.length > 0 ? [`${chart.isCount ? 'No rows' : 'Missing'}: ${missing.join(', ')}.`] : []),
    ...(earlier > 0 ? [`${earlier} earlier periods are not drawn.`] : []),
  ])
}

function finished(
  chart: ChartOf,
  labels: readonly string[],
  rows: readonly (Row | null)[],
  notes: string[],
): Drawing | null {
  const { draw, title, unit, values, below, every } = chart
  const series = Object.entries(values).map(([name, label]): Series => {
    const own = rows.map((row) => (row === null ? null : memberAt(row, name)))
    return {
      label,
      values: own.map((value) => drawn(value, name === below)),
      texts: own.map((value) => (draw === 'ticks' ? yesOrNo(value) : textOf(value, unit))),
    }
  })
  const stated = series.filter((each) => each.values.some((value) => value !== null))
  const points = Math.max(0, ...stated.map((each) => each.values.filter((value) => value !== null).length))
  if (points < 2 || (draw === 'band' && stated.length < 3)) return null
  if (!stated.some((each) => each.values.some((value) => value !== 0 && value !== null))) return null
  const silent = stated.flatMap(({ label, values: own }) => {
    const at = own.flatMap((value, n) => (value === null && rows[n] !== null ? [labels[n]!] : []))
    return at.length === 0 ? [] : [`Not stated: ${label.toLowerCase()} for ${listed(at)}.`]
  })
  const isMirrored = below !== undefined
  return {
    kind: draw,
    title,
    unit,
    by: every ? 'Period' : 'Value',
    labels,
    series: stated,
    isMirrored,
    notes: [...notes, ...silent],
  }
}

const yesOrNo = (value: unknown): string => (value === 1 ? 'Yes' : value === 0 ? 'No' : '–')

const LISTED = 6
const listed = (names: readonly string[]): string =>
  names.length <= LISTED ? names.join(', ') : `${names.slice(0, LISTED).join(', ')} and ${names.length - LISTED} more`

/** A day, a month or a year. */
const DAY = /^\d{4}(-\d\d){0,2}$/
const DECIMAL = /^-?\d+(\.\d+)?$/

/** The number that is drawn for a value; null if it is not a number. */
function drawn(value: unknown, isBelow: boolean): number | null {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && DECIMAL.test(value) ? Number(value) : null
  return number !== null && isBelow && number !== 0 ? -number : number
}

const textOf = (value: unknown, unit: Unit): string =>
  typeof value === 'number' || typeof value === 'string' ? numberOf('value', String(value), unit) : '–'

/** The largest parts by name, and the others combined. */
function partsOf({ draw, title, by, unit, values, isPart }: ChartOf, rows: readonly Row[]): Drawing | null {
  const [[member, label] = ['', '']] = Object.entries(values)
  const all = rows
    .map((row) => ({
      name: String(row[by] ?? 'Not stated'),
      value: drawn(row[member], false),
      text: textOf(row[member], unit),
    }))
    .filter(({ value }) => value !== null && value > 0)
    .sort((a, b) => b.value! - a.value!)
  if (all.length === 0) return null
  const rest = all.length > PARTS && !isPart ? all.slice(PARTS - 1) : []
  const shown = rest.length > 0 ? all.slice(0, PARTS - 1) : all.slice(0, PARTS)
  if (rest.length > 0) {
    const sum = rest.reduce((total, { value }) => total + value!, 0)
    shown.push({ name: `${rest.length} others`, value: sum, text: textOf(Math.round(sum * 100) / 100, unit) })
  }
  const series = [{ label, values: shown.map(({ value }) => value), texts: shown.map(({ text }) => text) }]
  return { kind: draw, title, unit, by: 'Name', labels: shown.map(({ name }) => name), series, notes: [] }
}

/** Sums by state; names the codes that are not on the map. If the declared value is `n`, rows are counted. */
function statesOf({ draw, title, by, unit, values }: ChartOf, rows: readonly Row[]): Drawing | null {
  const [[member, label] = ['', 'Number']] = Object.entries(values)
  const sums = new Map<string, number>()
  for (const row of rows) {
    const state = String(row[by] ?? 'not stated')
    sums.set(state, (sums.get(state) ?? 0) + (member === 'n' ? 1 : (drawn(row[member], false) ?? 0)))
  }
  const all = [...sums].sort(([, a], [, b]) => b - a)
  const [on, off] = [all.filter(([state]) => isOnMap(state)), all.filter(([state]) => !isOnMap(state))]
  if (on.length === 0) return null
  const series = [{ label, values: on.map(([, sum]) => sum), texts: on.map(([, sum]) => textOf(sum, unit)) }]
  const notes =
    off.length === 0 ? [] : [`Not on the map: ${listed(off.map(([state, sum]) => `${state} ${textOf(sum, unit)}`))}.`]
  return { kind: draw, title, unit, by: 'State', labels: on.map(([state]) => state), series, notes }
}
