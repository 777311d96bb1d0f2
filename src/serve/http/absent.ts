/**
 * Finds identifiers of things, such as a CIK or a CUSIP, for which no row is loaded: their pages would find nothing.
 */
import type { Catalog } from '../../declare/catalog.ts'
import type { Entity } from '../../declare/column.ts'
import { mentionsOf } from '../../declare/mentions.ts'
import type { Route } from '../../declare/route.ts'
import type { RowSource } from '../../declare/route-leads.ts'
import { cusipFlag } from '../../read/securityid.ts'
import type { Sql } from '../../store/db.ts'

/** Identifiers for which no row is loaded, by kind of thing. */
export type Absent = Partial<Readonly<Record<Entity, ReadonlySet<string>>>>

/**
 * Groups of relations that have rows about things. A group is asked only about identifiers for which the groups before
 * it have no row.
 */
export type Sources = readonly (readonly RowSource[])[]

/**
 * Where to find the rows about the thing that the path of a route identifies; null if the route does not declare it
 * (`leads`).
 */
export function sourcesOf(
  { leads }: Pick<Route, 'leads'>,
  entity: Entity,
  { filings, bulk }: Pick<Catalog, 'filings' | 'bulk'>,
): Sources | null {
  const found = Object.values(leads?.found ?? {}).flat()
  if (!found.includes(null)) return found.length === 0 ? null : [found as readonly RowSource[]]
  if (leads?.known === undefined) return null
  const named = mentionsOf([...filings, ...bulk], entity)
  return [leads.known, named.map(({ relation, column }) => ({ in: relation.id as RowSource['in'], by: column }))]
}

/** Returns the identifiers for which no source has a row. */
export async function absentAmong(
  sql: Sql,
  entity: Entity,
  numbers: readonly string[],
  sources: Sources,
): Promise<ReadonlySet<string>> {
  const keys = new Map(numbers.map((number) => [number, keyOf(entity, number)]))
  const lacking = new Set([...keys.values()].filter((key) => key !== null))
  for (const group of sources) {
    if (lacking.size === 0) break
    for (const key of await foundIn(sql, [...lacking], group)) lacking.delete(key)
  }
  const isAbsent = (key: string | null | undefined) => typeof key !== 'string' || lacking.has(key)
  return new Set(numbers.filter((number) => isAbsent(keys.get(number))))
}

/** Returns the keys for which one of the relations has a row. */
async function foundIn(sql: Sql, keys: string[], relations: readonly RowSource[]): Promise<readonly string[]> {
  const conditions = relations.map(
    ({ in: relation, by, where = 'true' }) =>
      sql`exists (select from ${sql(relation)} t where t.${sql(by)} = wanted.key and ${sql.unsafe(where)})`,
  )
  const rows = await sql<{ key: string }[]>`
    select key from unnest(${keys}::text[]) wanted (key)
    where ${conditions.reduce((some, next) => sql`${some} or ${next}`)}`
  return rows.map(({ key }) => key)
}

/**
 * The identifier in the form in which rows have it; null for a text that identifies nothing. An incomplete CUSIP in a
 * filing is a mistake, and a placeholder stands for many securities.
 */
function keyOf(entity: Entity, number: string): string | null {
  if (entity !== 'cusip' || number.includes('~')) return number
  const flag = cusipFlag(number)
  return flag === 'length' || flag === 'placeholder' ? null : number.toUpperCase()
}
