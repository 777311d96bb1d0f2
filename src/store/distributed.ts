/**
 * Tables that Citus distributes over its workers, by the first column of their key. All other tables stay on the
 * coordinator. Without Citus, the functions here do nothing.
 */
import type { Relation } from '../declare/table.ts'
import type { Sql, Transaction } from './db.ts'

/** Whether this database has the extension. */
export async function hasCitus(sql: Sql | Transaction): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`select exists (select from pg_extension where extname = 'citus') as has`
  return row!.has
}

/**
 * Distributes the tables that are declared as distributed. The tables must be empty: rows of a filled table would be
 * copied, and would stay on the coordinator's disk too.
 */
export async function distributeTables(tx: Transaction, relations: readonly Relation[], schema: string): Promise<void> {
  const wanted = relations.filter(({ distributed }) => distributed)
  if (wanted.length === 0 || !(await hasCitus(tx))) return
  for (const t of wanted) await tx`select create_distributed_table(${`${schema}.${t.name}`}, ${t.primaryKey[0]!})`
}
