/** Determines how a load changed the filings of a dataset, for the log of events. */
import { type FilingsDataset, filingTable } from '../declare/dataset.ts'
import type { Transaction } from '../store/db.ts'
import type { LoggedChange } from '../store/events.ts'

/** Returns which of the filings have rows in the dataset. */
export async function withRows(
  tx: Transaction,
  dataset: FilingsDataset,
  accessions: readonly string[],
): Promise<Set<string>> {
  const rows = await tx<{ accession: string }[]>`
    select accession from ${tx(dataset.slug)}.${tx(filingTable(dataset).name)} where accession = any(${accessions as string[]})`
  return new Set(rows.map(({ accession }) => accession))
}

/**
 * Determines the changes: compares the filings that had rows before a load with the filings that have rows after it.
 *
 * @param loaded filings whose rows the load replaced
 */
export function changesTo(
  { slug }: FilingsDataset,
  { before, after, loaded }: { before: ReadonlySet<string>; after: ReadonlySet<string>; loaded: readonly string[] },
): LoggedChange[] {
  const kinds: LoggedChange[] = [
    { slug, what: 'added', keys: [...after].filter((accession) => !before.has(accession)) },
    { slug, what: 'corrected', keys: loaded.filter((accession) => before.has(accession) && after.has(accession)) },
    { slug, what: 'removed', keys: [...before].filter((accession) => !after.has(accession)) },
  ]
  return kinds.filter(({ keys }) => keys!.length > 0)
}
