import type { z } from 'zod'
import { meets } from '../../names.ts'
import { countOf } from '../../serve/count.ts'
import { detailOf, filings, object, rowsIn, value } from '../../serve/details.ts'
import { type Filed, filedAs } from '../../serve/filed.ts'
import { cut, type Key, orderBy, type Paged, rangesOf, startOf } from '../../serve/keyset.ts'
import { rowsOf } from '../../serve/lists.ts'
import { unnamed } from '../../serve/page.ts'
import type { Sql } from '../../store/db.ts'
import { issuer, leftOut, type ProxyPage, row } from './answers.ts'
import type { Category } from './forms.ts'
import { fact, pay, proposal, statement } from './tables.ts'

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

/** The columns of a row. CIK and name are those of the requested company, which may be any company of a joint statement. */
const listed = (sql: Sql, cik: string | undefined) => sql`
  accession, ${cik ? sql`${cik}::text as cik, requested_name as company_name` : sql`cik, company_name`},
  company_count, form as form_type, filed_date, category, is_preliminary, is_amendment, filed_by_cik,
  filed_by_name, meeting_date, meeting_kind, record_date, proposal_count`

/**
 * The statements to search, with the alias `s`. For one company, the index of its statements gives the order by day, and
 * each statement is looked up by its key. `offset 0` prevents the planner from reading all statements of the company to
 * sort them.
 */
const sourceOf = (sql: Sql, cik: string | undefined) =>
  cik
    ? sql`proxies.company w cross join lateral (
        select own.*, w.company_name as requested_name from proxies.statement own
        where own.accession = w.accession offset 0) s where w.cik = ${cik}`
    : sql`proxies.statement s where true`

/**
 * Returns a page of filings, read from the index of the requested order. The query is written by hand, like those of
 * `/ipos` and `/fund-launches`, because the contract of the API has pages of at most 50 rows that may begin at any
 * offset.
 */
export async function search(
  sql: Sql,
  { sort, dir, limit, offset, paginate: _, cursor, count, ...wanted }: Search,
): Promise<ProxyPage> {
  const keys = keysOf({ sort, dir })
  const start = startOf({ list: 'proxies', sort, dir, keys, filters: wanted }, { limit, offset, cursor, count })
  const order = sql.unsafe(orderBy(keys))
  const { q, category, cik, ...days } = wanted
  // Missing names come last, so the rest of the list after a cursor can be more than one range.
  const of = cik && sort === 'date' ? 'w.' : 's.'
  const ranges = rangesOf(sql, start, of)
  const source = sourceOf(sql, cik)
  const filters = sql`
      ${q ? sql`and ${meets(sql, q, { words: sql`s.name_words`, folded: sql`s.name_key` })}` : sql``}
      ${category ? sql`and s.category = ${category}` : sql``}
      ${filedAs(sql, days, of)}`
  const page = (range: (typeof ranges)[number]) => sql`
    (select s.* from ${source} and ${range} ${filters}
    order by ${sql.unsafe(orderBy(keys, of))} limit ${start.rowsMax + offset})`
  const found = await unnamed(sql<(ProxyPage['rows'][number] & { name_key: string | null })[]>`
    select ${listed(sql, cik)}, name_key from (
      ${ranges.map((range, i) => (i > 0 ? sql` union all ${page(range)}` : page(range)))}
    ) s order by ${order} limit ${start.rowsMax} offset ${offset}`)
  const counted = await countOf(sql, start, sql`from ${source} ${filters}`, {
    category: { value: sql`s.category` },
    month: { value: sql`s.filed_date`, kind: 'day' },
  })
  const { rows, ...next } = cut(start, found, counted)
  return { rows: rows.map(({ name_key: _, ...row }) => row), ...next }
}

/**
 * Returns SQL for the company as the header of the submission describes it. If the header is missing, only the CIK and
 * the name are known.
 */
const issuerOf = (sql: Sql) => sql`(
  select json_build_object('cik', filing.cik, 'company_name', filing.company_name, 'sic', e ->> 'sic',
    'sic_description', e ->> 'sicDescription', 'state_of_incorporation', e ->> 'stateOfIncorporation',
    'fiscal_year_end', e ->> 'fiscalYearEnd', 'address', e -> 'businessAddress')
  from (select) one left join lateral (
    select e from edgar.submission s, jsonb_array_elements(s.header -> 'filers') e
    where s.accession = filing.accession and e ->> 'cik' = filing.cik limit 1) h on true)`

const rows = rowsOf({ of: statement, row, shown: { form_type: (sql) => sql`t.form` } })

export const detail = detailOf(statement, 'ProxyDetail', {
  filing: object('ProxyFiling', {
    ...{ ...row.shape, form_type: value(row.shape.form_type, (sql) => sql`filing.form`) },
    left_out: leftOut,
  }),
  issuer: value(issuer, issuerOf),
  meeting: object(
    'ProxyMeeting',
    {
      date: value(row.shape.meeting_date, (sql) => sql`filing.meeting_date`),
      kind: value(row.shape.meeting_kind, (sql) => sql`filing.meeting_kind`),
      record_date: row.shape.record_date,
    },
    'What the statement says about the meeting; null if it is not certain',
  ),
  proposals: rowsIn(proposal, {
    id: 'ProxyProposal',
    says: 'Matters that are put to the vote, in the order of the statement; empty if no list of them is complete',
  }),
  facts: rowsIn(fact, { id: 'ProxyFact', says: 'Each fact with the sentence or line that says it', omit: ['n'] }),
  pay_versus_performance: rowsIn(pay, {
    id: 'ProxyPay',
    says: 'One row per fiscal year and principal executive officer, as tagged since December 2022',
    omit: ['n'],
  }),
  other_filings: filings(rows, {
    same: 'cik',
    says: 'Up to 200 other filings about the same company, newest first',
  }),
})

export type ProxyDetail = z.infer<typeof detail.answer>
