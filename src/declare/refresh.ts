/**
 * How the rollups of a slice are kept current. A load only marks the keys that its rows are about; the rollup rows of
 * the marked keys are made afterwards, many at once (ingest/refresh.ts).
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
 * rollups. Values of rows that will be deleted can only be read before the load. For rows that stay, a short key is
 * enough, from which the follower's `make` looks up the values. A key for each security of each loaded report would be
 * a million keys in a quarter.
 */
export type When = 'before_load' | 'after_load' | 'make'

/**
 * Returns which of the follower's keys depend on these keys of the followed slice. It is called before they change and
 * afterwards, so that the former and the present keys are both found.
 */
export type Follow = (
  tx: Transaction,
  keys: readonly string[],
  when: When,
) => Promise<readonly string[]> | readonly string[]

/**
 * SQL of these functions names the slice's own tables without schema: `search_path` is the slice's schema, or its
 * shadow while it is rebuilt, then `pub` and `public`.
 */
export interface Refresh {
  /** Rewrites the rollup rows of these keys; null means all. The result depends on the stored rows alone. */
  make: (tx: Transaction, keys: readonly string[] | null) => Promise<void>
  /**
   * By slug, the other slices from whose published views the rollups are made. The keys are those that the other
   * slice's `make` rewrote; for a slice without rollups they are accessions or keys of records.
   */
  follows?: Readonly<Record<string, Follow>>
}

/** The refresh of a slice that reads bytes. */
export interface DatasetRefresh extends Refresh {
  /**
   * Returns the keys that the stored rows of these records are about. It is called before old rows are deleted and
   * after new ones are inserted, so a rollup need not remember what a deleted filing was about. It reads no table with
   * partitions: a set's rows are inserted into those last, after this call.
   */
  touched: (tx: Transaction, records: Records) => Promise<readonly string[]>
}
