/** Databases for sections, in the embedded PostgreSQL or in the server of TEST_DATABASE_URL. */
import { type FreshDatabase, freshDatabase } from '../test/support/database.ts'
import { openScope } from './scope.ts'

/** A migrated database without rows, for the length of `work`. */
export async function withDatabase<T>(work: (database: FreshDatabase) => Promise<T>): Promise<T> {
  const scope = openScope()
  try {
    return await work(await freshDatabase(scope))
  } finally {
    await scope.close()
  }
}
