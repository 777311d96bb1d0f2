/**
 * How the rollups of a slice are kept current. A load only marks the keys that its rows are about. The rollup rows of
 * marked keys are made later, many at once (ingest/refresh.ts).
 */
import type { Transaction } from '../store/db.ts'

/** The records whose rows a load inserts, replaces or removes. */
export interface Records {
  /** Series of bulk files; null for filings of EDGAR. */
  series: string | null
  /** Accessions of the filings, or keys of the records. */
  keys: readonly string[]
  /** Last day of the edition that is loaded; null for filings. */
  day: string | null
}

/**
 * When a follower is asked for its keys. `before_load`: before a load changes rows of tables. `after_load`: after the
 * load. `make`: before and after rollups are made. Values of rows that will be deleted can only be read before the
 * load. For rows that stay, a short key is enough, because the follower's `make` can look up the values. For example, a
 * key names a report and not each security of the report: otherwise a quarter would have a million keys.
 */
export type When = 'before_load' | 'after_load' | 'make'

/**
 * Returns which of the follower's keys depend on these keys of the followed slice. Called before and after a change, so
 * that both the former and the new keys are found.
 *
 * @param records the accessions, or keys of records, that a load changes. Followers need them for rows that are in no
 *   rollup. Empty for `make`
 */
export type Follow = (
  tx: Transaction,
  keys: readonly string[],
  when: When,
  records: readonly string[],
) => Promise<readonly string[]> | readonly string[]

/**
 * SQL of these functions names the slice's own tables without schema: `search_path` is the slice's schema (while the
 * slice is rebuilt, its shadow schema), then `pub` and `public`.
 */
export interface Refresh {
  /** Rewrites the rollup rows of these keys; null means all. The result depends on the stored rows alone. */
  make: (tx: Transaction, keys: readonly string[] | null) => Promise<void>
  /**
   * Returns the keys of the single things that a key means. Null means all keys, including those of things that have
   * only old rows. Called if the database refuses the rows of this key, so that one thing does not stop all others. The
   * keys have the form of those of `touched` and `follows`, since other slices follow them. Returns no key if the key
   * means one thing.
   */
  divide?: (tx: Transaction, key: string | null) => Promise<readonly string[]>
  /**
   * The slices, by slug, from whose published views the rollups are made. A function gets the keys that the other
   * slice's `make` rewrote; from a slice without rollups it gets accessions or keys of records.
   */
  follows?: Readonly<Record<string, Follow>>
}

/** The refresh of a dataset, in contrast to the refresh of a product. */
export interface DatasetRefresh extends Refresh {
  /**
   * Returns the keys that the stored rows of these records are about. Called before old rows are deleted and after new
   * rows are inserted, so a rollup need not remember what a deleted filing was about. Must not read partitioned tables:
   * a set's rows are inserted into them last, after this call.
   */
  touched: (tx: Transaction, records: Records) => Promise<readonly string[]>
}
