/**
 * Global lock order, to prevent deadlocks: rebuilds; the index; the definitions; tasks; dictionaries by slug and key;
 * coverage by form; new partitions; and last the right to write events and the data versions by slug (store/events.ts,
 * store/meta.ts). If a worker needs a new partition, another transaction makes it. A refresh locks the definition of
 * one slice, then its refresh lock, and last its data version.
 */
import type { Transaction } from '../store/db.ts'

/** Allows one load of an index at a time: two processes that add the same filers would deadlock. */
export const INDEX_LOCK = 4_713_002

/** Takes the lock of indexes until commit. Must come before every lock of tasks. */
export async function holdIndex(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(${INDEX_LOCK})`
}

/**
 * Keeps loads of indexes out until commit. Many transactions may hold this lock at the same time; a transaction that
 * takes `holdIndex` waits for all of them.
 */
export async function holdNoIndex(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${INDEX_LOCK})`
}

/** Allows one refresh of a slice at a time. */
const REFRESH_LOCK = 4_713_006

/**
 * Takes the lock to refresh the rollups of the slice, until commit. So each refresh sees the rows of the refresh before
 * it.
 */
export async function holdRefresh(tx: Transaction, slug: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${REFRESH_LOCK}, hashtext(${slug}))`
}

/** Tries to take the lock of `holdRefresh` without waiting: returns false if another process holds it. */
export async function tryRefresh(tx: Transaction, slug: string): Promise<boolean> {
  const [row] = await tx<{ held: boolean }[]>`
    select pg_try_advisory_xact_lock(${REFRESH_LOCK}, hashtext(${slug})) as held`
  return row!.held
}

/** Locks the counts of filings of these forms until commit. */
export async function holdCoverage(tx: Transaction, forms: readonly string[]): Promise<void> {
  await tx`
    select from edgar.coverage where form_type = any(${forms as string[]}) order by form_type for update`
}

/**
 * Locks, until commit, the tasks of filings that are to be changed or removed, or to get or lose a filer. A worker that
 * reads one of the filings finishes first.
 *
 * @param filings the temporary table with these filings
 */
export async function holdTasks(tx: Transaction, filings: 'changed' | 'removed' | 'joined' | 'parted'): Promise<void> {
  await tx`
    select from edgar.task where accession in (select accession from ${tx(filings)})
    order by accession, dataset for update`
}
