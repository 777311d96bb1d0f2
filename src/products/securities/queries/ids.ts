/** SQL that finds the security for an id in an address. */

import { companyOfId, isCompanyId } from '../../../read/company-name.ts'
import { LAST } from '../../../read/fold.ts'
import type { Sql } from '../../../store/db.ts'

/**
 * Returns the security for an id in an address; the id may be in upper or lower case. An incomplete CUSIP means the
 * most valuable security whose CUSIP begins with it. The first six characters are the issuer's number, so they mean the
 * issuer's main security. The id of a private company means the most valuable of its securities.
 */
export async function idOf(sql: Sql, given: string): Promise<string | null> {
  if (isCompanyId(given)) return (await securitiesOf(sql, given, 1))[0] ?? null
  const condition = given.includes('~')
    ? sql`sec_id = ${given.startsWith('isin') ? `isin~${given.slice(5).toUpperCase()}` : given}`
    : given.length === 9
      ? sql`sec_id = ${given.toUpperCase()}`
      : beginning(sql, given.toUpperCase())
  const [row] = await sql<{ sec_id: string }[]>`
    select sec_id from securities.security where ${condition} order by combined_value desc, sec_id limit 1`
  return row?.sec_id ?? null
}

/**
 * Returns securities of the private company with this id, the most valuable first. An id without a legal form means the
 * company whose name has no legal form, else the largest company with this name.
 */
export async function securitiesOf(sql: Sql, company: string, max: number): Promise<string[]> {
  const named = companyOfId(company)
  if (named === null) return []
  const rows = await sql<{ sec_id: string }[]>`
    select a.sec_id from (
      select c.issuer from securities.company_id c
      join securities.alias a using (issuer) join securities.security s using (sec_id)
      where c.key = ${named.key} and ${named.form} in (c.form, '')
      order by c.form <> ${named.form}, c.is_renamed, s.combined_value desc, s.sec_id limit 1
    ) c join securities.alias a using (issuer) join securities.security s using (sec_id)
    order by s.combined_value desc, s.sec_id limit ${max}`
  return rows.map(({ sec_id }) => sec_id)
}

/** Selects ids that begin with an issuer's number or with an incomplete CUSIP. */
export const beginning = (sql: Sql, text: string) =>
  sql`sec_id >= ${text} and sec_id < ${text + LAST} and cusip is not null`
