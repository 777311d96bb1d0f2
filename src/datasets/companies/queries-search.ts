/** SQL of the search for companies: by ticker, by CIK, then by name. */
import { FILERS } from '../../ingest/filer-names.ts'
import { scoredNames } from '../../names.ts'
import { tickersOf } from '../../read/ticker.ts'
import { knownCount } from '../../serve/count.ts'
import { type Counted, cut, type Paged, startOf } from '../../serve/keyset.ts'
import { ownersOf } from '../../serve/tickers.ts'
import type { Sql } from '../../store/db.ts'
import type { CompanyMatch } from './answers.ts'
import { COMPANIES } from './named.ts'

/**
 * Maximum number of ranked results. Nobody reads further results. Each page ranks the same results again, so that all
 * pages of one search have the same order.
 */
export const RESULTS_MAX = 100

interface SearchParams extends Omit<Paged, 'offset'> {
  q: string
}

/** Returns the companies that match the typed text, best first. */
export async function search(
  sql: Sql,
  { q, ...paged }: SearchParams,
): Promise<{ rows: CompanyMatch[]; next_cursor: string | null } & Counted> {
  const keys = [{ column: 'place', dir: 'asc', type: 'count' }] as const
  const start = startOf({ list: 'companies', sort: 'match', dir: 'asc', keys, filters: { q } }, { ...paged, offset: 0 })
  const all = await ranked(sql, q)
  const from = Number(start.after?.[0] ?? 0)
  const wanted = all.slice(from, from + start.rowsMax)
  const rows = await shown(
    sql,
    wanted.map(({ cik }) => cik),
  )
  const placed = rows.map((row, at) => {
    const { found_by, found_ticker } = wanted[at]!
    return { ...row, found_by, found_ticker, place: String(from + at + 1) }
  })
  const page = cut(start, placed, knownCount(start, all.length))
  return { ...page, rows: page.rows.map(({ place: _, ...row }) => row) }
}

/**
 * A company that matches the typed text, and how it matches. A ticker finds its current owner and its former owners.
 */
interface Hit {
  cik: string
  found_by: CompanyMatch['found_by']
  found_ticker: CompanyMatch['found_ticker']
}

async function ranked(sql: Sql, q: string): Promise<Hit[]> {
  const [traded, numbered, named, filers] = await Promise.all([
    byTicker(sql, q),
    byNumber(sql, q),
    scoredNames(sql, COMPANIES, q, RESULTS_MAX),
    scoredNames(sql, FILERS, q, RESULTS_MAX),
  ])
  // If a filer's file was read, the search in the names of the files and the search in the names of the index both find
  // the filer; the better score is used.
  const best = new Map<string, number>()
  for (const { id, score } of [...named, ...filers]) best.set(id, Math.max(score, best.get(id) ?? 0))
  const byName = [...best].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([id]) => id)
  const found = [
    ...traded,
    ...numbered.map((cik): Hit => ({ cik, found_by: 'cik', found_ticker: null })),
    ...byName.map((cik): Hit => ({ cik, found_by: 'name', found_ticker: null })),
  ]
  return found.filter(({ cik }, at) => found.findIndex((hit) => hit.cik === cik) === at).slice(0, RESULTS_MAX)
}

const FOUND_BY = { listed: 'ticker', filed: 'filed_ticker', former: 'former_ticker' } as const

/** Returns companies that have or had this ticker. */
async function byTicker(sql: Sql, q: string): Promise<Hit[]> {
  const found = await ownersOf(sql, tickersOf(q))
  return (found?.owners ?? []).map(({ cik, ticker, state, source, last_seen }) => ({
    cik,
    found_by: FOUND_BY[state],
    found_ticker: { ticker, source, last_seen },
  }))
}

/**
 * Returns companies for "320193", "0000320193", "CIK 320193". Returns a trust for the id of one of its series or
 * classes. Also returns a trust for the key that answers give to a fund: CIK and series, with a hyphen between them.
 */
async function byNumber(sql: Sql, q: string): Promise<string[]> {
  if (/^[SC]\d{9}$/i.test(q)) return ofFund(sql, q.toUpperCase())
  const [, own] = /^(\d{10})-S\d{9}$/i.exec(q) ?? []
  if (own !== undefined) return byNumber(sql, own)
  const [, digits] = /^(?:cik[ #:.]*)?(\d{1,10})$/i.exec(q) ?? []
  if (digits === undefined) return []
  const cik = digits.padStart(10, '0')
  const rows = await sql<{ cik: string }[]>`
    select ${cik}::text as cik
    where exists (select from companies.company where cik = ${cik})
      or exists (select from companies.listed_ticker where cik = ${cik})
      or exists (select from edgar.filer_search where cik = ${cik})`
  return rows.map((row) => row.cik)
}

async function ofFund(sql: Sql, id: string): Promise<string[]> {
  const rows = await sql<{ cik: string }[]>`
    select cik from companies.listed_ticker where series_id = ${id} or class_id = ${id}
    union select cik from pub.nport_fund where series_id = ${id}`
  return rows.map(({ cik }) => cik)
}

type Shown = Omit<CompanyMatch, 'found_by' | 'found_ticker'>

async function shown(sql: Sql, ciks: readonly string[]): Promise<Shown[]> {
  if (ciks.length === 0) return []
  return sql<Shown[]>`
    select w.cik, coalesce(c.name, i.name, l.name) as name, coalesce(t.tickers, l.tickers, '{}') as tickers,
      coalesce(t.exchanges, l.exchanges, '{}') as exchanges, c.sic, c.sic_description,
      coalesce(i.filings, 0)::int as filing_count,
      case when c.cik is not null then 'submissions' when i.name is not null then 'index' else 'tickers' end as source
    from unnest(${ciks as string[]}::text[]) with ordinality as w (cik, place)
    left join companies.company c using (cik)
    left join lateral (
      select array_agg(ticker order by n) as tickers, array_agg(exchange order by n) as exchanges
      from companies.ticker where cik = w.cik and ticker is not null
    ) t on true
    left join lateral (
      select array_agg(ticker order by ticker) filter (where is_there) as tickers,
        array_agg(exchange order by ticker) filter (where is_there) as exchanges, max(name) as name
      from (
        select l.ticker, bool_or(r.gone_day is null) as is_there, max(l.exchange) as exchange, max(l.name) as name
        from companies.listed_ticker l
        join bulk.record r on r.key = l.id and r.series = case l.source
          when 'company_tickers' then 'TICKERS' when 'company_tickers_exchange' then 'TICKERS_EXCHANGE' else 'TICKERS_FUND' end
        where l.cik = w.cik and l.class_id is null group by l.ticker
      ) own
    ) l on true
    left join lateral (
      select sum(s.filings) as filings,
        (array_agg(n.name order by s.last_filed desc, s.kind = 'now' desc, s.filings desc, n.name))[1] as name
      from edgar.filer_search s join edgar.filer_name n using (name_id) where s.cik = w.cik
    ) i on true
    order by w.place`
}
