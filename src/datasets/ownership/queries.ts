/** Queries one filing, and one person. */
import { amendedColumn, withAmended } from '../../serve/amended.ts'
import type { Sql } from '../../store/db.ts'
import type { Detail, Person } from './answers.ts'
import { footnotesOf, type Line, withFootnotes } from './queries-lines.ts'
import { ownershipAmended } from './views.ts'

/** Returns one filing with all its data, and its amendments or its original; null if unknown. */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const rows = <R extends object[]>(table: string, by: string) =>
    sql<R>`select * from ${sql(`ownership.${table}`)} where accession = ${accession} order by ${sql(by)}`
  const [[row], owners, securities, derivatives, footnotes, signatures] = await Promise.all([
    sql<[(Detail['filing'] & Searched)?]>`
      select r.*, ${amendedColumn(sql, ownershipAmended, 'r')} from ownership.report r where accession = ${accession}`,
    rows<Detail['owners']>('owner', 'position'),
    rows<(Detail['non_derivative'][number] & Line)[]>('security', 'line'),
    rows<(Detail['derivative'][number] & Line)[]>('derivative', 'line'),
    rows<Detail['footnotes']>('footnote', 'position'),
    rows<Detail['signatures']>('signature', 'position'),
  ])
  if (!row) return null
  const { name_key: _, name_words: __, owner_key: ___, owner_words: ____, ...filing } = row
  const said = footnotesOf(footnotes.map((note) => ({ ...note, accession })))
  const [chain, other_filings] = await Promise.all([chainOf(sql, filing), aboutIssuer(sql, filing)])
  for (const each of [...owners, ...footnotes, ...signatures]) {
    Reflect.deleteProperty(each, 'accession')
    Reflect.deleteProperty(each, 'filed_date')
  }
  const told = <L extends Line>(line: L) => {
    const { accession: _, filed_date: __, issuer_cik: ___, ...rest } = withFootnotes(line, said)
    return rest
  }
  const tables = { non_derivative: securities.map(told), derivative: derivatives.map(told) }
  return { filing, owners, ...tables, footnotes, signatures, ...chain, other_filings }
}

interface Searched {
  name_key: string | null
  name_words: string | null
  owner_key: string | null
  owner_words: string | null
}

type Linked = Detail['amendments']

/** Maximum number of related filings in the answer about one filing. */
const LISTED_MAX = 200

/**
 * Finds the original of the filing, and its amendments. The form names no accession, only the day of the original. The
 * original is certain if exactly one filing of that day has the same form, issuer and owners, or if several do and
 * exactly one has the same period.
 */
async function chainOf(sql: Sql, filing: Detail['filing']): Promise<Pick<Detail, 'link' | 'amends' | 'amendments'>> {
  const { accession, is_amendment, original_date, issuer_cik, period } = filing
  const amendments = await sql<Linked>`
    select r.accession, r.filed_date, r.submission_type, r.original_date, ${amendedColumn(sql, ownershipAmended, 'r')} from pub.ownership_amended m
    join ownership.report r on r.accession = any(m.amended_by)
    where m.accession = ${accession} order by r.filed_date desc, r.accession desc limit ${LISTED_MAX}`
  if (!is_amendment) return { link: 'original', amends: null, amendments: [...amendments] }
  const chain = { amends: null, amendments: [...amendments] }
  if (original_date === null) return { link: 'not_stated', ...chain }
  const alike = await sql<(Linked[number] & { fit: number })[]>`
    select accession, filed_date, submission_type, original_date, ${amendedColumn(sql, ownershipAmended, 'report')},
      (case when is_amendment then 0 else 2 end + case when period is not distinct from ${period}::date then 1 else 0 end) as fit
    from ownership.report
    where issuer_cik = ${issuer_cik} and form = ${filing.form} and owner_ciks = ${filing.owner_ciks}
      and cardinality(owner_ciks) > 0 and filed_date = ${original_date} and accession <> ${accession}
      and (not is_amendment or (filed_date, accession) < (${filing.filed_date}::date, ${accession}))
    order by fit desc, accession desc limit 2`
  const [first, second] = alike
  if (first === undefined) return { link: 'not_held', ...chain }
  if (second?.fit === first.fit) return { link: 'ambiguous', ...chain }
  const { fit: _, ...amends } = first
  return { link: 'held', ...chain, amends }
}

const aboutIssuer = async (
  sql: Sql,
  { issuer_cik, accession }: Detail['filing'],
): Promise<Detail['other_filings']> => sql<Detail['other_filings']>`
    select accession, filed_date, submission_type, period, owner_name, ${amendedColumn(sql, ownershipAmended, 'r')}
    from ownership.report r
    where issuer_cik = ${issuer_cik} and accession <> ${accession}
    order by filed_date desc, accession desc limit ${LISTED_MAX}`

/** Maximum number of filings that describe a person. Few persons have more, and those are companies that own others. */
const FILINGS_MAX = 500

/** Returns a person by its newest filings; null if none of its filings was read. */
export async function person(sql: Sql, cik: string): Promise<Person | null> {
  const rows = await sql<
    (Omit<Person['filings'][number], 'amended_by'> & Person['companies'][number] & { name: string | null })[]
  >`
    select o.accession, o.filed_date, r.submission_type, r.period, r.issuer_cik, r.issuer_name, r.ticker,
      o.name, o.is_director, o.is_officer, o.is_ten_percent_owner, o.is_other, o.officer_title, o.other_relationship
    from ownership.owner o join ownership.report r using (accession)
    where o.cik = ${cik}
    order by o.filed_date desc, o.accession desc limit ${FILINGS_MAX}`
  if (rows.length === 0) return null
  const companies = [...Map.groupBy(rows, ({ issuer_cik }) => issuer_cik).values()].map(([newest]) => {
    const { name: _, submission_type: __, period: ___, ...company } = newest!
    return company
  })
  const filings = rows.map(({ accession, filed_date, submission_type, period, issuer_cik, issuer_name }) => ({
    accession,
    filed_date,
    submission_type,
    period,
    issuer_cik,
    issuer_name,
  }))
  const { rows: listed } = await withAmended(sql, ownershipAmended, { rows: filings })
  return { cik, names: [...new Set(rows.flatMap(({ name }) => name ?? []))], companies, filings: listed }
}
