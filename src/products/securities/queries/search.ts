/** SQL of the search for securities: by number, ticker and name. */
import { filterOf, type Named, searchNames, wordsFilter } from '../../../names.ts'
import { isCompanyId } from '../../../read/company-name.ts'
import { containing, fold } from '../../../read/fold.ts'
import { cusipOfIsin, validIsin } from '../../../read/securityid.ts'
import { countOf } from '../../../serve/count.ts'
import { cut, type Key, orderBy, type Paged, rangesOf, type Start, startOf } from '../../../serve/keyset.ts'
import { unnamed } from '../../../serve/page.ts'
import { byTicker, type Traded, type Way } from '../../../serve/traded.ts'
import type { Fragment, Sql } from '../../../store/db.ts'
import type { SecurityPage } from '../answers.ts'
import { beginning, securitiesOf } from './ids.ts'

/**
 * Names of companies, present and former. The slice `companies` publishes these names, and stores them in these `bands`
 * of importance.
 */
export const COMPANY_NAMES: Named = {
  ...{ table: 'pub.companies_name', dictionary: 'pub.companies_word', key: 'cik', importance: 'weight' },
  ...{ decades: [0, 7], bands: [3, 10, 40, 200, 1000, 10_000], hasPlaces: false },
}

export const SORTS = ['value', 'f13_holders', 'fund_count', 'name'] as const

