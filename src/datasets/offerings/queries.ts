import { apiError } from '../../declare/api-errors.ts'
import type { Arrival, Arrived } from '../../declare/route.ts'
import { meets } from '../../names.ts'
import { countOf } from '../../serve/count.ts'
import { evidenceOf } from '../../serve/evidence.ts'
import { type Filed, filedAs } from '../../serve/filed.ts'
import { filingsOf, OTHERS_MAX } from '../../serve/filings-of.ts'
import { cut, type Key, orderBy, type Paged, rangesOf, startOf } from '../../serve/keyset.ts'
import { unnamed } from '../../serve/page.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import type { IpoDetail, IpoPage } from './answers.ts'
import type { STAGES } from './pipeline.ts'
import { publicBefore } from './queries-refresh.ts'
import type { PLACES } from './tables-words.ts'

export const SORTS = ['date', 'name', 'stage_date'] as const

interface Search extends Paged, Filed {
  /** Accession numbers of offerings, if only these are wanted. */
  only?: readonly string[] | undefined
  /** Name of the company. */
  q?: string | undefined
  stage?: (typeof STAGES)[number] | undefined
  spac?: 'exclude' | 'only' | undefined
  price_to_range?: (typeof PLACES)[number] | undefined
  sort: (typeof SORTS)[number]
  dir: 'asc' | 'desc'
}

const COLUMNS: Readonly<Record<(typeof SORTS)[number], (dir: 'asc' | 'desc') => Key>> = {
  date: (dir) => ({ column: 'filed_date', dir, type: 'date' }),
  name: (dir) => ({ column: 'name_key', dir, type: 'text' }),
  stage_date: (dir) => ({ column: 'stage_date', dir, type: 'date' }),
}

const keysOf = ({ sort, dir }: Pick<Search, 'sort' | 'dir'>): Key[] => [
  COLUMNS[sort](dir),
  { column: 'accession', dir, type: 'text' },
]

/**
 * Returns a page of initial offerings, read from the index of the requested order. The query is written by hand,
 * because only some offerings are initial public offerings, and because the terms of a row may come from a later filing
 * of the offering.
 */
export async function search(
  sql: Sql,
  { sort, dir, limit, offset, paginate: _, cursor, count, ...wanted }: Search,
): Promise<IpoPage> {
  const keys = keysOf({ sort, dir })
  const start = startOf({ list: 'ipos', sort, dir, keys, filters: wanted }, { limit, offset, cursor, count })
  const order = sql.unsafe(orderBy(keys, 'o.'))
  const [range] = rangesOf(sql, start, 'o.')
  const { q, cik, stage, spac, price_to_range: place, only, ...days } = wanted
  const initial = sql`
      offerings.offering o
      where o.listed_basis is null and not exists (${publicBefore(sql, 'o')})
        ${q ? sql`and ${meets(sql, q, { words: sql`o.name_words`, folded: sql`o.name_key` })}` : sql``}
        ${stage ? sql`and o.stage = ${stage}` : sql``}
        ${spac ? sql`and o.is_spac = ${spac === 'only'}` : sql``}
        ${place ? sql`and o.price_to_range = ${place}` : sql``}
        ${only ? sql`and o.accession = any(${only as string[]})` : sql``}
        ${cik ? sql`and o.accession = any(array(select r.offering_accession from offerings.registrant r where r.cik = ${cik}))` : sql``}
        ${filedAs(sql, days, 'o.')}`
  const found = await unnamed(sql<(IpoPage['rows'][number] & { name_key: string })[]>`
    select o.accession, ${namedRegistrant(sql, cik)}, o.registrant_count, o.form as form_type, o.filed_date, o.sic, o.sic_description, o.tickers,
      o.exchanges, o.is_spac, o.stage, o.stage_date, o.file_numbers, t.security, t.shares::text as shares,
      t.price::text as price, o.price_low::text as price_low, o.price_high::text as price_high, o.range_moved,
      o.price_to_range, t.gross::text as gross, coalesce(t.underwriters, '{}') as underwriters, o.terms_accession, o.name_key
    from (
      select * from ${initial} and ${range!}
      order by ${order} limit ${start.rowsMax} offset ${offset}
    ) o
    left join offerings.filing t on t.accession = o.terms_accession
    order by ${order}`)
  const counted = await countOf(sql, start, sql`from ${initial}`, {
    stage: { value: sql`o.stage` },
    month: { value: sql`o.filed_date`, kind: 'day' },
  })
  const { rows, ...next } = cut(start, found, counted)
  return { rows: rows.map(({ name_key: _, ...row }) => row), ...next }
}

