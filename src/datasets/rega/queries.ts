import type { z } from 'zod'
import { columnType, type Table } from '../../declare/table.ts'
import { amendedColumn } from '../../serve/amended.ts'
import { otherFilings } from '../../serve/filings-of.ts'
import type { Sql } from '../../store/db.ts'
import type { Detail } from './answers.ts'
import * as tables from './tables.ts'
import { regaAmended } from './views.ts'

/**
 * Returns one filing with all its data and the issuer's other Regulation A filings. Returns null if the filing is
 * unknown. The query is written by hand, because the answer has the terms of an offering inside `offering`, and other
 * forms have no offering.
 */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const [found] = await sql<[SubmissionRow?]>`
    select
      filing.*, ${amendedColumn(sql, regaAmended, 'filing')},
      ${rowsOf(sql, tables.offering)} as terms,
      ${rowsOf(sql, tables.financials)} as financials,
      ${rowsOf(sql, tables.issuer)} as issuers,
      ${rowsOf(sql, tables.security_class)} as outstanding_classes,
      ${rowsOf(sql, tables.unregistered)} as unregistered,
      ${rowsOf(sql, tables.sale)} as sales,
      ${rowsOf(sql, tables.service)} as services,
      ${rowsOf(sql, tables.suspension)} as suspensions,
      ${rowsOf(sql, tables.signature)} as signatures,
      ${otherFilings(sql, 'filing', {
        slug: 'rega',
        table: 'rega.submission',
        amended: regaAmended,
        facts: sql`t.submission_type, t.entity_name, t.file_numbers, t.reporting_period,
            t.total_offered::text as total_offered, t.raised::text as raised`,
      })} as other_filings
    from rega.submission filing
    where filing.accession = ${accession}`
  if (!found) return null
  const { terms, financials, issuers, outstanding_classes, unregistered, sales, services, suspensions, ...row } = found
  const { signatures, other_filings, name_key: _, name_words: __, tier, total_offered, raised, ...cover } = row
  const { industry, street1, street2, city, state, zip, phone, contact_name, ...submission } = cover
  const [primary, ...co_issuers] = issuers.map(({ position: _, ...facts }) => facts)
  const paid = (position: number) => services.flatMap(({ sale, ...fee }) => (sale === position ? fee : []))
  return {
    submission: { ...submission, signatures },
    issuer: { ...primary!, industry, street1, street2, city, state, zip, phone, contact_name, co_issuers },
    offering: {
      ...{ tier, total_offered, raised },
      ...terms[0],
      financials: financials[0] ?? null,
      outstanding_classes,
      services: terms[0] ? paid(0) : [],
      unregistered,
      sales: sales.map((sale) => ({ ...sale, services: paid(sale.position) })),
      suspensions,
    },
    other_filings,
  }
}

type Parsed<T extends Table> = z.infer<T['parsed']>[]

type SubmissionRow = z.infer<typeof tables.submission.row> & {
  amended_by: string[]
  terms: Parsed<typeof tables.offering>
  financials: Parsed<typeof tables.financials>
  issuers: Parsed<typeof tables.issuer>
  outstanding_classes: Parsed<typeof tables.security_class>
  unregistered: Parsed<typeof tables.unregistered>
  sales: Parsed<typeof tables.sale>
  services: Parsed<typeof tables.service>
  suspensions: Parsed<typeof tables.suspension>
  signatures: Parsed<typeof tables.signature>
  other_filings: Detail['other_filings']
}

/**
 * Selects the filing's rows of a table as a JSON array in the order of its key; numbers beyond JSON's range become
 * strings.
 */
function rowsOf(sql: Sql, table: Table) {
  const columns = Object.entries(table.columns).map(([name, type]) =>
    ['numeric', 'bigint'].includes(columnType(type)!.postgres) ? `${name}::text as ${name}` : name,
  )
  const order = ['accession', ...table.key].join(', ')
  return sql`(
    select coalesce(json_agg(r), '[]')
    from (
      select ${sql.unsafe(columns.join(', '))} from ${sql(table.id)}
      where accession = filing.accession
      order by ${sql.unsafe(order)}
    ) r)`
}
