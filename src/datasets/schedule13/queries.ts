/** Lists schedules, and queries one of them with the filing that it amends. */
import { amendedColumn } from '../../serve/amended.ts'
import { filingsWhere, rowsOf } from '../../serve/lists.ts'
import type { Sql } from '../../store/db.ts'
import { type Detail, row } from './answers.ts'
import { amendmentsOf, type Linked, linkOf } from './chain.ts'
import { report } from './tables.ts'
import { schedule13Amended } from './views.ts'

export const rows = rowsOf({
  of: report,
  row,
  shown: {
    person_name: (sql) =>
      sql`(select p.name from schedule13.person p where p.accession = t.accession and p.position = 0)`,
  },
  amended: schedule13Amended,
})

/** Schedules that state the CUSIP on their cover; a cover may state several CUSIPs. */
export const ofSecurity = (sql: Sql, cusip: string) =>
  sql`t.accession in (select s.accession from schedule13.security s where s.cusip = ${cusip})`

const factsOf = (sql: Sql, accession: string) => sql<Detail['facts']>`
  select n, name, value, person_position, json_build_object(
    'sequence', sequence, 'offset', start, 'length', stop - start, 'sentence', sentence) as evidence
  from schedule13.fact where accession = ${accession} order by n`

/** Returns one filing with all its data, the filing that it amends, and others about its issuer; null if unknown. */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const partOf = <K extends Part>(table: string, order = 'position') => sql<Detail[K][number][]>`
    select * from ${sql(`schedule13.${table}`)} where accession = ${accession} order by ${sql(order)}`
  const [found, securities, persons, contacts, items, signatures, facts] = await Promise.all([
    sql<[(Detail['filing'] & Searched)?]>`
      select r.*, ${amendedColumn(sql, schedule13Amended, 'r')} from schedule13.report r where accession = ${accession}`,
    partOf<'securities'>('security'),
    partOf<'persons'>('person'),
    partOf<'contacts'>('contact'),
    partOf<'items'>('item'),
    partOf<'signatures'>('signature'),
    factsOf(sql, accession),
  ])
  const [stored] = found
  if (!stored) return null
  const { name_key: _, name_words: __, person_key: ___, person_words: ____, ...filing } = stored
  const parts = { securities, persons, contacts, items, signatures }
  for (const part of Object.values(parts)) for (const each of part) Reflect.deleteProperty(each, 'accession')
  const [chain, other_filings] = await Promise.all([
    chainOf(sql, filing),
    filingsWhere(sql, rows, sql`t.issuer_cik = ${filing.issuer_cik} and t.accession <> ${accession}`),
  ])
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
  const related = [...by, amends].filter((one) => one !== null)
  const found = await filingsWhere(sql, rows, sql`t.accession = any(${related})`)
  return {
    link: link === 'stated' && !found.some(({ accession }) => accession === amends) ? 'not_held' : link,
    amends: found.find(({ accession }) => accession === amends) ?? null,
    amended_by: found.filter(({ accession }) => by.includes(accession)),
  }
}
