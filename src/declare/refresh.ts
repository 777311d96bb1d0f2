/**
 * How the rollups of a slice are kept. A load only marks what its rows are about; the rows of the marked keys are made
 * afterwards, many at once (ingest/refresh.ts).
 */
import type { Transaction } from '../store/db.ts'

/** Rows that a load puts, replaces or removes. */
export interface Records {
  /** Series of bulk files; null for filings of EDGAR. */
  series: string | null
  /** Accessions of the filings, or keys of the records. */
  keys: readonly string[]
  /** Last day of the edition that is loaded; null for filings. */
  day: string | null
}

/**
 * The moments at which a follower is asked: before a load changes rows of tables, after it, or around the making of
 * rollups. Values of rows that will be deleted can only be read before the load; for those that stay, a short key is
 * enough, which the follower's `make` looks up. A key for each security of each loaded report would be a million in a
 * quarter.
 */
export type When = 'before_load' | 'after_load' | 'make'

/**
 * Which of the follower's keys depend on these keys of the followed slice. It is asked before they change and afterwards,
 * so that what was and what is are both found.
 */
export type Follow = (
  tx: Transaction,
  keys: readonly string[],
  when: When,
) => Promise<readonly string[]> | readonly string[]

/**
 * SQL of these functions names the slice's own tables without schema: `search_path` is the slice's schema, or its shadow
 * while it is rebuilt, then `pub` and `public`.
 */
export interface Refresh {
  /** Rewrites the rollup rows of these keys; of all for null. The result depends on the stored rows alone. */
  make: (tx: Transaction, keys: readonly string[] | null) => Promise<void>
  /**
   * Other slices by slug, of whose published views the rollups are made. The keys are those that the other's `make` rewrote;
   * of a slice without rollups they are accessions or keys of records.
   */
  follows?: Readonly<Record<string, Follow>>
}

/** That of a slice which reads bytes. */
export interface DatasetRefresh extends Refresh {
  /**
   * The keys that the stored rows of these records are about. It is asked before old rows go and after new ones came: so a
   * rollup need not remember what a deleted filing was about. It reads no table with partitions: new rows of a set come
   * into those last, so that nobody waits for the answer.
   */
  touched: (tx: Transaction, records: Records) => Promise<readonly string[]>
}
