/**
 * Digests of the declarations from which the tables, views and comments of a slice were made, to compare code and
 * database.
 */
import { readFile } from 'node:fs/promises'
import type { Sql, Transaction } from './db.ts'

/** The definition from which a dataset's tables were built. */
export interface Definition {
  /** Digest of the tables' DDL without comments: if it differs, the stored tables cannot be queried. */
  ddlHash: string
  /** Digest of the views without comments: if only this differs, the views are replaced, and no row is made again. */
  viewsHash: string
  /** Digest of the comments on tables, views and columns: if only this differs, the comments are replaced. */
  commentsHash: string
  /**
   * Digest of the code that reads and derives rows: if only this differs, the stored rows are valid but may be
   * outdated.
   */
  parserHash: string
}

/** The stored definition of a slice. */
export interface Stored {
  slug: string
  ddl_hash: string
  /** Null if an older version wrote one digest of tables and views, and `joint-digests.tsv` lacks that digest. */
  views_hash: string | null
  /** Null if an older version wrote the row: its digests of tables and views included the comments. */
  comments_hash: string | null
  parser_hash: string
}

/**
 * Reads the stored definitions. Digests that include comments are replaced by digests of the same tables and views
 * without comments, if `joint-digests.tsv` has them.
 */
export async function storedOf(sql: Sql | Transaction): Promise<Stored[]> {
  const rows = await sql<Stored[]>`
    select slug, ddl_hash, to_jsonb(d) ->> 'views_hash' as views_hash, to_jsonb(d) ->> 'comments_hash' as comments_hash,
      parser_hash
    from core.dataset d`
  if (rows.every((row) => row.comments_hash !== null)) return rows
  const known = await jointDigests()
  return rows.map((row) => ({ ...row, ...(row.comments_hash === null && known.get(keyOf(row))) }))
}

/**
 * The part of the stored definition that differs from the definition in the code; null if this code can query the
 * slice.
 */
export function otherIn(
  stored: Stored | undefined,
  { ddlHash, viewsHash }: Pick<Definition, 'ddlHash' | 'viewsHash'>,
): 'definition' | 'views' | null {
  if (stored?.ddl_hash !== ddlHash) return 'definition'
  return stored.views_hash === viewsHash ? null : 'views'
}

const keyOf = ({ slug, ddl_hash, views_hash }: Pick<Stored, 'slug' | 'ddl_hash' | 'views_hash'>) =>
  [slug, ddl_hash, views_hash ?? ''].join()

/** The digests of tables and views without comments, by slug and the digests that included comments. */
async function jointDigests(): Promise<Map<string, Pick<Stored, 'ddl_hash' | 'views_hash'>>> {
  const [, ...lines] = (await readFile(new URL('joint-digests.tsv', import.meta.url), 'utf8')).trimEnd().split('\n')
  const entries = lines.flatMap((line) => {
    const [slug = '', whole = '', tables = '', views = '', ddl_hash = '', views_hash = ''] = line.split('\t')
    return [
      [keyOf({ slug, ddl_hash: whole, views_hash: null }), { ddl_hash, views_hash }] as const,
      [keyOf({ slug, ddl_hash: tables, views_hash: views }), { ddl_hash, views_hash }] as const,
    ]
  })
  return new Map(entries)
}
