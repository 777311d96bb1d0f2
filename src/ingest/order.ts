/**
 * The order in which writers lock what they share, so that none waits for one that waits for it: rebuilds, the index, the definitions,
 * tasks, dictionaries by slug and key, coverage by form, new partitions, and last the right to write events and the data
 * versions by slug (store/events.ts, store/meta.ts). A worker that needs a partition has it made beside its transaction. A
 * refresh holds the definition of one slice, then its lock, and last its data version.
 */
import type { Transaction } from '../store/db.ts'

/** One index at a time: two processes that add the same filers would wait for each other in turn. */
export const INDEX_LOCK = 4_713_002

/** One refresh of a slice at a time. */
const REFRESH_LOCK = 4_713_006

/** Held until commit by whoever refreshes the rollups of the slice: each sees the rows that the one before left. */
export async function holdRefresh(tx: Transaction, slug: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${REFRESH_LOCK}, hashtext(${slug}))`
}

/** The same without waiting: false where another holds it. */
export async function tryRefresh(tx: Transaction, slug: string): Promise<boolean> {
  const [row] = await tx<{ held: boolean }[]>`
    select pg_try_advisory_xact_lock(${REFRESH_LOCK}, hashtext(${slug})) as held`
  return row!.held
}

/** Held until commit by whoever counts filings of several forms. */
export async function holdCoverage(tx: Transaction, forms: readonly string[]): Promise<void> {
  await tx`
    select from edgar.coverage where form_type = any(${forms as string[]}) order by form_type for update`
}

/**
 * Held until commit by whoever changes or removes filings: a worker that reads one of them finishes first.
 *
 * @param filings temporary table of them
 */
export async function holdTasks(tx: Transaction, filings: 'changed' | 'removed'): Promise<void> {
  await tx`
    select from edgar.task where accession in (select accession from ${tx(filings)})
    order by accession, dataset for update`
}
