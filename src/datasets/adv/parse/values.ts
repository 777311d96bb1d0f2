/** Types of the rows that parsers of Form ADV yield. */
import type { Rows } from '../../../declare/table.ts'
import type * as tables from '../tables.ts'

type Yielded = Rows<typeof tables> extends Generator<infer R> ? R : never

/** A row of the given table; a missing or mistyped column does not compile. */
export type Row<K extends keyof typeof tables> = Extract<Yielded, readonly [K, unknown]>[1]
