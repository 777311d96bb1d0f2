import { amendedColumn } from '../../serve/amended.ts'
import { filingsWhere, rowsOf } from '../../serve/lists.ts'
import type { Sql } from '../../store/db.ts'
import { type Detail, other, row } from './answers.ts'
import { notice } from './tables.ts'
import { form144Amended } from './views.ts'

/** Answers give amounts as texts, so that none is rounded. */
export const rows = rowsOf({
  of: notice,
  row,
  shown: {
    sales: (sql) => sql`
      (select coalesce(jsonb_agg(jsonb_build_object('security_class', s.security_class, 'units', s.units::text,
        'market_value', s.market_value::text, 'sale_date', s.sale_date, 'exchange', s.exchange) order by s.position), '[]')
      from form144.sale s where s.accession = t.accession)`,
  },
  amended: form144Amended,
})

const others = rowsOf({ of: notice, row: other, amended: form144Amended })

/** Returns one notice with all its data, and the others about its issuer; null if unknown. */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const linesOf = <R extends object[]>(table: string) =>
    sql<R>`select * from ${sql(`form144.${table}`)} where accession = ${accession} order by position`
  const [[found], sales, acquisitions, past_sales, plans] = await Promise.all([
    sql<[(Detail['filing'] & Searched)?]>`
      select n.*, ${amendedColumn(sql, form144Amended, 'n')} from form144.notice n where accession = ${accession}`,
    linesOf<Detail['sales']>('sale'),
    linesOf<Detail['acquisitions']>('acquisition'),
    linesOf<Detail['past_sales']>('past_sale'),
    linesOf<Detail['plans']>('plan'),
  ])
  if (!found) return null
  for (const each of [...sales, ...acquisitions, ...past_sales, ...plans]) Reflect.deleteProperty(each, 'accession')
  const { name_key: _, name_words: __, seller_key: ___, seller_words: ____, ...filing } = found
  const [amended_by, other_filings] = await Promise.all([
    filingsWhere(sql, others, sql`t.accession = any(${filing.amended_by})`),
    filingsWhere(sql, others, sql`t.issuer_cik = ${filing.issuer_cik} and t.accession <> ${accession}`),
  ])
  return { filing, sales, acquisitions, past_sales, plans, amended_by, other_filings }
}

interface Searched {
  name_key: string | null
  name_words: string | null
  seller_key: string | null
  seller_words: string | null
}
