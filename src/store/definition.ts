/** Digests of the declarations from which the tables and views of a slice were made, to compare code and database. */
import type { Sql, Transaction } from './db.ts'

/** The definition from which a dataset's tables were built. */
export interface Definition {
  /** Digest of the tables' DDL: if it differs, the stored tables cannot be queried. */
  ddlHash: string
  /** Digest of the views: if only this differs, the views are replaced, and no row is made again. */
  viewsHash: string
  /** Digest of both together. Older versions wrote only this digest. */
  wholeHash: string
  /**
   * Digest of the code that reads and derives rows: if only this differs, the stored rows are valid but may be
   * outdated.
   */
  parserHash: string
}

/** The stored definition of a slice. Older versions have no column for the digest of views. */
export interface Stored {
  slug: string
  ddl_hash: string
  views_hash: string | null
  parser_hash: string
}

export const storedOf = (sql: Sql | Transaction): PromiseLike<Stored[]> => sql<Stored[]>`
  select slug, ddl_hash, to_jsonb(d) ->> 'views_hash' as views_hash, parser_hash from core.dataset d`

/**
 * The part of the stored definition that differs from the definition in the code; null if this code can query the
 * slice.
 */
export function otherIn(
  stored: Stored | undefined,
  { ddlHash, viewsHash, wholeHash }: Omit<Definition, 'parserHash'>,
): 'definition' | 'views' | null {
  if (stored?.views_hash === null) return stored.ddl_hash === wholeHash ? null : 'definition'
  if (stored?.ddl_hash !== ddlHash) return 'definition'
  return stored.views_hash === viewsHash ? null : 'views'
}
