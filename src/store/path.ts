/** SQL of a slice names its own tables without schema, so that it serves the shadow of a rebuild too. */
import type { Transaction } from './db.ts'

/** Does something while `schema` comes first in the search path of the transaction, then `pub` and `public`. */
export async function within<T>(tx: Transaction, schema: string, work: () => T | Promise<T>): Promise<T> {
  await tx`select set_config('search_path', ${`${schema}, pub, public`}, true)`
  const result = await work()
  // If the work failed, the transaction, or its savepoint, takes the setting back.
  await tx`set local search_path to default`
  return result
}
