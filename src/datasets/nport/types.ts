/** What the parts of the parser of Form N-PORT hand to each other. */
import type { z } from 'zod'
import type { Problem } from '../../read/xml.ts'
import type * as tables from './tables.ts'
import type * as lines from './tables-lines.ts'

type Tables = typeof tables & typeof lines
export type RowOf<K extends keyof Tables> = z.infer<Tables[K]['parsed']>

/** A table's name and a row of it. */
export type Row = { [K in keyof Tables]: readonly [K, RowOf<K>] }[keyof Tables]

/** One holding as a document says it, whatever it was read from. */
export interface Line {
  security: Omit<RowOf<'security'>, 'security' | 'sec_id' | 'cusip' | 'cusip_flag'> & {
    /** As filed, N/A too. */
    cusip: string | null
  }
  holding: Omit<RowOf<'holding'>, 'n' | 'quarter' | 'sec_id' | 'security' | 'is_private'>
  /** Rows of side tables, made once the number of the holding and its quarter are known. */
  more: (placed: { n: number; quarter: string }) => Row[]
}

/** What was not understood of one filing. */
export interface Findings {
  /** The first 1,000. */
  problems: Problem[]
  unread: Set<string>
  /** Holdings in the document. */
  lines: number
  /** How many of them were read. */
  read: number
  /** Why the document ended before its end. */
  cutOff: string | null
}