interface SearchParams extends Paged {
  /** Typed text: a name, or an identifier of a security or its issuer. */
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

const keysOf = ({ sort, dir }: Pick<SearchParams, 'sort' | 'dir'>): Key[] => [
  { ...COLUMNS[sort], dir },
  { column: 'sec_id', dir, type: 'text' },
]

type Row = SecurityPage['rows'][number]
type RankedRow = Row & { name_key: string; place: number }

/**
 * Returns a page of securities. An identifier finds only the security or the issuer's securities; any other text is a
 * name or a ticker.
 */
export async function search(sql: Sql, { q, type, sort, dir, ...paged }: SearchParams): Promise<SecurityPage> {
  const own = keysOf({ sort, dir })
  const keys: Key[] = q === undefined ? own : [{ column: 'place', dir: 'asc', type: 'count' }, ...own]
  const start = startOf({ list: 'securities', sort, dir, keys, filters: { q, type } }, paged)
  const traded = q === undefined ? null : await byTicker(sql, q)
  const ways = q === undefined ? [{ found_by: null, condition: sql`true` }] : await waysOf(sql, q, traded)
  const ofType = type === undefined ? sql`true` : type === 'private' ? sql`s.is_private` : sql`not s.is_private`
  let found = await page(sql, start, own, ways, ofType)
  let by: readonly Way[] = ways
  if (found.length === 0 && q !== undefined && !traded && !(await isAny(sql, ways))) {
    by = await nearly(sql, q)
    found = await page(sql, start, own, by, ofType)
  }
  const { rows, ...next } = cut(start, found, await countOf(sql, start, matching(sql, by, ofType)))
  return { rows: rows.map(({ name_key: _, place: __, ...row }) => row), ...next }
}

/** SQL, from the keyword `from` on, of all rows that match. A security that is found in several ways is one row. */
const matching = (sql: Sql, ways: readonly Way[], ofType: Fragment): Fragment => sql`
  from securities.security s where ${ofType} and ${anyOf(sql, ways)}`

const anyOf = (sql: Sql, ways: readonly Way[]): Fragment =>
  ways.length === 0 ? sql`false` : sql`(false ${ways.map(({ condition }) => sql`or (${condition})`)})`

async function page(sql: Sql, start: Start, own: readonly Key[], ways: readonly Way[], ofType: Fragment) {
  const order = sql.unsafe(orderBy(own, 's.'))
  const parts = ways.flatMap(({ found_by, condition }, place) => {
    const range = rangeAt(sql, start, own, place)
    if (range === null) return []
    return sql`(
      select s.*, ${place}::int as place, ${found_by}::text as found_by from securities.security s
      where ${condition} and ${ofType} and ${range} order by ${order} limit ${start.rowsMax + start.offset})`
  })
  if (parts.length === 0) return []
  return unnamed(sql<RankedRow[]>`
    select s.sec_id, s.cusip, s.is_private, s.issuer_name, s.title_of_class, s.asset_cat, s.isin, s.lei, s.ticker, s.cik,
      ${ofSource(sql, 'f13', 'f13_holders', 'f13_value')}, ${ofSource(sql, 'nport', 'fund_count', 'nport_value')},
      ${ofSource(sql, 'nmfp', 'mmf_count', 'nmfp_value')}, s.combined_value::text as combined_value,
      ${companyOf(sql)}, s.found_by, s.name_key, s.place
    from (
      select * from (${parts.map((part, at) => (at > 0 ? sql` union all ${part}` : part))}) s
      order by s.place, ${order} limit ${start.rowsMax} offset ${start.offset}
    ) s
    order by s.place, ${order}`)
}

/**
 * Returns the condition for the rows of one way of matching (`place`) that come after the previous page; null if all of
 * these rows came before.
 */
function rangeAt(sql: Sql, start: Start, own: readonly Key[], place: number): Fragment | null {
  const { after, walk } = start
  if (after === null || walk.keys.length === own.length) return rangesOf(sql, start, 's.')[0]!
  const [at, ...values] = after
  if (place < Number(at)) return null
  if (place > Number(at)) return sql`true`
  return rangesOf(sql, { ...start, walk: { ...walk, keys: own }, after: values }, 's.')[0]!
}

/** Columns about the company of a security `s`. */
export const companyOf = (sql: Sql): Fragment => sql`
  coalesce(
    (select a.company_name from securities.alias a where a.sec_id = s.sec_id),
    (select b.company_name from pub.identifiers_best b where b.cusip = s.cusip)) as company_name,
  (select a.company_id from securities.alias a where a.sec_id = s.sec_id) as company_id,
  '/v1/companies/' || s.cik as company_url`

/** If no report of the source is loaded, the figures are null and not zero. */
const ofSource = (sql: Sql, source: string, holders: string, value: string): Fragment => {
  const isLoaded = sql`exists (select from securities.span where source = ${source})`
  return sql`
    case when ${isLoaded} then s.${sql(holders)} end as ${sql(holders)},
    case when ${isLoaded} then s.${sql(value)}::text end as ${sql(value)}`
}

/**
 * Returns the ways in which the typed text finds securities; a number finds them in only one way. Fragments are wrapped
 * in objects, because a promise that resolves to a bare fragment would run it as a statement.
 */
async function waysOf(sql: Sql, q: string, traded: Traded | null): Promise<Way[]> {
  const numbered = await byNumber(sql, q)
  if (numbered.length > 0) return [{ found_by: 'number', condition: sql`s.sec_id = any(${numbered})` }]
  if (traded === null) return byName(sql, q)
  if (traded.isCertain) return traded.ways
  const known = traded.ways.map(({ condition }) => condition)
  const names = (await byName(sql, q)).map(({ found_by, condition }) => ({
    found_by,
    condition: sql`${condition} and (${known.map((each, at) => (at > 0 ? sql` or ${each}` : each))}) is not true`,
  }))
  const [first] = traded.ways
  return first?.found_by === 'former_ticker' ? [...names, ...traded.ways] : [...traded.ways, ...names]
}

async function byName(sql: Sql, q: string): Promise<Way[]> {
  const words = wordsFilter(q)
  if (words === null) return []
  const named = (condition: Fragment): Way => ({ found_by: 'name', condition })
  const name = sql`s.name_words @@ ${words}::tsquery`
  // If a text has too few consecutive letters, no index can find the names that contain it, and it matches too many
  // companies.
  if (!LETTERS.test(q)) return [named(name)]
  const [others, called] = await Promise.all([ofCompany(sql, name), ofCompaniesCalled(sql, q)])
  const more = others.length > 0 ? sql`or s.sec_id = any(${others})` : sql``
  const own = sql`(${name} or s.name_key like ${containing(q)} ${more})`
  if (called.length === 0) return [named(own)]
  return [named(own), { found_by: 'company', condition: sql`s.sec_id = any(${called}) and ${own} is not true` }]
}

const LETTERS = /[\p{L}\p{N}]{3}/u

async function isAny(sql: Sql, ways: readonly Way[]): Promise<boolean> {
  for (const { condition } of ways) {
    const [row] = await sql`select from securities.security s where ${condition} limit 1`
    if (row) return true
  }
  return false
}

/**
 * Maximum number of private securities of the companies that a name may mean; if there are more, the name identifies no
 * company.
 */
const OF_COMPANY = 1_000

/**
 * Finds private securities whose company has a matching name: funds use many names for one company, and hold it through
 * vehicles.
 */
async function ofCompany(sql: Sql, name: Fragment): Promise<string[]> {
  const rows = await sql<{ sec_id: string }[]>`
    select distinct other.sec_id from securities.security s
    join securities.alias own using (sec_id) join securities.alias other using (issuer)
    where s.is_private and ${name} limit ${OF_COMPANY + 1}`
  return rows.length > OF_COMPANY ? [] : rows.map(({ sec_id }) => sec_id)
}

/** If this many names or more match, the word is common and identifies no company. */
const CALLED = 200

/** Finds securities of companies with a present or former name that matches all words: Google is Alphabet. */
async function ofCompaniesCalled(sql: Sql, q: string): Promise<string[]> {
  const { words, least } = await filterOf(sql, COMPANY_NAMES, fold(q))
  if (words === null || least >= CALLED) return []
  const rows = await sql<{ cik: string }[]>`
    select distinct n.cik from pub.companies_name n where ${words(sql)} limit ${CALLED}`
  return rows.length < CALLED
    ? ofCiks(
        sql,
        rows.map(({ cik }) => cik),
      )
    : []
}

/** Number of companies with similar names whose securities are shown if nothing else is found. */
const NEAR_COMPANIES = 5
/**
 * Number of similar names to read. It is larger than the number of companies that are shown, since few filers of EDGAR
 * have securities with holders.
 */
const NEAR_READ = 50

async function nearly(sql: Sql, q: string): Promise<Way[]> {
  if (!LETTERS.test(q)) return []
  const ciks = await searchNames(sql, COMPANY_NAMES, q, NEAR_READ)
  const held = await sql<{ cik: string }[]>`select distinct cik from securities.security where cik = any(${ciks})`
  const best = ciks.filter((cik) => held.some((row) => row.cik === cik)).slice(0, NEAR_COMPANIES)
  const ids = await ofCiks(sql, best)
  return ids.length > 0 ? [{ found_by: 'near', condition: sql`s.sec_id = any(${ids})` }] : []
}

const ofCiks = (sql: Sql, ciks: readonly string[]): Promise<string[]> =>
  ciks.length > 0 ? idsOf(sql, sql`cik = any(${ciks as string[]})`) : Promise.resolve([])

/** Maximum number of securities that are returned for one issuer: banks have issued thousands of notes. */
const OF_ISSUER = 5_000

/**
 * Returns the ids of securities with the typed CUSIP, ISIN, LEI, id or CIK, or with a CUSIP that begins with the typed
 * text.
 */
export async function byNumber(sql: Sql, typed: string): Promise<string[]> {
  const [, kind, text] = /^(?:(cusip|isin|lei|cik)[\s:#]+)?(.*)$/is.exec(typed) as unknown as [
    string,
    string | undefined,
    string,
  ]
  const upper = text.toUpperCase()
  // Numbers may be printed in groups: "037833 10 0", "US 037833 100 5".
  const joined = upper.replace(/[\s-]/g, '')
  const isin = validIsin(joined)
  if (isin !== null)
    return idsOf(sql, sql`sec_id = any(${[cusipOfIsin(isin) ?? '', `isin~${isin}`]}) or isin = ${isin}`)
  if (/^\d{1,10}$/.test(text) && (kind?.toLowerCase() === 'cik' || text.length === 10)) {
    return idsOf(sql, sql`cik = ${text.padStart(10, '0')}`)
  }
  if (isCompanyId(text)) return securitiesOf(sql, text, OF_ISSUER)
  if (/^(isin|name)~/.test(text)) return idsOf(sql, sql`sec_id = ${text}`)
  if (/^[A-Z0-9]{9}$/.test(joined)) {
    const own = await idsOf(sql, sql`sec_id = ${joined}`)
    if (own.length > 0) return own
  }
  const begins = /^[A-Z0-9]{6}[\s-][A-Z0-9]{2}$/.test(upper) ? joined : upper
  if (/^(?=.*\d)[A-Z0-9]{6,8}$/.test(begins)) {
    const begun = await idsOf(sql, beginning(sql, begins))
    if (begun.length > 0) return begun
  }
  if (/^[A-Z0-9]{18}\d\d$/.test(upper)) return idsOf(sql, sql`lei = ${upper}`)
  if (/^\d{1,9}$/.test(text)) return idsOf(sql, sql`cik = ${text.padStart(10, '0')}`)
  return []
}

async function idsOf(sql: Sql, condition: Fragment): Promise<string[]> {
  const rows = await sql<{ sec_id: string }[]>`
    select sec_id from securities.security where ${condition} limit ${OF_ISSUER}`
  return rows.map(({ sec_id }) => sec_id)
}
