import type { Sql } from '../../store/db.ts'
import type { CompanySecurities, SecurityIdentifiers } from './answers.ts'

/** Returns the known identifiers of a security; null if no source has the security. */
export async function ofSecurity(sql: Sql, cusip: string): Promise<Omit<SecurityIdentifiers, 'not_loaded'> | null> {
  const [found, rows] = await Promise.all([
    sql<SecurityIdentifiers['believed'][]>`select * from identifiers.best where cusip = ${cusip}`,
    sql<SecurityIdentifiers['rows']>`
      select kind, value, source, name, first_seen, last_seen, reports, confidence, accession
      from identifiers.identifier where cusip = ${cusip}
      order by kind, confidence desc, last_seen desc nulls last, reports desc, value, source`,
  ])
  const [believed] = found
  return believed ? { cusip, believed, rows } : null
}

/** Maximum number of securities of one company in an answer; a bank has thousands of notes with a CUSIP. */
const SECURITIES_MAX = 1_000

export async function ofCompany(sql: Sql, cik: string): Promise<Omit<CompanySecurities, 'not_loaded'> | null> {
  const rows = await sql<CompanySecurities['rows']>`
    select * from identifiers.best where cik = ${cik} order by cusip limit ${SECURITIES_MAX}`
  return rows.length > 0 ? { cik, rows } : null
}
