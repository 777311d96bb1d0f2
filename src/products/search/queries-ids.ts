/** SQL that finds things by their numbers. Each number takes one look-up in an index. */
import { companyOfId } from '../../read/company-name.ts'
import { ofIsin } from '../../serve/traded.ts'
import type { Sql } from '../../store/db.ts'
import { entityId, type Hit, type Kind, STORED } from './kinds.ts'
import type { TypedIds } from './read-typed.ts'

/** Maximum number of securities that are found by an issuer's LEI: a bank has thousands of notes. */
const OF_ISSUER = 20

/** Returns the things with these identifiers; the things that people most often mean come first. */
export async function byId(sql: Sql, ids: TypedIds): Promise<Hit[]> {
  const { accession, cik, crd, files, series, classId, cusip, isin, figi, lei, company } = ids
  const found = await Promise.all([
    accession ? filing(sql, accession) : [],
    series ? entities(sql, ['fund', 'money_market_fund'], series, 'series') : [],
    classId ? coded(sql, [classId], 'class') : [],
    cusip ? security(sql, cusip, isin ? 'isin' : 'cusip') : [],
    isin ? byIsin(sql, isin) : [],
    figi ? coded(sql, [figi], 'figi') : [],
    lei ? byLei(sql, lei) : [],
    company ? privateCompany(sql, company) : [],
    cik ? filer(sql, cik) : [],
    crd ? adviser(sql, crd) : [],
    crd ? entities(sql, ['representative'], crd, 'crd') : [],
    files.length > 0 ? byFile(sql, files) : [],
  ])
  return found.flat()
}

const filing = (sql: Sql, accession: string) => sql<Hit[]>`
  select 'filing' as kind, accession as key, 'accession' as matched from edgar.filing where accession = ${accession}`

async function entities(sql: Sql, kinds: readonly Kind[], key: string, matched: Hit['matched']): Promise<Hit[]> {
  const ids = kinds.map((kind) => entityId(kind, key))
  return sql<Hit[]>`select kind, key, ${matched}::text as matched from search.entity where id = any(${ids})`
}

/** Selects things by their codes in `search.code`. */
export const coded = (sql: Sql, codes: readonly string[], what: string) => sql<Hit[]>`
  select split_part(id, ' ', 1) as kind, substr(id, strpos(id, ' ') + 1) as key, ${what}::text as matched
  from (
    select id from search.code where code = any(${codes as string[]}) and what = ${what} and id <> ''
    union
    select 'filing ' || accession from search.code
    where code = any(${codes as string[]}) and what = ${what} and accession is not null
  ) found order by id limit 50`

const security = (sql: Sql, cusip: string, matched: 'cusip' | 'isin') => sql<Hit[]>`
  select 'security' as kind, sec_id as key, ${matched}::text as matched from pub.securities_security where sec_id = ${cusip}`

const byIsin = (sql: Sql, isin: string) => sql<Hit[]>`
  select 'security' as kind, sec_id as key, 'isin' as matched from pub.securities_security s where ${ofIsin(sql, isin)}`

/**
 * Selects the private company of an id, in any spelling of the name (`company~Space-X`). A request for a security with
 * this id returns a security of the same company.
 */
async function privateCompany(sql: Sql, id: string): Promise<Hit[]> {
  const named = companyOfId(id)
  if (named === null) return []
  return sql<Hit[]>`
    select distinct 'private_company' as kind, a.company_id as key, 'company_id' as matched
    from (
      select c.issuer from pub.securities_company_id c
      join pub.securities_alias a using (issuer) join pub.securities_security s using (sec_id)
      where c.key = ${named.key} and ${named.form} in (c.form, '')
      order by c.form <> ${named.form}, c.is_renamed, s.combined_value desc, s.sec_id limit 1
    ) c join pub.securities_alias a using (issuer) where a.company_id is not null`
}

/** Selects the company, the adviser and the largest securities of an issuer. */
async function byLei(sql: Sql, lei: string): Promise<Hit[]> {
  const rows = await sql<{ sec_id: string; cik: string | null }[]>`
    select sec_id, cik from pub.securities_security where lei = ${lei} order by combined_value desc limit ${OF_ISSUER}`
  const ciks = [...new Set(rows.flatMap(({ cik }) => cik ?? []))]
  return [
    ...ciks.map((key): Hit => ({ kind: 'company', key, matched: 'lei' })),
    ...(await coded(sql, [lei], 'lei')),
    ...rows.map(({ sec_id }): Hit => ({ kind: 'security', key: sec_id, matched: 'lei' })),
  ]
}

/**
 * Selects the things with this CIK: the company, the filer in its other roles, a fund without series, and advisers. A
 * fund that is known only from reports is found although the index has no filer for it.
 */
async function filer(sql: Sql, cik: string): Promise<Hit[]> {
  const ids = STORED.map((kind) => entityId(kind, cik)).filter((id) => !id.startsWith('representative'))
  return sql<Hit[]>`
    select kind, key, matched from (
      select 'company' as kind, ${cik}::text as key, 'cik' as matched, 0 as place
      where exists (select from edgar.filer_search where cik = ${cik})
        or exists (select from pub.companies_company where cik = ${cik})
        or exists (select from pub.companies_ticker where cik = ${cik})
      union all
      select kind, key, 'cik', 1 from search.entity where id = any(${ids}) and kind <> 'security'
      union all
      select 'adviser', crd, 'cik', 2 from pub.adv_number where kind = 'cik' and number = ${cik}
    ) found order by place, kind, key`
}

const adviser = (sql: Sql, crd: string) => sql<Hit[]>`
  select 'adviser' as kind, crd as key, 'crd' as matched from pub.adv_adviser where crd = ${crd}`

async function byFile(sql: Sql, files: readonly string[]): Promise<Hit[]> {
  const advisers = sql<Hit[]>`
    select distinct 'adviser' as kind, crd as key, 'file_number' as matched
    from pub.adv_number where kind = 'sec_number' and number = any(${files as string[]}) order by crd limit 50`
  const funds = sql<Hit[]>`
    select distinct 'adviser' as kind, crd as key, 'file_number' as matched
    from pub.adv_private_fund where fund_id = any(${files as string[]}) order by crd limit 50`
  return (await Promise.all([advisers, funds, coded(sql, files, 'file_number')])).flat()
}
