/**
 * The order in which writers lock what they share, so that none waits for one that waits for it: the index, the definitions,
 * tasks, dictionaries by slug and key, refreshes by slug, coverage by form, and last the right to write events and the data
 * versions by slug (store/events.ts, store/meta.ts).
 */
import type { Dataset } from '../declare/dataset.ts'
import type { Transaction } from '../store/db.ts'

/** One refresh of a dataset at a time. */
const REFRESH_LOCK = 4_713_006

/**
 * Held until commit by whoever refreshes the rollups of these datasets: refreshes of one run one after another, and each sees
 * the rows of the one before. Those of others go on beside them.
 */
export async function holdRefreshes(tx: Transaction, datasets: readonly Dataset[]): Promise<void> {
  const slugs = datasets.filter(({ refresh }) => refresh).map(({ slug }) => slug)
  for (const slug of slugs.sort()) await tx`select pg_advisory_xact_lock(${REFRESH_LOCK}, hashtext(${slug}))`
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
