/**
 * Finds facts about an identifier that occurs only in rows about other things. Examples are the exchange that delists a
 * security, the intermediary of an offering, and an insider whose filings no loaded index lists. Nothing is inferred:
 * if no row has the name, the name is unknown.
 */
import { z } from 'zod'
import type { Catalog } from '../declare/catalog.ts'
import { type Mention, mentionsOf } from '../declare/mentions.ts'
import { accession, date, type Entity } from '../declare/table.ts'
import type { Fragment, Sql } from '../store/db.ts'
import { unnamed } from './page.ts'

export const named = z
  .object({
    dataset: z.string().describe('Dataset of the row'),
    role: z.string().describe('Role of the filer in the row: exchange, seller, owner'),
    meaning: z.string().describe('Description of this role'),
    name: z.string().nullable().describe('Name of the filer in that row; null if the row has no name'),
    accession: accession('The newest filing that names the filer in this role; null if no filing does').nullable(),
    filed_date: date('Filing date of this filing; null if it is unknown').nullable(),
  })
  .meta({ id: 'NamedIn' })

export type Named = z.infer<typeof named>

/** Slugs of the slices that `namedIn` reads, for `reads` of a route. */
export const namersOf = (slices: Pick<Catalog, 'filings' | 'bulk'>, entity: Entity): string[] =>
  mentionsOf([...slices.filings, ...slices.bulk], entity).map(({ dataset }) => dataset)

/**
 * Returns, for each column that contains the identifier, the newest row with it. The newest of these rows comes first.
 */
export async function namedIn(sql: Sql, { filings, bulk }: Catalog, entity: Entity, value: string): Promise<Named[]> {
  const branches = mentionsOf([...filings, ...bulk], entity).map((mention) => branchOf(sql, mention, value))
  const all = branches.reduce((some, next) => sql`${some} union all ${next}`)
  // The query is planned for the given identifier. A plan for all identifiers may read the whole index of a table's
  // primary key, if the table has few different identifiers.
  return unnamed(sql<Named[]>`
    select m.dataset, m.role, m.meaning, m.name, m.accession, coalesce(m.filed_date, f.filed_date) as filed_date
    from (${all}) m left join edgar.filing f using (accession)
    order by filed_date desc nulls last, m.name is null, m.dataset, m.role`)
}

function branchOf(sql: Sql, { dataset, relation, column, role, meaning, name, isFiled }: Mention, value: string) {
  const { schema, name: table, primaryKey } = relation
  const hasDay = 'filed_date' in relation.row.shape
  const newest = [...(hasDay ? ['filed_date'] : []), ...primaryKey].map((key): Fragment => sql`${sql(key)} desc`)
  return sql`(
    select ${dataset}::text as dataset, ${role}::text as role, ${meaning}::text as meaning,
      ${name === null ? sql`null::text` : sql(name)} as name, ${isFiled ? sql`accession` : sql`null::text`} as accession,
      ${hasDay ? sql`filed_date` : sql`null::date`} as filed_date
    from ${sql(schema)}.${sql(table)} where ${sql(column)} = ${value}
    order by ${newest.reduce((some, next) => sql`${some}, ${next}`)} limit 1)`
}
