import { meets } from '../../names.ts'
import { countOf } from '../../serve/count.ts'
import { type Filed, filedAs } from '../../serve/filed.ts'
import { OTHERS_MAX } from '../../serve/filings-of.ts'
import { cut, type Key, orderBy, type Paged, rangesOf, startOf } from '../../serve/keyset.ts'
import { unnamed } from '../../serve/page.ts'
import type { Sql } from '../../store/db.ts'
import type { ProxyDetail, ProxyPage } from './answers.ts'
import type { Category } from './forms.ts'

export const SORTS = ['date', 'name'] as const

interface Search extends Paged, Filed {
  /** Name of the company. */
  q?: string | undefined
  category?: Category | undefined
  sort: (typeof SORTS)[number]
  dir: 'asc' | 'desc'
}

const keysOf = ({ sort, dir }: Pick<Search, 'sort' | 'dir'>): Key[] => [
  sort === 'date'
    ? { column: 'filed_date', dir, type: 'date' }
    : { column: 'name_key', dir, type: 'text', nullable: true },
  { column: 'accession', dir, type: 'text' },
]

const listed = (sql: Sql) => sql`
  accession, cik, form as form_type, filed_date, company_name, category, is_preliminary, is_amendment, filed_by_cik,
  filed_by_name, meeting_date, meeting_kind, record_date, proposal_count`

/** Returns a page of filings from the index of the order. */
export async function search(
  sql: Sql,
  { sort, dir, limit, offset, paginate: _, cursor, count, ...wanted }: Search,
): Promise<ProxyPage> {
  const keys = keysOf({ sort, dir })
  const start = startOf({ list: 'proxies', sort, dir, keys, filters: wanted }, { limit, offset, cursor, count })
  const order = sql.unsafe(orderBy(keys))
  const { q, category } = wanted
  // Missing names come last, so the rest of the list is more than one range.
  const ranges = rangesOf(sql, start)
  const filters = sql`
      ${q ? sql`and ${meets(sql, q, { words: sql`name_words`, folded: sql`name_key` })}` : sql``}
      ${category ? sql`and category = ${category}` : sql``}
      ${filedAs(sql, wanted)}`
  const page = (range: (typeof ranges)[number]) => sql`
    (select * from proxies.statement where ${range} ${filters}
    order by ${order} limit ${start.rowsMax + offset})`
  const found = await unnamed(sql<(ProxyPage['rows'][number] & { name_key: string | null })[]>`
    select ${listed(sql)}, name_key from (
      ${ranges.map((range, i) => (i > 0 ? sql` union all ${page(range)}` : page(range)))}
    ) s order by ${order} limit ${start.rowsMax} offset ${offset}`)
  const counted = await countOf(sql, start, sql`from proxies.statement where true ${filters}`)
  const { rows, ...next } = cut(start, found, counted)
  return { rows: rows.map(({ name_key: _, ...row }) => row), ...next }
}

/** Returns one filing with its facts, and the company's other filings; null if unknown. */
export async function detail(sql: Sql, accession: string): Promise<ProxyDetail | null> {
  const [[row], proposals, facts, pay, other_filings] = await Promise.all([
    sql<[FilingRow?]>`
      select ${listed(sql)}, left_out,
        (select e from edgar.submission s, jsonb_array_elements(s.header -> 'filers') e
          where s.accession = ${accession} and e ->> 'cik' = statement.cik limit 1) as filer
      from proxies.statement where accession = ${accession}`,
    sql<ProxyDetail['proposals']>`
      select number, title, recommendation from proxies.proposal where accession = ${accession} order by number`,
    sql<ProxyDetail['facts']>`
      select name, number, value, json_build_object(
        'sequence', sequence, 'offset', start, 'length', stop - start, 'sentence', sentence) as evidence
      from proxies.fact where accession = ${accession} order by n`,
    sql<ProxyDetail['pay_versus_performance']>`
      select fiscal_year_start, fiscal_year_end, peo_name, peo_total::text as peo_total,
        peo_actually_paid::text as peo_actually_paid, others_average_total::text as others_average_total,
        others_average_actually_paid::text as others_average_actually_paid, shareholder_return::text as shareholder_return,
        peer_shareholder_return::text as peer_shareholder_return, net_income::text as net_income, measure_name,
        measure::text as measure, measure_unit
      from proxies.pay where accession = ${accession} order by n`,
    sql<ProxyDetail['other_filings']>`
      select ${listed(sql)} from proxies.statement
      where cik = (select cik from proxies.statement where accession = ${accession}) and accession <> ${accession}
      order by filed_date desc, accession desc limit ${OTHERS_MAX}`,
  ])
  if (!row) return null
  const { filer, ...filing } = row
  const { cik, company_name, meeting_date: date, meeting_kind: kind, record_date } = filing
  const issuer = {
    cik,
    company_name,
    sic: filer?.sic ?? null,
    sic_description: filer?.sicDescription ?? null,
    state_of_incorporation: filer?.stateOfIncorporation ?? null,
    fiscal_year_end: filer?.fiscalYearEnd ?? null,
    address: filer?.businessAddress ?? null,
  }
  return {
    filing,
    issuer,
    meeting: { date, kind, record_date },
    proposals,
    facts,
    pay_versus_performance: pay,
    other_filings,
  }
}

interface FilingRow extends Omit<ProxyDetail['filing'], never> {
  filer: {
    sic: string | null
    sicDescription: string | null
    stateOfIncorporation: string | null
    fiscalYearEnd: string | null
    businessAddress: ProxyDetail['issuer']['address']
  } | null
}
