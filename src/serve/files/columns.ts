/** The columns of a list as a table, each with a function that reads its value from a row. */
import type { z } from 'zod'
import type { Catalog } from '../../declare/catalog.ts'
import type { List } from '../../declare/route.ts'
import type { Row } from './writer.ts'

export interface Column {
  name: string
  type: z.ZodType
  of(row: Row): unknown
}

interface ColumnParams {
  input: Readonly<Record<string, unknown>>
  /** The fields that the request selects; null if it wants all fields. */
  chosen: readonly string[] | null
}

/**
 * The members of a row in the order in which they are declared, without members that the request leaves out. If a
 * member holds at most one object, each member of that object becomes a column.
 */
export function columnsOf(list: List, { input, chosen }: ColumnParams, catalog: Catalog): Column[] {
  const inner = list.inner?.(input, catalog) ?? {}
  return (chosen ?? Object.keys(list.row.shape)).flatMap((name) => {
    const own = inner[name]
    if (!own) return [{ name, type: list.row.shape[name] as z.ZodType, of: (row: Row) => row[name] }]
    return Object.entries(own).map(([column, type]) => ({
      name: `${name}.${column}`,
      type,
      of: (row: Row) => (row[name] as readonly Row[] | undefined)?.[0]?.[column],
    }))
  })
}
