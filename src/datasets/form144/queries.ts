import { meets } from '../../names.ts'
import { amendedColumn, withAmended } from '../../serve/amended.ts'
import { newestFilings, type Wanted } from '../../serve/newest.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import type { Detail, Page } from './answers.ts'
import { form144Amended } from './views.ts'

interface Search extends Wanted {
  /** Name of the issuer, or of the seller. */
  q?: string | undefined
  /** CIK of the issuer. */
  cik?: string | undefined
  /** CIK under which the notice was filed. */
  person?: string | undefined
  form?: string | undefined
}

/** Returns a page of notices, newest first: of all, of an issuer, or of a seller. */
export async function search(sql: Sql, wanted: Search): Promise<Omit<Page, 'not_loaded'>> {
  const { q, cik, person, form } = wanted
  // Answers give amounts as texts, so that none is rounded.
  const page = await newestFilings<Omit<Page['rows'][number], 'amended_by'>>(sql, wanted, {
    list: 'form144_filings',
    columns: sql`
      accession, filed_date, submission_type, source, previous_accession, issuer_cik, issuer_name, seller_cik, seller_name,
      relationships, notice_date, (select coalesce(jsonb_agg(jsonb_build_object('security_class', s.security_class,
        'units', s.units::text, 'market_value', s.market_value::text, 'sale_date', s.sale_date, 'exchange', s.exchange)
        order by s.position), '[]') from form144.sale s where s.accession = n.accession) as sales`,
    source: sql`form144.notice n`,
    conditions: [
      ...(cik ? [sql`issuer_cik = ${cik}`] : []),
      ...(person ? [sql`seller_cik = ${person}`] : []),
      ...(form ? [sql`submission_type = ${form}`] : []),
      ...(q ? [sql`(${named(sql, q, 'name')} or ${named(sql, q, 'seller')})`] : []),
    ],
  })
  return withAmended(sql, form144Amended, page)
}

const named = (sql: Sql, q: string, whose: 'name' | 'seller') =>
  meets(sql, q, { words: sql`${sql(`${whose}_words`)}`, folded: sql`${sql(`${whose}_key`)}` })

/** Maximum number of notices in a list. Even the largest issuers have about a hundred a year. */
const LISTED_MAX = 200

/** Returns one notice with all its data, and the others about its issuer; null if unknown. */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const rows = <R extends object[]>(table: string) =>
    sql<R>`select * from ${sql(`form144.${table}`)} where accession = ${accession} order by position`
  const [[row], sales, acquisitions, past_sales, plans] = await Promise.all([
    sql<[(Detail['filing'] & Searched)?]>`
      select n.*, ${amendedColumn(sql, form144Amended, 'n')} from form144.notice n where accession = ${accession}`,
    rows<Detail['sales']>('sale'),
    rows<Detail['acquisitions']>('acquisition'),
    rows<Detail['past_sales']>('past_sale'),
    rows<Detail['plans']>('plan'),
  ])
  if (!row) return null
  for (const each of [...sales, ...acquisitions, ...past_sales, ...plans]) Reflect.deleteProperty(each, 'accession')
  const { name_key: _, name_words: __, seller_key: ___, seller_words: ____, ...filing } = row
  const [amended_by, other_filings] = await Promise.all([
    listed(sql, sql`accession = any(${filing.amended_by})`),
    listed(sql, sql`issuer_cik = ${filing.issuer_cik} and accession <> ${accession}`),
  ])
  return { filing, sales, acquisitions, past_sales, plans, amended_by, other_filings }
}

interface Searched {
  name_key: string | null
  name_words: string | null
  seller_key: string | null
  seller_words: string | null
}

const listed = async (sql: Sql, which: Fragment) => sql<Detail['other_filings']>`
  select accession, filed_date, submission_type, previous_accession, seller_cik, seller_name, notice_date,
    ${amendedColumn(sql, form144Amended, 'n')}
  from form144.notice n where ${which} order by filed_date desc, accession desc limit ${LISTED_MAX}`
