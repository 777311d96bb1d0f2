/**
 * Finds schemas, tables, views and extensions that were once made in a database and are missing now. A dump of only
 * some schemas, or a restore that failed halfway, leaves records of tables that do not exist. Every request to such a
 * table would be a server error.
 */
import type { Sql, Transaction } from './db.ts'
import type { Migration } from './migrations.ts'
import { lostPartitions } from './partitions.ts'

const EXTENSION = 'pg_trgm'

/**
 * The missing tables and views of slices, by slug. If the schema of a slice is missing, only the schema is listed. A
 * slice without missing parts is absent from the result.
 */
export async function gapsOf(
  sql: Sql | Transaction,
  slices: readonly { slug: string; relations: readonly string[] }[],
): Promise<Map<string, string[]>> {
  const schemas = await schemasAmong(
    sql,
    slices.map(({ slug }) => slug),
  )
  const lacking = new Set(
    await lackingAmong(
      sql,
      slices.flatMap(({ relations }) => relations),
    ),
  )
  const partitions = await lostPartitions(sql)
  const gaps = slices.map(({ slug, relations }): [string, string[]] => {
    const parts = partitions.filter((one) => one.slug === slug).map(({ name }) => name)
    const lost = [...relations.filter((name) => lacking.has(name)), ...parts]
    return [slug, schemas.includes(slug) ? lost : [`the schema ${slug}`]]
  })
  return new Map(gaps.filter(([, lost]) => lost.length > 0))
}

/**
 * Finds missing tables that these migrations once made and that our code cannot make again (keys, spine, bulk files).
 * If PostgreSQL's extension `EXTENSION` is missing, or the end of a restore, names it too.
 *
 * A restore makes foreign keys last, after all rows and indexes. So if any of them is missing, the restore ended early,
 * for example because its disk was full, and any table may lack rows or its primary key.
 */
export async function lostOf(sql: Sql | Transaction, migrations: readonly Migration[]): Promise<string[]> {
  const tables = new Map(migrations.flatMap((migration) => Object.entries(migration.tables)))
  const made = [...tables].filter(([, isThere]) => isThere).map(([name]) => name)
  const [row] = await sql<{ has: boolean }[]>`
    select exists (select from pg_extension where extname = ${EXTENSION}) as has`
  const extension = row!.has ? [] : [`the extension ${EXTENSION}`]
  const lacking = await lackingAmong(sql, made)
  const there = made.filter((name) => !lacking.includes(name))
  const unkeyed = await unkeyedAmong(
    sql,
    migrations.flatMap(({ keyed }) => keyed).filter((name) => there.includes(name)),
  )
  const end = unkeyed.length > 0 ? [`the foreign keys of ${unkeyed.join(', ')} (a restore makes them last)`] : []
  return [...extension, ...lacking, ...end]
}

/** Schema of the old tables that a rebuild of the slice has replaced. */
export const oldSchemaOf = ({ slug }: { slug: string }): string => `${slug}_old`

/** Returns the schemas that exist. */
export async function schemasAmong(sql: Sql | Transaction, names: readonly string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select nspname as name from pg_namespace where nspname = any(${names as string[]}) order by nspname`
  return rows.map(({ name }) => name)
}

/** Returns the tables that lack foreign keys. The list has a table once for each foreign key that it should have. */
async function unkeyedAmong(sql: Sql | Transaction, keyed: readonly string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${keyed as string[]}::text[]) name group by name
    having count(*) > (select count(*) from pg_constraint where conrelid = to_regclass(name) and contype = 'f')
    order by name`
  return rows.map(({ name }) => name)
}

/** Returns the tables and views that do not exist. */
async function lackingAmong(sql: Sql | Transaction, names: readonly string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${names as string[]}::text[]) name where to_regclass(name) is null`
  return rows.map(({ name }) => name)
}
