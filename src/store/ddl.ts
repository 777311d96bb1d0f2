/** Makes the text of DDL statements from the declarations of a slice. */
import type { z } from 'zod'
import { type FilingsDataset, filingTable, isFilings, relationsOf, type Slice } from '../declare/dataset.ts'
import { type Columns, columnType, meaningOf, type Relation, storedColumns } from '../declare/table.ts'
import type { View } from '../declare/view.ts'

/** Returns `create table`. Names come from declarations and are plain lower case. */
export function tableDdl(t: Relation, schema: string): string {
  const name = `${schema}.${t.name}`
  const columns = Object.entries(storedColumns(t)).map(([column, type]) => {
    const { postgres, nullable } = columnType(type)!
    return `  ${column} ${postgres}${nullable ? '' : ' not null'}`
  })
  const key = `  primary key (${t.primaryKey.join(', ')})`
  const parted = t.partition ? ` partition by range (${t.partition})` : ''
  return `create table ${name} (\n${[...columns, key].join(',\n')}\n)${parted};`
}

/** Returns the comments on the table and on every column, as statements. */
export const tableComments = (t: Relation, schema: string): string =>
  commentsDdl('table', `${schema}.${t.name}`, t.meaning, storedColumns(t))

/** Returns `create view`. */
export const viewDdl = ({ id, sql }: View): string => `create view ${id} as\n${sql};`

/** Returns the comments on the view and on every column, as statements. */
export const viewComments = ({ id, meaning, columns }: View): string => commentsDdl('view', id, meaning, columns)

const commentsDdl = (kind: 'table' | 'view', relation: string, meaning: string, columns: Columns) =>
  [
    `comment on ${kind} ${relation} is ${quoted(meaning)};`,
    ...Object.entries(columns).map(
      ([name, type]) => `comment on column ${relation}.${name} is ${quoted(commentOf(type))};`,
    ),
  ].join('\n')

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/**
 * The comment on a column. It has the meaning, and the unit or the kind of thing that the column names: `Item 15: sales
 * commissions, US dollars [USD]`.
 */
function commentOf(type: z.ZodType): string {
  const { unit, entity } = columnType(type)!
  return [meaningOf(type)!, ...[unit ?? entity ?? []].flat().map((of) => `[${of}]`)].join(' ')
}

export function indexDdl(dataset: Slice, schema: string): string[] {
  const declared = relationsOf(dataset).flatMap((t) => t.indexes.map((index) => `${t.name} ${index}`))
  const own = isFilings(dataset) ? [...feedIndexes(dataset), ...declared] : declared
  return own.map((index) => `create index on ${schema}.${index};`)
}

/**
 * Indexes of the table of filings: one by date, and one for each facet. The index of a facet that is not a list also
 * has the date.
 */
function feedIndexes(dataset: FilingsDataset): string[] {
  const { name, columns } = filingTable(dataset)
  const feed = (dataset.family?.facets ?? []).map((facet) => {
    const kind = columnType(columns[facet]!)!.kind
    return kind === 'list' ? `${name} using gin (${facet})` : `${name} (${facet}, filed_date desc, accession desc)`
  })
  const byDate = `${name} (filed_date desc, accession desc)`
  return [byDate, ...feed]
}
