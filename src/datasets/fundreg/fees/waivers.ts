/** Decides the sign of a waiver. Filers write waivers in brackets, with a minus, or with neither. */
import { directionOf } from './items.ts'

export interface FeeValue {
  /** Percent of net assets a year: 0.45. A waiver is negative. */
  value: string | null
  /** Reason for a missing value. */
  reason: string | null
}

/** Maximum error from the rounding of three percentages, in hundredths of a percent. */
const ROUNDING = 2.01

/**
 * Returns the waiver of one class. It is negative if it reduces the total. A recoupment adds to the total. A value that
 * is negative or zero stays as it is. The sign of any other value comes from the total and the net amount; if they do
 * not decide it, the label decides.
 *
 * @param label label of the line; null for tagged values
 */
export function waived(
  { value, reason, label }: FeeValue & { label: string | null },
  total: string | null,
  net: string | null,
): FeeValue {
  if (value === null || value.startsWith('-') || Number(value) === 0) return { value, reason }
  if (total !== null && net !== null) {
    const [all, left, it] = [total, net, value].map((text) => Number(text) * 100) as [number, number, number]
    if (Math.abs(all - it - left) <= ROUNDING) return { value: `-${value}`, reason: null }
    if (Math.abs(all + it - left) <= ROUNDING) return { value, reason: null }
  }
  const direction = label === null ? null : directionOf(label)
  if (direction === null) return { value: null, reason: 'a waiver or a recoupment: the filing does not say which' }
  return { value: direction === 'takes' ? `-${value}` : value, reason: null }
}
