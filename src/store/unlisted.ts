/**
 * Filings that one index lacks. They are kept until a second index lacks them too; ingest/spine/unlisted.ts finds them.
 */
import type { Sql } from './db.ts'

export interface UnlistedLine {
  accession: string
  form_type: string
  company_name: string
  /** The first index that lacks the filing, and the times at which that index was made and read. */
  index_url: string
  made_at: string
  read_at: string
}

/** Reads these filings, latest first. */
export async function unlisted(sql: Sql, max: number): Promise<UnlistedLine[]> {
  return sql<UnlistedLine[]>`
    select u.accession, f.form_type, f.company_name, u.index_url, u.made_at, u.read_at
    from edgar.unlisted u join edgar.filing f using (accession) order by u.read_at desc, u.accession limit ${max}`
}

/** Counts these filings. */
export async function unlistedCount(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from edgar.unlisted`
  return row!.n
}
