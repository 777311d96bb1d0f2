/** Maps values to coordinates on a drawing. */
import { extent, nice, ticks } from 'd3-array'

export interface Scale {
  /** Returns the coordinate of a value. */
  at(value: number): number
  /** Round values for lines of a grid, the least first. */
  ticks: readonly number[]
}

/** Approximate number of grid lines. */
const TICKS = 4

/**
 * A linear scale that begins and ends at round values.
 *
 * @param from coordinate of the least value
 * @param to coordinate of the greatest value
 * @param hasZero whether the scale includes zero; bars need zero because their length starts there
 */
export function linear(
  values: readonly number[],
  [from, to]: readonly [from: number, to: number],
  hasZero: boolean,
): Scale {
  const [least = 0, most = 0] = extent(hasZero ? [0, ...values] : values)
  // A single value has no range, so its scale goes from zero to the value. If the value is zero, the scale goes from
  // zero to one.
  const [low, high] = least < most ? [least, most] : most === 0 ? [0, 1] : [Math.min(0, most), Math.max(0, most)]
  const [start, stop] = nice(low, high, TICKS)
  return {
    at: (value) => from + ((value - start) / (stop - start)) * (to - from),
    ticks: ticks(start, stop, TICKS),
  }
}
