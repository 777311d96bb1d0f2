/** SQL of filings and corpora that can be read as text. */

import { countOf } from '../../serve/count.ts'
import { type Filed, filedAs } from '../../serve/filed.ts'
import { cut, rangesOf, type Start } from '../../serve/keyset.ts'
import { unnamed } from '../../serve/page.ts'
import type { Sql } from '../../store/db.ts'

export interface Listed {
  accession: string
  form_type: string
  filed_date: string
  cik: string
  company_name: string
  family: string | null
}

/** Returns the data of EDGAR's index on a filing; null if the index lacks the filing. */
export async function listed(sql: Sql, accession: string): Promise<Listed | null> {
  const [row] = await sql<Listed[]>`
    select accession, form_type, filed_date, cik, company_name, family from edgar.filing where accession = ${accession}`
  return row ?? null
}

/**
 * Returns a page of a filer's filings of these families, newest first. Reads all of the filer's filings and skips other
 * families. The query is written by hand, because rows and names are in different tables of EDGAR's index, and a
 * declared list reads one table.
 */
export async function readable(
  sql: Sql,
  { families, ...filed }: Filed & { cik: string; families: readonly string[] },
  start: Start,
) {
  const own = sql`
    from edgar.filer r
    join edgar.filing f on f.accession = r.accession
    left join edgar.filer_name n on n.name_id = r.name_id
    where f.family = any(${families as string[]}) ${filedAs(sql, filed, 'r.')}`
  const rows = await unnamed(sql<Listed[]>`
    select f.accession, f.form_type, r.filed_date, r.cik, coalesce(n.name, f.company_name) as company_name, f.family
    ${own} and ${rangesOf(sql, start, 'r.')[0]!}
    order by r.filed_date desc, r.accession desc limit ${start.rowsMax}`)
  return cut(start, rows, await countOf(sql, start, own))
}

/** Tests whether the index has a filing of this CIK, or EDGAR's JSON file of its company was read. */
export async function isFiler(sql: Sql, cik: string): Promise<boolean> {
  const [row] = await sql<[{ known: boolean }]>`
    select exists (select from edgar.filer where cik = ${cik})
      or exists (select from pub.companies_company where cik = ${cik}) as known`
  return row.known
}

/**
 * Counts, by corpus, the documents that were read; omits empty corpora. The number of brochures is the sum of the
 * records of their bulk files.
 */
export const tallies = (sql: Sql) =>
  sql<{ corpus: string; documents: number; newest: string }[]>`
    select corpus, documents::float8 as documents, newest from documents.tally
    union all
    select 'brochures', sum(records)::float8, max(to_day) from bulk.edition
    where series = 'BROCHURES' and state = 'done' having sum(records) > 0`
