/** Facts about the database itself. */
import type { Sql, Transaction } from './db.ts'

/** Channel on which every change of served data is announced. */
export const DATA_CHANNEL = 'openfilings_data'

/**
 * Says that served data changed: answers kept by address are then stale. Every writer locks this one row until its commit:
 * call it as the last thing before that, so that it is held for microseconds.
 */
export async function dataChanged(tx: Transaction): Promise<void> {
  await tx`update core.meta set value = (value::bigint + 1)::text where name = 'data_version'`
  await tx`select pg_notify(${DATA_CHANNEL}, '')`
}

/** The same for a first look-up of a filing, without waiting for a load that has called `dataChanged`. */
export async function lookUpChanged(tx: Transaction): Promise<void> {
  await tx`update core.meta set value = (value::bigint + 1)::text where name = 'look_ups'`
  await tx`select pg_notify(${DATA_CHANNEL}, '')`
}

/** The data version: another one whenever served data is another. Null in a database without a schema. */
export const dataVersion = (sql: Sql) => sql<[{ value: string | null }]>`
  select sum(value::bigint)::text as value from core.meta where name in ('data_version', 'look_ups')`
