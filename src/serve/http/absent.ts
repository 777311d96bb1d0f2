/** Tests which numbers of things have no rows, so that their pages would find nothing. */
import type { Catalog } from '../../declare/catalog.ts'
import type { Entity } from '../../declare/column.ts'
import { mentionsOf } from '../../declare/mentions.ts'
import type { Route } from '../../declare/route.ts'
import type { RowSource } from '../../declare/route-leads.ts'
import { cusipFlag } from '../../read/securityid.ts'
import type { Sql } from '../../store/db.ts'

/** Numbers of things about which nothing is loaded, by kind of thing. */
export type Absent = Partial<Readonly<Record<Entity, ReadonlySet<string>>>>

/** Where rows about the number in the path of a route are; null if the route does not declare it (`leads`). */
export function sourcesOf(
  { leads }: Pick<Route, 'leads'>,
  entity: Entity,
  { filings, bulk }: Pick<Catalog, 'filings' | 'bulk'>,
): readonly RowSource[] | null {
  const found = Object.values(leads?.found ?? {}).flat()
  if (!found.includes(null)) return found.length === 0 ? null : (found as readonly RowSource[])
  if (leads?.known === undefined) return null
  const named = mentionsOf([...filings, ...bulk], entity)
  return [...leads.known, ...named.map(({ relation, column }) => ({ in: relation.id as RowSource['in'], by: column }))]
}

/** Returns the numbers for which no source has a row. */
export async function absentAmong(
  sql: Sql,
  entity: Entity,
  numbers: readonly string[],
  sources: readonly RowSource[],
): Promise<ReadonlySet<string>> {
  const keys = new Map(numbers.map((number) => [number, keyOf(entity, number)]))
  const conditions = sources.map(
    ({ in: relation, by, where = 'true' }) =>
      sql`exists (select from ${sql(relation)} t where t.${sql(by)} = wanted.number and ${sql.unsafe(where)})`,
  )
  const known = [...new Set([...keys.values()].flatMap((key) => key ?? []))]
  const rows = await sql<{ number: string }[]>`
    select number from unnest(${known}::text[]) wanted (number)
    where ${conditions.reduce((some, next) => sql`${some} or ${next}`)}`
  const there = new Set(rows.map(({ number }) => number))
  return new Set(numbers.filter((number) => !there.has(keys.get(number) ?? '')))
}

/**
 * The number under which rows about a thing are found; null for a text that identifies nothing. An incomplete CUSIP in
 * a filing is a mistake, and a placeholder stands for many securities.
 */
function keyOf(entity: Entity, number: string): string | null {
  if (entity !== 'cusip' || number.includes('~')) return number
  const flag = cusipFlag(number)
  return flag === 'length' || flag === 'placeholder' ? null : number.toUpperCase()
}
