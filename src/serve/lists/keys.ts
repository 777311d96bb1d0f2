/** Turns an order of a declared list into the sort keys of an index. */
import type { z } from 'zod'
import type { ListPlan, Of, Sort } from '../../declare/lists.ts'
import { columnType } from '../../declare/table.ts'
import type { Key } from '../keyset.ts'

const TYPES = { date: 'date', number: 'amount', text: 'text' } as const

/** @throws Error if the column cannot be the key of an order */
function keyOf(of: Of, text: string): Key {
  const column = text.replace(/^-/, '')
  const declared = columnType(of.row.shape[column] as z.ZodType)
  const kind = declared?.kind as keyof typeof TYPES
  if (!declared || !TYPES[kind]) throw new Error(`rows cannot be sorted by ${of.id}.${column}`)
  const type = declared.postgres === 'integer' ? 'count' : TYPES[kind]
  return { column, dir: text === column ? 'asc' : 'desc', type, ...(declared.nullable && { nullable: true }) }
}

const turnedOf = (keys: readonly string[]) =>
  keys.map((key) => (key.startsWith('-') ? key.slice(1) : (`-${key}` as const)))

/** The direction of an order if the request gives none. */
export const directionOf = (sort: Sort): 'asc' | 'desc' =>
  ('turned' in sort ? sort.keys : sort)[0]!.startsWith('-') ? 'desc' : 'asc'

/** Returns the sort keys and the direction of a requested order. */
export function orderOf({ rows, sorts }: ListPlan, sort: string, dir?: 'asc' | 'desc') {
  const declared = sorts[sort]!
  const usual = directionOf(declared)
  const { keys, turned } = 'turned' in declared ? declared : { keys: declared, turned: turnedOf(declared) }
  const chosen = dir === undefined || dir === usual ? keys : turned
  return { keys: chosen.map((key) => keyOf(rows.of, key)), dir: dir ?? usual }
}
