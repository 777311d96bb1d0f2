/** Facts about the database itself. */
import type { Transaction } from './db.ts'

/** Channel on which every change of served data is announced. */
export const DATA_CHANNEL = 'openfilings_data'

/**
 * Says that served data changed: answers kept by address are then stale. Locks the version until commit, so call it after
 * the long work and before edgar.coverage is touched: that order keeps workers from waiting for each other in turn.
 */
export async function dataChanged(tx: Transaction): Promise<void> {
  await tx`update core.meta set value = (value::bigint + 1)::text where name = 'data_version'`
  await tx`select pg_notify(${DATA_CHANNEL}, '')`
}
