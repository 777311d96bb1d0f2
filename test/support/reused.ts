/**
 * One database for all tests of a file; each begins with the initial state. Removing the rows of one test costs a tenth
 * of making another database, and the sessions stay open.
 */
import type { Sql } from '../../src/store/db.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'

export interface Reused extends FreshDatabase {
  /** Removes every row, and every partition, that was not there initially. @returns the same database */
  emptied(): Promise<Reused>
}

/**
 * Rows that the schema or `make` stored are not reset, except rows of `core`, which return to their initial state.
 *
 * @param make stores initial rows in addition to the schema of the code
 */
export async function reusedDatabase(
  t: Parameters<typeof freshDatabase>[0],
  make: (sql: Sql) => Promise<unknown> = async () => {},
): Promise<Reused> {
  const database = await freshDatabase(t)
  const { sql } = database
  await make(sql)
  const [first, parts] = [await filled(sql), await partitions(sql)]
  // Runs one query after the other: parallel queries would open ten connections, of which few are used again.
  const rows: { name: string; json: string }[] = []
  for (const name of first) if (name.startsWith('core.')) rows.push(await rowsOf(sql, name))
  const reused: Reused = {
    ...database,
    async emptied() {
      const made = (await partitions(sql)).filter((name) => !parts.includes(name))
      for (const name of made) await sql.unsafe(`drop table ${name}`)
      if (made.length > 0) await sql`delete from core.partition`
      const tables = (await filled(sql)).filter((name) => !first.includes(name))
      if (tables.length > 0) await sql.unsafe(`truncate ${tables.join()} restart identity cascade`)
      for (const { name, json } of rows) {
        await sql`delete from ${sql(name)}`
        await sql`insert into ${sql(name)} select * from jsonb_populate_recordset(null::${sql(name)}, ${json}::text::jsonb)`
      }
      return reused
    },
  }
  return reused
}

/** Returns tables that hold rows, or once did. */
async function filled(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and pg_relation_size(c.oid) > 0`
  return rows.map(({ name }) => name)
}

async function rowsOf(sql: Sql, name: string): Promise<{ name: string; json: string }> {
  const [row] = await sql<{ json: string }[]>`select jsonb_agg(t)::text as json from ${sql(name)} t`
  return { name, json: row!.json }
}

async function partitions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits join pg_class on oid = inhrelid where relkind = 'r'`
  return rows.map(({ name }) => name)
}