/**
 * CIK and name of the requested company, which may be a co-registrant, or of the issuer if no company is requested. The
 * name of the issuer never stands next to the CIK of a co-registrant.
 */
const namedRegistrant = (sql: Sql, cik: string | undefined): Fragment =>
  cik === undefined
    ? sql`o.cik, o.company_name`
    : sql`${cik}::text as cik, (
        select r.company_name from offerings.registrant r
        where r.offering_accession = o.accession and r.cik = ${cik}) as company_name`

/**
 * Returns the offerings that match a search because of newly arrived filings. Three kinds of filings count: the first
 * registration statement of the offering; the filing that brought the offering to its stage, if the search names a
 * stage; and a cover that states price or range, if the search compares the two.
 */
export async function arrived(
  sql: Sql,
  { limit: _, cursor: __, offset: ___, count: ____, ...wanted }: Search,
  arrival: Arrival,
): Promise<Arrived[]> {
  const { stage, price_to_range: place } = wanted
  const isStep = sql`m.accession = s.accession and s.date = o.stage_date`
  const made = await sql<{ offering: string; key: string; day: string }[]>`
    select distinct on (o.accession) o.accession as offering, m.accession as key, m.filed_date as day
    from offerings.member m
    join offerings.offering o on o.accession = m.offering_accession
    where ${'keys' in arrival ? sql`m.accession = any(${arrival.keys as string[]})` : sql`m.filed_date >= ${arrival.since}`}
      and (m.accession = o.accession
        ${stage ? sql`or exists (select from offerings.step s where s.offering_accession = o.accession and ${isStep})` : sql``}
        ${
          place
            ? sql`or m.accession = o.terms_accession or exists (
          select from offerings.filing f where f.accession = m.accession and f.price_low is not null)`
            : sql``
        })
    order by o.accession, m.filed_date desc, m.accession desc`
  if (made.length === 0) return []
  const by = new Map(made.map(({ offering, ...one }) => [offering, one]))
  const { rows } = await search(sql, { ...wanted, only: [...by.keys()], limit: made.length, offset: 0 })
  return rows.map((row) => ({ row, ...by.get(row.accession)! }))
}

/**
 * Returns the initial offering that a filing belongs to; null if the filing was not read. If the filing belongs to
 * several offerings, the earliest initial one is returned.
 *
 * @throws HttpError 404 with the reason, if the filing belongs to no known offering, or only to offerings of companies
 *   that were public before
 */
