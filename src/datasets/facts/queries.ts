/** All SQL of company facts. */
import type { Sql } from '../../store/db.ts'
import type { Fact } from './fact.ts'

export interface Company {
  cik: string
  entity_name: string | null
}

export async function companyOf(sql: Sql, cik: string): Promise<Company | null> {
  const [found] = await sql<Company[]>`select cik, entity_name from facts.company where cik = ${cik}`
  return found ?? null
}

/**
 * Returns the company's ticker of today; null if it has no ticker, or several, since a choice among them would be a
 * guess.
 */
export async function tickerOf(sql: Sql, cik: string): Promise<string | null> {
  const found = await sql<{ ticker: string }[]>`
    select distinct ticker from pub.companies_ticker where cik = ${cik} and gone_on is null limit 2`
  return found.length === 1 ? found[0]!.ticker : null
}

/**
 * Returns all values that a company reported under the tags of figures. Reads some 2,500 rows, in one range of the key.
 */
export async function factsOf(sql: Sql, cik: string): Promise<Fact[]> {
  return sql<Fact[]>`
    select taxonomy, tag, unit, start_date as start, end_date as "end", value, accession, form,
           filed_date as filed, fy, fp
    from facts.fact where cik = ${cik} and taxonomy <> 'dei'`
}

export interface Issuer {
  cusip: string
  cik: string
  ticker: string | null
  company_name: string | null
}

/**
 * Returns the company of a CUSIP. For an incomplete CUSIP, considers all CUSIPs that begin with the given characters,
 * and returns the company whose CIK is the most certain. Returns null if no CIK is known.
 */
export async function issuerOf(sql: Sql, cusip: string): Promise<Issuer | null> {
  const [found] = await sql<Issuer[]>`
    select cusip, cik, ticker, company_name from pub.identifiers_best
    where cusip >= ${cusip} and cusip < ${`${cusip}~`} and cik is not null
    order by confidence desc nulls last, cusip limit 1`
  return found ?? null
}
