/**
 * Sets the search path. SQL of a slice names the slice's own tables without schema, so that it also works in the shadow
 * schema of a rebuild.
 */
import type { Transaction } from './db.ts'

/** Runs the work while the search path of the transaction is `schema`, `pub`, `public`. */
export async function within<T>(tx: Transaction, schema: string, work: () => T | Promise<T>): Promise<T> {
  await tx`select set_config('search_path', ${`${schema}, pub, public`}, true)`
  const result = await work()
  // If the work fails, the rollback of the transaction or its savepoint restores the setting.
  await tx`set local search_path to default`
  return result
}
