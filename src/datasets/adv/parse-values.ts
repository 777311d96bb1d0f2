/** Values of Form ADV that need more than the strict readers' types, and the rows that its parsers yield. */
import type { Rows } from '../../declare/table.ts'
import type * as tables from './tables.ts'

type Yielded = Rows<typeof tables> extends Generator<infer R> ? R : never

/** A row of that table: a column that is missing or mistyped does not compile. */
export type Row<K extends keyof typeof tables> = Extract<Yielded, readonly [K, unknown]>[1]

/** Records a value that cannot be used. */
type Tell = (value: string, reason: string) => void

/** A CRD number as it is compared: digits without leading zeros. Zero stands for none. */
export function crdOf(given: string | null, tell: Tell): string | null {
  if (given === null) return null
  if (/^\d{1,10}$/.test(given)) return given.replace(/^0+/, '') || null
  tell(given, 'is no CRD number')
  return null
}

export function cikOf(given: string | null, tell: Tell): string | null {
  if (given === null) return null
  if (/^\d{1,10}$/.test(given)) return /^0+$/.test(given) ? null : given.padStart(10, '0')
  tell(given, 'is no CIK')
  return null
}

/** What an `integer` column holds: one accounts figure beyond it must not refuse a whole edition. */
export function whole(value: number | null, tell: Tell): number | null {
  if (value === null || Math.abs(value) < 2 ** 31) return value
  tell(`${value}`, 'is larger than any such count')
  return null
}
