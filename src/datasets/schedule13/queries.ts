import type { Sql } from '../../store/db.ts'
import type { Detail } from './answers.ts'

/** One filing with all it says, and the others about its issuer; null when there is none. */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const rows = <K extends Part>(table: string) => sql<Detail[K][number][]>`
    select * from ${sql(`schedule13.${table}`)} where accession = ${accession} order by position`
  const [found, securities, persons, contacts, items, signatures] = await Promise.all([
    sql<[(Detail['filing'] & Searched)?]>`select * from schedule13.report where accession = ${accession}`,
    rows<'securities'>('security'),
    rows<'persons'>('person'),
    rows<'contacts'>('contact'),
    rows<'items'>('item'),
    rows<'signatures'>('signature'),
  ])
  const [row] = found
  if (!row) return null
  const { name_key: _, name_words: __, ...filing } = row
  const parts = { securities, persons, contacts, items, signatures }
  for (const part of Object.values(parts)) for (const each of part) Reflect.deleteProperty(each, 'accession')
  return { filing, ...parts, other_filings: await aboutIssuer(sql, filing) }
}

type Part = 'securities' | 'persons' | 'contacts' | 'items' | 'signatures'

interface Searched {
  name_key: string | null
  name_words: string | null
}

const aboutIssuer = async (
  sql: Sql,
  { issuer_cik, accession }: Detail['filing'],
): Promise<Detail['other_filings']> => sql<Detail['other_filings']>`
    select r.accession, r.filed_date, r.submission_type, r.cik, p.name as person, r.cusip, r.event_date, r.shares, r.percent,
      r.previous_accession
    from schedule13.report r
    left join schedule13.person p on p.accession = r.accession and p.position = 0
    where r.issuer_cik = ${issuer_cik} and r.accession <> ${accession}
    order by r.filed_date desc, r.accession desc limit 200`
