/** What a drawing shows: values at their places, as numbers and as they are read. */
import type { Unit } from '../../../declare/table.ts'

/** Bars next to each other or on top of each other, lines, a line within a band, bars that lie, a map. */
export type Kind = 'bars' | 'stack' | 'lines' | 'band' | 'histogram' | 'parts' | 'states'

export interface Series {
  label: string
  /** A null is a gap. */
  values: readonly (number | null)[]
  /** The same values with all their digits and their unit. */
  texts: readonly string[]
}

export interface Drawing {
  kind: Kind
  title: string
  unit: Unit | undefined
  /** What the places are: `Period`, `State`. */
  by: string
  labels: readonly string[]
  /** For a band: its lower edge, the line, and its upper edge. */
  series: readonly Series[]
  /** Whether series below zero count what left, and so are read without their sign. */
  isMirrored?: boolean
  /** Sentences under the drawing: which periods are missing. */
  notes: readonly string[]
}

const compactWith = (maximumSignificantDigits: number) =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits })
const compact = compactWith(4)
/** For values that lie close together, as those of a share of a money market fund: `1.0001` and `1.0002`. */
const close = compactWith(10)

/**
 * A value as an axis has it: `$416B`, `2.5%`, `1.2M`.
 *
 * @param among values next to which it stands: if they lie close together, it has more digits
 */
export function short(value: number, unit: Unit | undefined, among: readonly number[] = []): string {
  const [least, most] = [Math.min(...among), Math.max(...among)]
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

/** Places of a drawing in hundredths are enough. */
export const round = (place: number): number => Math.round(place * 100) / 100
