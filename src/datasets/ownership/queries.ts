/** One filing, and one person. */
import type { Sql } from '../../store/db.ts'
import type { Detail, Person } from './answers.ts'
import { footnotesOf, type Line, withFootnotes } from './queries-lines.ts'

/** One filing with all it says, and what it amends or is amended by; null when there is none. */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const rows = <R extends object[]>(table: string, by: string) =>
    sql<R>`select * from ${sql(`ownership.${table}`)} where accession = ${accession} order by ${sql(by)}`
  const [[row], owners, securities, derivatives, footnotes, signatures] = await Promise.all([
    sql<[(Detail['filing'] & Searched)?]>`select * from ownership.report where accession = ${accession}`,
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

/** Filings in a list beside one filing. */
const LISTED_MAX = 200

/**
 * What the filing amends, and what amends it. The form names no accession, only the day of the original: it is certain
 * where one filing of that day has the same form, issuer and owners, and no other.
 */
async function chainOf(sql: Sql, filing: Detail['filing']): Promise<Pick<Detail, 'link' | 'original' | 'amendments'>> {
  const { is_amendment, original_date, filed_date, issuer_cik } = filing
  const alike = (isAmendment: boolean) => sql<Linked>`
    select accession, filed_date, submission_type, original_date from ownership.report
    where issuer_cik = ${issuer_cik} and form = ${filing.form} and owner_ciks = ${filing.owner_ciks}
      and is_amendment = ${isAmendment} and cardinality(owner_ciks) > 0
      and ${isAmendment ? sql`original_date = ${filed_date}` : sql`filed_date = ${is_amendment ? original_date : filed_date}`}
    order by filed_date desc, accession desc limit ${LISTED_MAX}`
  if (is_amendment) {
    if (original_date === null) return { link: 'not_stated', original: null, amendments: [] }
    const [original, second] = await alike(false)
    if (original === undefined) return { link: 'not_held', original: null, amendments: [] }
    if (second !== undefined) return { link: 'ambiguous', original: null, amendments: [] }
    return { link: 'held', original, amendments: [] }
  }
  const [originals, amendments] = await Promise.all([alike(false), alike(true)])
  return { link: 'original', original: null, amendments: originals.length === 1 ? [...amendments] : [] }
}

const aboutIssuer = async (
  sql: Sql,
  { issuer_cik, accession }: Detail['filing'],
): Promise<Detail['other_filings']> => sql<Detail['other_filings']>`
    select accession, filed_date, submission_type, period, owner_name
    from ownership.report
    where issuer_cik = ${issuer_cik} and accession <> ${accession}
    order by filed_date desc, accession desc limit ${LISTED_MAX}`

/** Filings that tell who a person is. Few persons have more, and those are companies that own others. */
const FILINGS_MAX = 500

/** A person by its newest filings; null when it filed none that was read. */
export async function person(sql: Sql, cik: string): Promise<Person | null> {
  const rows = await sql<(Person['filings'][number] & Person['companies'][number] & { name: string | null })[]>`
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
  return { cik, names: [...new Set(rows.flatMap(({ name }) => name ?? []))], companies, filings }
}
