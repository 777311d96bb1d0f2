import { amendedColumn } from '../../serve/amended.ts'
import { filingsWhere, rowsOf } from '../../serve/lists.ts'
import type { Sql } from '../../store/db.ts'
import { type Detail, row } from './answers.ts'
import { removal } from './tables.ts'
import { form25Amended } from './views.ts'

export const rows = rowsOf({ of: removal, row, amended: form25Amended })

/** Returns one notice, and the others about its issuer; null if unknown. */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const [found] = await sql<[(Detail['filing'] & { name_key: string | null; name_words: string | null })?]>`
    select r.*, ${amendedColumn(sql, form25Amended, 'r')} from form25.removal r where accession = ${accession}`
  if (!found) return null
  const { name_key: _, name_words: __, ...filing } = found
  const other_filings = await filingsWhere(
    sql,
    rows,
    sql`t.issuer_cik = ${filing.issuer_cik} and t.accession <> ${accession}`,
  )
  return { filing, other_filings }
}
