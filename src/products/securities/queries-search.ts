/** SQL of the search for securities: by number, ticker and name. */
import { wordsFilter } from '../../names.ts'
import { containing, LAST } from '../../read/fold.ts'
import { cusipOfIsin, validIsin } from '../../read/securityid.ts'
import { cut, type Key, orderBy, type Paged, rangesOf, startOf } from '../../serve/keyset.ts'
import { unnamed } from '../../serve/page.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import type { SecurityPage } from './answers.ts'

export const SORTS = ['value', 'f13_holders', 'fund_count', 'name'] as const

interface Asked extends Paged {
  /** Text of a name, or a number by which a security or its issuer is known. */
  q?: string | undefined
  type?: 'public' | 'private' | undefined
  sort: (typeof SORTS)[number]
  dir: 'asc' | 'desc'
}

const COLUMNS = {
  value: { column: 'combined_value', type: 'amount' },
  f13_holders: { column: 'f13_holders', type: 'count' },
  fund_count: { column: 'fund_count', type: 'count' },
  name: { column: 'name_key', type: 'text' },
} as const

const keysOf = ({ sort, dir }: Pick<Asked, 'sort' | 'dir'>): Key[] => [
  { ...COLUMNS[sort], dir },
  { column: 'sec_id', dir, type: 'text' },
]

type Found = SecurityPage['rows'][number] & { name_key: string }

/** A page of securities. A number that is one of a security or an issuer finds these alone; anything else is a name or a ticker. */
export async function search(sql: Sql, { q, type, sort, dir, ...paged }: Asked): Promise<SecurityPage> {
  const keys = keysOf({ sort, dir })
  const start = startOf({ list: 'securities', sort, dir, keys, filters: { q, type } }, paged)
  const asked = q === undefined ? { condition: sql`true` } : await askedFor(sql, q)
  const ofType = type === undefined ? sql`true` : type === 'private' ? sql`s.is_private` : sql`not s.is_private`
  const order = orderBy(keys, 's.')
  const [range] = rangesOf(sql, start, 's.')
  if (asked === null) return { rows: [], next_cursor: null }
  const found = await unnamed(sql<Found[]>`
    select s.sec_id, s.cusip, s.is_private, s.issuer_name, s.title_of_class, s.asset_cat, s.isin, s.lei, s.ticker, s.cik,
      ${ofSource(sql, 'f13', 'f13_holders', 'f13_value')}, ${ofSource(sql, 'nport', 'fund_count', 'nport_value')},
      ${ofSource(sql, 'nmfp', 'mmf_count', 'nmfp_value')}, s.combined_value::text as combined_value, s.name_key
    from (
      select * from securities.security s where ${asked.condition} and ${ofType} and ${range!}
      order by ${sql.unsafe(order)} limit ${start.rowsMax} offset ${start.offset}
    ) s
    order by ${sql.unsafe(order)}`)
  const { rows, next_cursor = null } = cut(start, found)
  return { rows: rows.map(({ name_key: _, ...row }) => row), next_cursor }
}

/** Nobody holds it and nobody was asked are not the same. */
const ofSource = (sql: Sql, source: string, holders: string, value: string): Fragment => {
  const isLoaded = sql`exists (select from securities.span where source = ${source})`
  return sql`
    case when ${isLoaded} then s.${sql(holders)} end as ${sql(holders)},
    case when ${isLoaded} then s.${sql(value)}::text end as ${sql(value)}`
}

/** The condition for what was typed; null where nothing can meet it. A promise of a fragment alone would be a statement that is run. */
async function askedFor(sql: Sql, q: string): Promise<{ condition: Fragment } | null> {
  const numbered = await byNumber(sql, q)
  if (numbered.length > 0) return { condition: sql`s.sec_id = any(${numbered})` }
  const words = wordsFilter(q)
  const ticker = q.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const ofTicker = ticker === '' ? sql`false` : sql`s.ticker_key = ${ticker}`
  if (words === null) return ticker === '' ? null : { condition: ofTicker }
  const name = sql`s.name_words @@ ${words}::tsquery`
  // Fewer letters in a row have no index by which names that hold them are found, and stand for too many companies.
  if (!/[\p{L}\p{N}]{3}/u.test(q)) return { condition: sql`(${ofTicker} or ${name})` }
  const others = await ofCompany(sql, name)
  const more = others.length > 0 ? sql`or s.sec_id = any(${others})` : sql``
  return { condition: sql`(${ofTicker} or ${name} or s.name_key like ${containing(q)} ${more})` }
}

/** Private securities of the companies that a name may mean; of more the name is no company's. */
const OF_COMPANY = 1_000

/** Private securities whose company has a name that is met: funds call one company by many names, and hold it by vehicles. */
async function ofCompany(sql: Sql, name: Fragment): Promise<string[]> {
  const rows = await sql<{ sec_id: string }[]>`
    select distinct other.sec_id from securities.security s
    join securities.alias own using (sec_id) join securities.alias other using (issuer)
    where s.is_private and ${name} limit ${OF_COMPANY + 1}`
  return rows.length > OF_COMPANY ? [] : rows.map(({ sec_id }) => sec_id)
}

/** How many securities an issuer may have of which all are found: banks have issued thousands of notes. */
const OF_ISSUER = 5_000

/** Ids of the securities with that CUSIP, beginning of one, ISIN, LEI, id or CIK. */
export async function byNumber(sql: Sql, typed: string): Promise<string[]> {
  const [, kind, text] = /^(?:(cusip|isin|lei|cik)[\s:#]+)?(.*)$/is.exec(typed) as unknown as [
    string,
    string | undefined,
    string,
  ]
  const upper = text.toUpperCase()
  const isin = validIsin(upper)
  if (isin !== null)
    return idsOf(sql, sql`sec_id = any(${[cusipOfIsin(isin) ?? '', `isin~${isin}`]}) or isin = ${isin}`)
  if (/^\d{1,10}$/.test(text) && (kind?.toLowerCase() === 'cik' || text.length === 10)) {
    return idsOf(sql, sql`cik = ${text.padStart(10, '0')}`)
  }
  if (/^(isin|name)~/.test(text)) return idsOf(sql, sql`sec_id = ${text}`)
  if (/^[A-Z0-9]{9}$/.test(upper)) {
    const own = await idsOf(sql, sql`sec_id = ${upper}`)
    if (own.length > 0) return own
  }
  if (/^(?=.*\d)[A-Z0-9]{6,8}$/.test(upper)) {
    const begun = await idsOf(sql, beginning(sql, upper))
    if (begun.length > 0) return begun
  }
  if (/^[A-Z0-9]{18}\d\d$/.test(upper)) return idsOf(sql, sql`lei = ${upper}`)
  if (/^\d{1,9}$/.test(text)) return idsOf(sql, sql`cik = ${text.padStart(10, '0')}`)
  return []
}

/** Ids that begin with an issuer's number, or lack the last characters of a CUSIP. */
export const beginning = (sql: Sql, text: string) =>
  sql`sec_id >= ${text} and sec_id < ${text + LAST} and cusip is not null`

async function idsOf(sql: Sql, condition: Fragment): Promise<string[]> {
  const rows = await sql<{ sec_id: string }[]>`
    select sec_id from securities.security where ${condition} limit ${OF_ISSUER}`
  return rows.map(({ sec_id }) => sec_id)
}
