/**
 * Columns that may name a thing although their row is about another thing. An identifier is looked up in these columns
 * if no row is about the thing that it identifies.
 */
import { columnType, type Entity, meaningOf } from './column.ts'
import { relationsOf, type Slice } from './dataset.ts'
import { type Relation, storedColumns, type Table } from './table.ts'

/** A column that names a thing by its identifier, and the facts that its row has about the thing. */
export interface Mention {
  readonly dataset: string
  readonly relation: Relation
  readonly column: string
  /** The role of the thing in the row: `exchange` of `exchange_cik`, `owner` of `cik` in a table of owners. */
  readonly role: string
  /** The column's own sentence. */
  readonly meaning: string
  /** The column with the name of the thing; null if the row has no such name. */
  readonly name: string | null
  /** Whether the row belongs to a filing. */
  readonly isFiled: boolean
}

/** Returns the columns that were declared with `named`, of one kind of thing. */
export const mentionsOf = (slices: readonly Slice[], entity: Entity): Mention[] =>
  slices.flatMap((slice) =>
    relationsOf(slice).flatMap((relation) =>
      Object.entries(storedColumns(relation)).flatMap(([column, type]): Mention[] => {
        const { entity: own, named } = columnType(type)!
        if (own !== entity || named === undefined) return []
        const role = column === entity ? relation.name : column.slice(0, -1 - entity.length)
        const isFiled = (relation as Partial<Table>).record === 'accession'
        const meaning = meaningOf(type)!
        return [{ dataset: slice.slug, relation, column, role, meaning, name: named, isFiled }]
      }),
    ),
  )
