/** Lists schedules, and queries one of them with the filing that it amends. */
import { meets } from '../../names.ts'
import { amendedColumn, withAmended } from '../../serve/amended.ts'
import { newestFilings, type Wanted } from '../../serve/newest.ts'
import type { Sql } from '../../store/db.ts'
import type { Detail, Page } from './answers.ts'
import { amendmentsOf, type Linked, linkOf } from './chain.ts'
import { schedule13Amended } from './views.ts'

interface Search extends Wanted {
  /** Name of the issuer or of a person that reports. */
  q?: string | undefined
  issuer_cik?: string | undefined
  /** CIK of a filer or a reporting person. */
  cik?: string | undefined
  cusip?: string | undefined
  form?: string | undefined
  schedule?: string | undefined
  min_percent?: string | undefined
}

type Listed = Omit<Page['rows'][number], 'amended_by'>

const amended = async (sql: Sql, rows: Listed[]) => (await withAmended(sql, schedule13Amended, { rows })).rows

const listed = (sql: Sql) => sql`
  r.accession, r.filed_date, r.submission_type, r.source, r.issuer_cik, r.issuer_name, r.cik,
  (select p.name from schedule13.person p where p.accession = r.accession and p.position = 0) as person_name, r.person_count, r.cusip,
  r.title_of_class, r.event_date, r.shares, r.percent, r.amendment_number, r.previous_accession`

/**
 * Returns a page of schedules, newest first: of all, of an issuer, or of a filer, each in the order of its own index.
 */
export async function search(sql: Sql, wanted: Search): Promise<Page> {
  const { q, issuer_cik, cik, cusip, form, schedule, min_percent } = wanted
  const page = await newestFilings<Listed>(sql, wanted, {
    list: 'schedule13_filings',
    columns: listed(sql),
    // `offset 0` keeps the planner from reading all filings of a filer to sort them.
    source: cik
      ? sql`schedule13.filer f cross join lateral (select * from schedule13.report own where own.accession = f.accession offset 0) r`
      : sql`schedule13.report r`,
    of: cik ? 'f.' : 'r.',
    conditions: [
      ...(cik ? [sql`f.cik = ${cik}`] : []),
      ...(issuer_cik ? [sql`r.issuer_cik = ${issuer_cik}`] : []),
      ...(cusip ? [sql`r.accession in (select s.accession from schedule13.security s where s.cusip = ${cusip})`] : []),
      ...(form ? [sql`r.submission_type = ${form}`] : []),
      ...(schedule ? [sql`r.schedule = ${schedule}`] : []),
      ...(min_percent === undefined ? [] : [sql`r.percent >= ${min_percent}::numeric`]),
      ...(q ? [sql`(${named(sql, q, 'name')} or ${named(sql, q, 'person')})`] : []),
    ],
  })
  return withAmended(sql, schedule13Amended, page)
}

const named = (sql: Sql, q: string, whose: 'name' | 'person') =>
  meets(sql, q, { words: sql`r.${sql(`${whose}_words`)}`, folded: sql`r.${sql(`${whose}_key`)}` })

const factsOf = (sql: Sql, accession: string) => sql<Detail['facts']>`
  select n, name, value, person_position, json_build_object(
    'sequence', sequence, 'offset', start, 'length', stop - start, 'sentence', sentence) as evidence
  from schedule13.fact where accession = ${accession} order by n`

/** Returns one filing with all its data, the filing that it amends, and others about its issuer; null if unknown. */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const rows = <K extends Part>(table: string, order = 'position') => sql<Detail[K][number][]>`
    select * from ${sql(`schedule13.${table}`)} where accession = ${accession} order by ${sql(order)}`
  const [found, securities, persons, contacts, items, signatures, facts] = await Promise.all([
    sql<[(Detail['filing'] & Searched)?]>`
      select r.*, ${amendedColumn(sql, schedule13Amended, 'r')} from schedule13.report r where accession = ${accession}`,
    rows<'securities'>('security'),
    rows<'persons'>('person'),
    rows<'contacts'>('contact'),
    rows<'items'>('item'),
    rows<'signatures'>('signature'),
    factsOf(sql, accession),
  ])
  const [row] = found
  if (!row) return null
  const { name_key: _, name_words: __, person_key: ___, person_words: ____, ...filing } = row
  const parts = { securities, persons, contacts, items, signatures }
  for (const part of Object.values(parts)) for (const each of part) Reflect.deleteProperty(each, 'accession')
  const [chain, other_filings] = await Promise.all([chainOf(sql, filing), aboutIssuer(sql, filing)])
  return { filing, ...parts, facts: [...facts], ...chain, other_filings }
}

type Part = 'securities' | 'persons' | 'contacts' | 'items' | 'signatures'

interface Searched {
  name_key: string | null
  name_words: string | null
  person_key: string | null
  person_words: string | null
}

/** Maximum number of related filings in the answer about one filing. */
const LISTED_MAX = 200

async function chainOf(sql: Sql, filing: Detail['filing']): Promise<Pick<Detail, 'link' | 'amends' | 'amended_by'>> {
  const own = await sql<Linked[]>`
    select accession, filed_date, schedule, is_amendment, amendment_number, previous_accession, cusip
    from schedule13.report
    where issuer_cik = ${filing.issuer_cik} and cik = ${filing.cik}
    order by filed_date desc, accession desc limit ${LISTED_MAX}`
  const { link, amends } = linkOf(filing, own)
  const naming = await sql<{ accession: string }[]>`
    select accession from schedule13.report where previous_accession = ${filing.accession} limit ${LISTED_MAX}`
  const by = [...amendmentsOf(filing, own), ...naming].map(({ accession }) => accession)
  const found = await sql<Listed[]>`
    select ${listed(sql)} from schedule13.report r where r.accession = any(${[...by, amends].filter((one) => one !== null)})
    order by r.filed_date desc, r.accession desc`
  const rows = await amended(sql, found)
  return {
    link: link === 'stated' && !rows.some(({ accession }) => accession === amends) ? 'not_held' : link,
    amends: rows.find(({ accession }) => accession === amends) ?? null,
    amended_by: rows.filter(({ accession }) => by.includes(accession)),
  }
}

const aboutIssuer = async (sql: Sql, { issuer_cik, accession }: Detail['filing']): Promise<Detail['other_filings']> => {
  const found = await sql<Listed[]>`
    select ${listed(sql)} from schedule13.report r
    where r.issuer_cik = ${issuer_cik} and r.accession <> ${accession}
    order by r.filed_date desc, r.accession desc limit ${LISTED_MAX}`
  return amended(sql, found)
}
