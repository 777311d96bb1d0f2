/** The content of a drawing: labelled values, each as a number and as text. */
import type { Unit } from '../../../declare/table.ts'

/**
 * Kinds of drawings. `bars`: bars next to each other. `stack`: stacked bars. `lines`: lines. `band`: a line within a
 * band. `histogram`: bars of classes, without wide gaps. `parts`: horizontal bars. `states`: a map. `ticks`: marks.
 */
export type Kind = 'bars' | 'stack' | 'lines' | 'band' | 'histogram' | 'parts' | 'states' | 'ticks'

export interface Series {
  label: string
  /** The numbers that are drawn. A null is a gap. */
  values: readonly (number | null)[]
  /** The same values with all their digits and their unit. */
  texts: readonly string[]
}

export interface Drawing {
  kind: Kind
  title: string
  unit: Unit | undefined
  /** The meaning of the labels: `Period`, `State`. */
  by: string
  labels: readonly string[]
  /** For a band: its lower edge, the line, and its upper edge. */
  series: readonly Series[]
  /** Whether series below zero count departures, so that their numbers are shown without a minus sign. */
  isMirrored?: boolean
  /** Sentences under the drawing, for example about missing periods. */
  notes: readonly string[]
}

const compactWith = (maximumSignificantDigits: number) =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits })
const compact = compactWith(4)
/** For values that are close together, such as prices of a share of a money market fund: `1.0001` and `1.0002`. */
const close = compactWith(10)

const COUNT_IN_FULL = 100_000

/**
 * A value as a label of an axis: `$416B`, `2.5%`, `1.2M`.
 *
 * @param among all values of the axis: if they are close together, the label has more digits
 */
export function short(value: number, unit: Unit | undefined, among: readonly number[] = []): string {
  const [least, most] = [Math.min(...among), Math.max(...among)]
  // People read a small count faster in full.
  if (unit === 'count' && Math.abs(value) < COUNT_IN_FULL) return value.toLocaleString('en')
  const isClose = most > least && most - least < Math.max(Math.abs(least), Math.abs(most)) / 100
  const text = (isClose ? close : compact).format(value)
  if (unit === 'USD' || unit === 'USD_per_share') return text.replace(/^(-?)/, '$1$$')
  return unit === 'percent' ? `${text}%` : text
}

/** Words for the unit of an axis. */
const UNITS: Readonly<Partial<Record<Unit, string>>> = {
  USD: 'US dollars',
  USD_per_share: 'US dollars a share',
  percent: 'percent',
  shares: 'shares',
}

export const unitWords = (unit: Unit | undefined): string | null => (unit && UNITS[unit]) ?? null

/** Rounds a coordinate to hundredths, which is exact enough for a drawing. */
export const round = (place: number): number => Math.round(place * 100) / 100
