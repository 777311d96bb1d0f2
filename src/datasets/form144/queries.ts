import type { Fragment, Sql } from '../../store/db.ts'
import type { Detail } from './answers.ts'

/** Notices in a list. An issuer as large as any has some hundred a year. */
const LISTED_MAX = 200

/** One notice with all it says, and the others about its issuer; null when there is none. */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const rows = <R extends object[]>(table: string) =>
    sql<R>`select * from ${sql(`form144.${table}`)} where accession = ${accession} order by position`
  const [[row], sales, acquisitions, past_sales, plans] = await Promise.all([
    sql<[(Detail['filing'] & Searched)?]>`select * from form144.notice where accession = ${accession}`,
    rows<Detail['sales']>('sale'),
    rows<Detail['acquisitions']>('acquisition'),
    rows<Detail['past_sales']>('past_sale'),
    rows<Detail['plans']>('plan'),
  ])
  if (!row) return null
  for (const each of [...sales, ...acquisitions, ...past_sales, ...plans]) Reflect.deleteProperty(each, 'accession')
  const { name_key: _, name_words: __, ...filing } = row
  const [amended_by, other_filings] = await Promise.all([
    listed(sql, sql`previous_accession = ${accession}`),
    listed(sql, sql`issuer_cik = ${filing.issuer_cik} and accession <> ${accession}`),
  ])
  return { filing, sales, acquisitions, past_sales, plans, amended_by, other_filings }
}

interface Searched {
  name_key: string | null
  name_words: string | null
}

const listed = async (sql: Sql, which: Fragment) => sql<Detail['other_filings']>`
  select accession, filed_date, submission_type, previous_accession, seller_cik, seller_name, notice_date
  from form144.notice where ${which} order by filed_date desc, accession desc limit ${LISTED_MAX}`
