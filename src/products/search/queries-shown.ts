/** SQL for the rows of the answer: the name of each thing, a detail that distinguishes it, and its page. */
import type { Sql } from '../../store/db.ts'
import type { Match } from './answers.ts'
import { entityId, type Hit, type Kind, ROLES } from './kinds.ts'

/** Returns the rows of the hits, in the order of the hits; each thing has one row. */
export async function shown(sql: Sql, hits: readonly Hit[], kind: Kind | undefined): Promise<Match[]> {
  const keysOf = (...kinds: Kind[]) => [
    ...new Set(hits.filter((hit) => kinds.includes(hit.kind)).map(({ key }) => key)),
  ]
  const ciks = keysOf('company', ...ROLES)
  const stored = hits.map((hit) => entityId(hit.kind, hit.key))
  const roles = ciks.flatMap((cik) => ROLES.map((role) => entityId(role, cik)))
  const [entities, filers, advisers, filings] = await Promise.all([
    entitiesOf(sql, [...new Set([...stored, ...roles])]),
    filersOf(sql, ciks),
    advisersOf(sql, keysOf('adviser')),
    filingsOf(sql, keysOf('filing')),
  ])
  const all = new Map([...entities, ...filers, ...advisers, ...filings].map((row) => [entityId(row.kind, row.id), row]))
  const found = new Map<string, Match>()
  for (const { matched, ...hit } of hits) {
    const id = entityId(chosen(hit, kind, all), hit.key)
    const row = all.get(id)
    if (!row || found.has(id) || (kind !== undefined && row.kind !== kind)) continue
    const { has_ticker: _, ...shown } = row
    found.set(id, { ...shown, matched })
  }
  return [...found.values()]
}

interface Shown extends Omit<Match, 'matched'> {
  has_ticker?: boolean
}

/**
 * Returns the kind that is shown for a filer with several roles. This is the requested kind, if the filer is of that
 * kind. Otherwise a filer with a ticker is shown as a company, any other filer in the first of its roles, and a filer
 * without a role as a company. A person who reports only as an insider is not shown as a company.
 */
function chosen(hit: Omit<Hit, 'matched'>, kind: Kind | undefined, all: ReadonlyMap<string, Shown>): Kind {
  if (hit.kind !== 'company' && !ROLES.some((role) => role === hit.kind)) return hit.kind
  const has = (role: Kind) => all.has(entityId(role, hit.key))
  const roles = ROLES.filter(has)
  const company = all.get(entityId('company', hit.key))
  const isInsiderAlone = roles.length === 1 && roles[0] === 'insider' && !company?.has_ticker
  if (kind === 'company') return company && !isInsiderAlone ? 'company' : (roles[0] ?? 'company')
  if (kind !== undefined && has(kind)) return kind
  if (company?.has_ticker) return 'company'
  return roles[0] ?? 'company'
}

const entitiesOf = async (sql: Sql, ids: readonly string[]): Promise<Shown[]> => {
  const rows = await sql<(Omit<Shown, 'url'> & { page: string | null })[]>`
    select kind, key as id, name, detail, page from search.entity where id = any(${ids as string[]})`
  return rows.map(({ page, ...row }) => ({ ...row, url: page ?? pageOf(row.kind, row.id) }))
}

/** Returns the path of the page for a thing, from its kind and key. */
function pageOf(kind: Kind, key: string): string {
  const id = encodeURIComponent(key)
  if (kind === 'manager') return `/v1/thirteenf/managers/by-cik/${id}/holdings`
  if (kind === 'broker') return `/v1/brokers/${id}`
  if (kind === 'insider') return `/v1/ownership/by-person/${id}`
  if (kind === 'representative') return `/v1/adv/rep/${id}/movements`
  return `/v1/adv/securities/${id}`
}

/**
 * Selects names of filers as /companies shows them: from the company's file, else from the newest filing, else from a
 * list of tickers.
 */
async function filersOf(sql: Sql, ciks: readonly string[]): Promise<Shown[]> {
  if (ciks.length === 0) return []
  return sql<Shown[]>`
    select 'company' as kind, w.cik as id, coalesce(c.name, i.name, t.name, w.cik) as name,
      nullif(concat_ws(' · ', t.tickers, c.sic_description,
        case when i.filings = 1 then '1 filing' when i.filings > 1 then i.filings || ' filings' end), '') as detail,
      '/v1/companies/' || w.cik as url, t.tickers is not null as has_ticker
    from unnest(${ciks as string[]}::text[]) w (cik)
    left join pub.companies_company c using (cik)
    left join lateral (
      select sum(s.filings) as filings,
        (array_agg(n.name order by s.last_filed desc, s.kind = 'now' desc, s.filings desc, n.name))[1] as name
      from edgar.filer_search s join edgar.filer_name n using (name_id) where s.cik = w.cik
    ) i on true
    left join lateral (
      select string_agg(distinct l.ticker, ', ' order by l.ticker) filter (where l.gone_on is null and l.class_id is null) as tickers,
        max(l.name) as name, count(*) as listed
      from pub.companies_ticker l where l.cik = w.cik
    ) t on true
    where c.cik is not null or i.name is not null or t.listed > 0`
}

async function advisersOf(sql: Sql, crds: readonly string[]): Promise<Shown[]> {
  if (crds.length === 0) return []
  return sql<Shown[]>`
    select 'adviser' as kind, crd as id, firm_name as name,
      concat_ws(' · ', 'CRD ' || crd, nullif(concat_ws(', ', city, state), ''), sec_file_number) as detail,
      '/v1/adv/advisers/by-crd/' || crd as url
    from pub.adv_adviser where crd = any(${crds as string[]}) and firm_name is not null`
}

async function filingsOf(sql: Sql, accessions: readonly string[]): Promise<Shown[]> {
  if (accessions.length === 0) return []
  return sql<Shown[]>`
    select 'filing' as kind, accession as id, company_name as name, form_type || ' · ' || filed_date as detail,
      '/v1/filing/' || accession as url
    from edgar.filing where accession = any(${accessions as string[]})`
}
