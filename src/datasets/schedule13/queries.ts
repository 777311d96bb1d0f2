/** Lists schedules, and queries one of them with the filing that it amends. */
import type { z } from 'zod'
import { detailOf, facts, filings, filingsWhere, rowsIn } from '../../serve/details.ts'
import { OTHERS_MAX } from '../../serve/filings-of.ts'
import { rowsOf } from '../../serve/lists.ts'
import type { Sql } from '../../store/db.ts'
import { type Chain, chain, row } from './answers.ts'
import { amendmentsOf, type Linked, linkOf } from './chain.ts'
import { contact, fact, item, person, report, security, signature } from './tables.ts'
import { schedule13Amended } from './views.ts'

export const rows = rowsOf({
  of: report,
  row,
  shown: {
    // The person whose figures the row shows: the person with the largest percentage. The first person of a group often
    // owns less.
    person_name: (sql) => sql`(
      select p.name from schedule13.person p where p.accession = t.accession
      order by p.percent desc nulls last, p.shares desc nulls last, p.position limit 1)`,
  },
  amended: schedule13Amended,
  // An amendment states the holding of another day, and only the changed items. So an amendment replaces no filing.
  kept: 'all',
})

/** Schedules that state the CUSIP on their cover; a cover may state several CUSIPs. */
export const ofSecurity = (sql: Sql, cusip: string) =>
  sql`t.accession in (select s.accession from schedule13.security s where s.cusip = ${cusip})`

async function chainOf(sql: Sql, filing: Linked & { issuer_cik: string | null; cik: string | null }): Promise<Chain> {
  const own = await sql<Linked[]>`
    select accession, filed_date, schedule, is_amendment, amendment_number, previous_accession, cusip
    from schedule13.report
    where issuer_cik = ${filing.issuer_cik} and cik = ${filing.cik}
    order by filed_date desc, accession desc limit ${OTHERS_MAX}`
  const { link, amends } = linkOf(filing, own)
  const naming = await sql<{ accession: string }[]>`
    select accession from schedule13.report where previous_accession = ${filing.accession} limit ${OTHERS_MAX}`
  const by = [...amendmentsOf(filing, own), ...naming].map(({ accession }) => accession)
  const related = [...by, amends].filter((one) => one !== null)
  const found = await sql<Chain['amended_by']>`${filingsWhere(sql, rows, sql`t.accession = any(${related})`)}`
  return {
    link: link === 'stated' && !found.some(({ accession }) => accession === amends) ? 'not_held' : link,
    amends: found.find(({ accession }) => accession === amends) ?? null,
    amended_by: found.filter(({ accession }) => by.includes(accession)),
  }
}

export const detail = detailOf(
  report,
  'Schedule13Detail',
  {
    filing: facts(report, { id: 'Schedule13Report', amended: schedule13Amended }),
    securities: rowsIn(security, { id: 'Schedule13Security', says: 'CUSIPs that the cover states' }),
    persons: rowsIn(person, { id: 'Schedule13Person', says: 'Reporting persons, in the order of the filing' }),
    contacts: rowsIn(contact, { id: 'Schedule13Contact', says: 'Persons who receive notices (13D)' }),
    items: rowsIn(item, {
      id: 'Schedule13Item',
      says: 'Answers to the items, in the order of the form',
    }),
    signatures: rowsIn(signature, { id: 'Schedule13Signature' }),
    facts: rowsIn(fact, {
      id: 'Schedule13Fact',
      says: 'If `source` is `text`, each fact with the row of the cover that states it; empty if XML was read',
    }),
    ...chain.shape,
    other_filings: filings(rows, {
      same: 'issuer_cik',
      says: 'Up to 200 other Schedules 13D and 13G about the same issuer that were read, newest first',
    }),
  },
  (sql, { filing }) => chainOf(sql, filing),
)

export type Detail = z.infer<typeof detail.answer>
