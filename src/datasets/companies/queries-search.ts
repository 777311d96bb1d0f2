/** SQL of the search for companies: by ticker, by CIK, then by name. */
import { FILERS } from '../../ingest/filer-names.ts'
import { scoredNames } from '../../names.ts'
import { cut, startOf } from '../../serve/keyset.ts'
import type { Sql } from '../../store/db.ts'
import type { Found } from './answers.ts'
import { COMPANIES } from './named.ts'

/** All that a search puts in order: nobody reads further, and each page of a walk must see the same order. */
export const RESULTS_MAX = 100

interface Asked {
  q: string
  limit: number
  paginate?: 'cursor' | undefined
  cursor?: string | undefined
}

/** The companies that somebody who types this may mean, best first. */
export async function search(
  sql: Sql,
  { q, ...paged }: Asked,
): Promise<{ rows: Found[]; next_cursor?: string | null }> {
  const keys = [{ column: 'place', dir: 'asc', type: 'count' }] as const
  const start = startOf({ list: 'companies', sort: 'match', dir: 'asc', keys, filters: { q } }, { ...paged, offset: 0 })
  const all = await ranked(sql, q)
  const from = Number(start.after?.[0] ?? 0)
  const wanted = all.slice(from, from + start.rowsMax)
  const rows = await shown(sql, wanted)
  const placed = rows.map((row, at) => ({ ...row, place: String(from + at + 1) }))
  const page = cut(start, placed)
  return { ...page, rows: page.rows.map(({ place: _, ...row }) => row) }
}

async function ranked(sql: Sql, q: string): Promise<string[]> {
  const [traded, numbered, named, filers] = await Promise.all([
    byTicker(sql, q),
    byNumber(sql, q),
    scoredNames(sql, COMPANIES, q, RESULTS_MAX),
    scoredNames(sql, FILERS, q, RESULTS_MAX),
  ])
  // A filer whose file was read is found by both, and counts by the better.
  const best = new Map<string, number>()
  for (const { id, score } of [...named, ...filers]) best.set(id, Math.max(score, best.get(id) ?? 0))
  const byName = [...best].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([id]) => id)
  return [...new Set([...traded, ...numbered, ...byName])].slice(0, RESULTS_MAX)
}

/** Classes of shares are set apart by a dash in the SEC's lists, and by a dot, a slash or a space elsewhere: BRK.B. */
const TICKER = /^[a-z0-9]{1,10}(?:[-./ ][a-z0-9]{1,4})?$/i

/** Companies that have this ticker now, those with the most filings first. */
async function byTicker(sql: Sql, q: string): Promise<string[]> {
  if (!TICKER.test(q)) return []
  const ticker = q.toUpperCase().replace(/[./ ]/, '-')
  const rows = await sql<{ cik: string }[]>`
    select t.cik
    from (
      select cik from companies.ticker where ticker = ${ticker}
      union
      select l.cik from companies.listed_ticker l
      join bulk.record r on r.key = l.id and r.gone_day is null and r.series = case l.source
        when 'company_tickers' then 'TICKERS' when 'company_tickers_exchange' then 'TICKERS_EXCHANGE' else 'TICKERS_FUND' end
      where l.ticker = ${ticker}
    ) t left join companies.company c using (cik)
    order by c.filings desc nulls last, t.cik limit ${RESULTS_MAX}`
  return rows.map(({ cik }) => cik)
}

/** "320193", "0000320193", "CIK 320193". */
async function byNumber(sql: Sql, q: string): Promise<string[]> {
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

async function shown(sql: Sql, ciks: readonly string[]): Promise<Found[]> {
  if (ciks.length === 0) return []
  return sql<Found[]>`
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
