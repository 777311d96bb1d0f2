/** Filings that an index lacks and that are kept until a second one lacks them; ingest/unlisted.ts finds them. */
import type { Sql } from './db.ts'

export interface UnlistedLine {
  accession: string
  form_type: string
  company_name: string
  /** The first index that lacks it, when it was made, and when it was read. */
  index_url: string
  made_at: string
  read_at: string
}

/** Filings that an index lacks and that are kept until a second one lacks them, the latest first. */
export async function unlisted(sql: Sql, max: number): Promise<UnlistedLine[]> {
  return sql<UnlistedLine[]>`
    select u.accession, f.form_type, f.company_name, u.index_url, u.made_at, u.read_at
    from edgar.unlisted u join edgar.filing f using (accession) order by u.read_at desc, u.accession limit ${max}`
}

/** The number of them. */
export async function unlistedCount(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from edgar.unlisted`
  return row!.n
}
