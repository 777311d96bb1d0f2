/** Two queries for each slice, made from its declarations. test/pages/data-pages.test.ts runs all of them. */
import { filingTable, isFilings, relationsOf, type Slice } from '../../declare/dataset.ts'
import { type Columns, columnType, isInner, type Relation } from '../../declare/table.ts'

interface Query {
  title: string
  sql: string
}

/** Returns the main table of a slice, about which its queries are made. */
export function mainOf(slice: Slice): Relation {
  if (isFilings(slice)) return filingTable(slice)
  const { main, tables, rollups } = slice
  return (main ? (tables[main] ?? rollups[main]) : undefined) ?? relationsOf(slice)[0]!
}

const COLUMNS_MAX = 6

export function queriesOf(slice: Slice): Query[] {
  const main = mainOf(slice)
  const { id, primaryKey } = main
  const order = orderOf(main)
  const newest = order.startsWith('filed_date')
  const shown = [...new Set([...primaryKey, ...(newest ? ['filed_date'] : []), ...plainColumns(main)])]
  const first = `select ${shown.slice(0, COLUMNS_MAX + primaryKey.length).join(', ')}\nfrom ${id}\norder by ${order}\nlimit 20;`
  return [{ title: newest ? 'The newest rows' : 'The first rows by key', sql: first }, second(slice, main, order)]
}

const orderOf = ({ primaryKey, row }: Relation): string =>
  'filed_date' in row.shape ? `filed_date desc, ${primaryKey.join(' desc, ')} desc` : primaryKey.join(', ')

/** Columns that are readable in one line: no search columns, lists or objects. */
const plainColumns = ({ row }: Relation): string[] =>
  Object.entries(row.shape as Columns).flatMap(([name, type]) => {
    const isShort = ['text', 'number', 'date', 'boolean'].includes(columnType(type)!.kind)
    return isShort && !isInner(name, type) ? [name] : []
  })

/**
 * Returns a query that counts, for each of 20 rows of the main table, the rows of every other table that belong to it.
 * These are tables whose key begins with the key of the main table. Without such tables, the query groups the main
 * table.
 */
function second(slice: Slice, main: Relation, order: string): Query {
  const [key] = main.primaryKey
  const parts = relationsOf(slice).filter(
    (each) => each !== main && each.primaryKey[0] === key && each.primaryKey.length > 1,
  )
  if (main.primaryKey.length === 1 && parts.length > 0) {
    const counts = parts.map(({ id, name }) => `  (select count(*) from ${id} t where t.${key} = m.${key}) as ${name}`)
    const from = `(select * from ${main.id} order by ${order} limit 20) m`
    return {
      title: 'Rows of the other tables for each of these rows',
      sql: `select m.${key},\n${counts.join(',\n')}\nfrom ${from};`,
    }
  }
  const group = groupOf(main)
  return {
    title: `Rows by ${group}`,
    sql: `select ${group}, count(*) as rows\nfrom ${main.id}\ngroup by ${group}\norder by rows desc, ${group}\nlimit 20;`,
  }
}

/** The column by which rows are grouped: a column with few distinct values, else the first column of the key. */
function groupOf({ row, primaryKey }: Relation): string {
  const columns = Object.entries(row.shape as Columns)
  const few = columns.find(([, type]) => columnType(type)!.values !== undefined && columnType(type)!.kind === 'text')
  return few?.[0] ?? primaryKey[0]!
}
