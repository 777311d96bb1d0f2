/** The columns of a list as a table, and how a cell's value is found in a row. */
import type { Catalog } from '../../declare/catalog.ts'
import type { List } from '../../declare/route.ts'
import type { Row } from './writer.ts'

export interface Column {
  name: string
  of(row: Row): unknown
}

/**
 * The members of a row in the order in which they are declared, without those that the request leaves out (`fields` and
 * `omit` of /feed). If a member holds at most one object, each member of that object becomes a column.
 */
export function columnsOf(list: List, input: Readonly<Record<string, unknown>>, catalog: Catalog): Column[] {
  const fields = input.fields as readonly string[] | undefined
  const omit = input.omit as readonly string[] | undefined
  const inner = list.inner?.(input, catalog) ?? {}
  return Object.keys(list.row.shape)
    .filter((name) => (fields?.includes(name) ?? true) && !omit?.includes(name))
    .flatMap((name) => {
      const own = inner[name]
      if (!own) return [{ name, of: (row: Row) => row[name] }]
      return own.map((column) => ({
        name: `${name}.${column}`,
        of: (row: Row) => (row[name] as readonly Row[] | undefined)?.[0]?.[column],
      }))
    })
}
