/** Types that the parts of the parser of Form N-PORT exchange. */
import type { z } from 'zod'
import type { Problem } from '../../../read/xml.ts'
import type * as lines from '../tables/lines.ts'
import type * as tables from '../tables.ts'

type Tables = typeof tables & typeof lines
export type RowOf<K extends keyof Tables> = z.infer<Tables[K]['parsed']>

/** A table's name and a row of that table. */
export type Row = { [K in keyof Tables]: readonly [K, RowOf<K>] }[keyof Tables]

/** One holding as reported, from a document or from a set. */
export interface Line {
  security: Omit<RowOf<'security'>, 'security' | 'sec_id' | 'cusip' | 'cusip_flag'> & {
    /** As filed, including N/A. */
    cusip: string | null
  }
  holding: Omit<RowOf<'holding'>, 'n' | 'quarter' | 'sec_id' | 'security' | 'is_private'>
  /** Makes rows of side tables, once the holding's place in the report (`n`) and its quarter are known. */
  more: (placed: { n: number; quarter: string }) => Row[]
}

/** Faults and counts from reading one filing. */
export interface Findings {
  /** The first 1,000 problems. */
  problems: Problem[]
  unread: Set<string>
  /** Number of holdings in the document. */
  lines: number
  /** Number of holdings that were read. */
  read: number
  /** The XML error at which reading stopped; null if the whole document was read. */
  cutOff: string | null
}
