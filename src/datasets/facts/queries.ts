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

/** All that a company reported under the tags of its figures: some 2,500 rows, one range of the key. */
export async function factsOf(sql: Sql, cik: string): Promise<Fact[]> {
  return sql<Fact[]>`
    select taxonomy, tag, unit, start_date as start, end_date as "end", value, accession, form,
           filed_date as filed, fy, fp
    from facts.fact where cik = ${cik} and taxonomy <> 'dei'`
}
