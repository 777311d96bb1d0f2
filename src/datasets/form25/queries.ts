import { meets } from '../../names.ts'
import { amendedColumn, withAmended } from '../../serve/amended.ts'
import { newestFilings, type Wanted } from '../../serve/newest.ts'
import type { Sql } from '../../store/db.ts'
import type { Detail, Page } from './answers.ts'
import { form25Amended } from './views.ts'

interface Search extends Wanted {
  /** Name of the issuer. */
  q?: string | undefined
  /** CIK of the issuer. */
  cik?: string | undefined
  /** CIK of the exchange. */
  exchange?: string | undefined
  rule?: string | undefined
  form?: string | undefined
}

const columns = (sql: Sql) => sql`
  accession, filed_date, submission_type, exchange_cik, exchange_name, issuer_cik, issuer_name, security_class, rule, signed`

/** Returns a page of notices, the last filed first: of all, of an issuer, or of an exchange. */
export async function search(sql: Sql, wanted: Search): Promise<Omit<Page, 'not_loaded'>> {
  const { q, cik, exchange, rule, form } = wanted
  const page = await newestFilings<Omit<Page['rows'][number], 'amended_by'>>(sql, wanted, {
    list: 'form25_filings',
    columns: columns(sql),
    source: sql`form25.removal`,
    conditions: [
      ...(cik ? [sql`issuer_cik = ${cik}`] : []),
      ...(exchange ? [sql`exchange_cik = ${exchange}`] : []),
      ...(rule ? [sql`rule = ${rule}`] : []),
      ...(form ? [sql`submission_type = ${form}`] : []),
      ...(q ? [meets(sql, q, { words: sql`name_words`, folded: sql`name_key` })] : []),
    ],
  })
  return withAmended(sql, form25Amended, page)
}

/** Maximum number of notices in the list of a detail. */
const LISTED_MAX = 200

/** Returns one notice, and the others about its issuer; null if unknown. */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const [row] = await sql<[(Detail['filing'] & { name_key: string | null; name_words: string | null })?]>`
    select r.*, ${amendedColumn(sql, form25Amended, 'r')} from form25.removal r where accession = ${accession}`
  if (!row) return null
  const { name_key: _, name_words: __, ...filing } = row
  const other_filings = await sql<Detail['other_filings']>`
    select ${columns(sql)}, ${amendedColumn(sql, form25Amended, 'r')}
    from form25.removal r where issuer_cik = ${filing.issuer_cik} and accession <> ${accession}
    order by filed_date desc, accession desc limit ${LISTED_MAX}`
  return { filing, other_filings }
}