export async function detail(sql: Sql, accession: string): Promise<IpoDetail | null> {
  const [row] = await sql<[DetailRow?]>`
    select to_jsonb(o) - array['name_key', 'name_words', 'registrant_count', 'listed_basis', 'listed_source', 'says_initial', 'seeks_listing'] as own,
      coalesce(o.listed_basis, b.basis) as basis, coalesce(o.listed_source, b.source) as source,
      (select row_to_json(x) from (
        select f.accession, f.form_type, f.filed_date, f.company_name, f.cik
        from edgar.filing f where f.accession = m.accession) x) as filing,
      (select s.header from edgar.submission s where s.accession = o.accession) as header,
      (select row_to_json(y) from (
        select t.accession, t.form, t.filed_date, t.security, t.shares::text as shares, t.price::text as price,
          t.price_low::text as price_low, t.price_high::text as price_high, t.gross::text as gross,
          t.proceeds::text as proceeds, t.underwriters, t.exchanges, t.tickers, t.left_out
        from offerings.filing t where t.accession = o.terms_accession) y) as terms,
      (select coalesce(json_agg(c order by c.filed_date, c.accession), '[]') from (
        select t.accession, t.form, t.filed_date, t.shares::text as shares, t.price::text as price,
          t.price_low::text as price_low, t.price_high::text as price_high, t.gross::text as gross
        from offerings.member q join offerings.filing t using (accession)
        where q.offering_accession = o.accession
          and coalesce(t.shares, t.price, t.price_low, t.gross) is not null) c) as covers,
      (select coalesce(json_agg(x), '[]') from (
        select e.n, e.name, e.value, ${evidenceOf(sql, 'e')} as evidence
        from offerings.fact e where e.accession = o.terms_accession order by e.n) x) as facts,
      (select coalesce(json_agg(x), '[]') from (
        select s.stage, s.date, s.accession, s.form
        from offerings.step s where s.offering_accession = o.accession order by s.n) x) as stages,
      (select coalesce(json_agg(x), '[]') from (
        select p.accession, p.kind, p.form, p.filed_date from offerings.member p where p.offering_accession = o.accession
        order by p.filed_date, p.accession) x) as filings,
      (select json_agg(x order by x.cik <> o.cik, x.cik) from (
        select r.cik, r.company_name from offerings.registrant r where r.offering_accession = o.accession) x) as registrants,
      ${filingsOf(sql, { cik: sql`o.cik`, except: sql`o.accession`, max: OTHERS_MAX })} as other_filings
    from offerings.member m
    join offerings.offering o on o.accession = m.offering_accession
    left join lateral (${publicBefore(sql, 'o')}) b on true
    where m.accession = ${accession}
    order by coalesce(o.listed_basis, b.basis) is not null, o.filed_date, o.accession limit 1`
  if (!row) return readElsewhere(sql, accession)
  if (row.basis !== null) {
    const why = `${SAYS[row.basis]} (${row.source})`
    throw apiError('not_found', { detail: `: the offering of ${accession} is not an initial one: ${why}` })
  }
  const { own, filing, registrants, terms, covers, facts, stages, filings, other_filings } = row
  const { accession: offering, file_numbers, stage, stage_date, range_moved, price_to_range } = own
  const { cik, company_name, sic, sic_description, is_spac, tickers, exchanges } = own
  return {
    filing,
    issuer: {
      ...{ cik, company_name, sic, sic_description, is_spac, tickers, exchanges },
      ...placeOf(row.header, cik),
    },
    registrants,
    offering: {
      ...{ accession: offering, file_numbers, stage, stage_date, range_moved, price_to_range },
      ...{ terms, covers, facts },
    },
    stages,
    filings,
    other_filings,
  }
}

/** @throws HttpError 404 for a filing that was read but is not linked to a registration statement */
async function readElsewhere(sql: Sql, accession: string): Promise<null> {
  const [read] = await sql<[{ form: string }?]>`select form from offerings.filing where accession = ${accession}`
  if (!read) return null
  throw apiError('not_found', {
    detail: `: ${accession} (${read.form}) was read, but its offering is unknown: no loaded registration statement has its file number; /v1/filing/${accession} shows what was read`,
  })
}

const SAYS: Readonly<Record<string, string>> = {
  reports:
    'the company filed annual or quarterly reports before the offering, and no cover says that its securities are to be listed',
  registered: 'the company had registered securities for an exchange before the offering',
  tickers: 'the company had a ticker on an exchange before the offering',
  cover: 'its cover says that the company is listed',
}

interface DetailRow extends Omit<IpoDetail, 'issuer' | 'offering'> {
  own: Record<string, never> & OwnRow
  basis: string | null
  source: string | null
  header: { filers: HeaderFiler[] } | null
  terms: IpoDetail['offering']['terms']
  covers: IpoDetail['offering']['covers']
  facts: IpoDetail['offering']['facts']
}

type OwnRow = Omit<IpoDetail['issuer'], 'state_of_incorporation' | 'address'> &
  Omit<IpoDetail['offering'], 'terms' | 'covers' | 'facts'> & {
    price_low: string | null
    price_high: string | null
    form: string
    filed_date: string
    terms_accession: string | null
  }

interface HeaderFiler {
  cik: string | null
  stateOfIncorporation: string | null
  businessAddress: NonNullable<IpoDetail['issuer']['address']> | null
}

function placeOf(header: DetailRow['header'], cik: string) {
  const filer = header?.filers.find((each) => each.cik === cik)
  return { state_of_incorporation: filer?.stateOfIncorporation ?? null, address: filer?.businessAddress ?? null }
}
