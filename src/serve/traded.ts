/**
 * Makes SQL that finds securities by ticker: the class that has the ticker, or all securities of the company if the
 * class is unknown.
 */
import { spellings, type Ticker, tickersOf } from '../read/ticker.ts'
import type { Fragment, Sql } from '../store/db.ts'
import { ownersOf, symbolsOf } from './tickers.ts'

/** How a typed text finds a security. */
export const WAYS = ['number', 'ticker', 'ticker_of_company', 'former_ticker', 'name', 'company', 'near'] as const

/**
 * Securities that the typed text finds in one way, which `found_by` names. The answer lists the securities of the first
 * way, then those of the second, and so on.
 */
export interface Way {
  found_by: (typeof WAYS)[number] | null
  condition: Fragment
  /**
   * Whether the company has other tickers than the typed one. Then even a single security that meets the condition may
   * be the security of another ticker.
   */
  hasOthers?: boolean
}

export interface Traded {
  ways: Way[]
  /** Whether the typed text has the form of a ticker of a class and cannot be a name: JPM-PC. */
  isCertain: boolean
}

/**
 * Returns the forms in which a ticker may be stored: the form with its structure (BRK.B), and the joined form that
 * funds write (BRKB).
 */
const formsOf = (ticker: Ticker): string[] => [
  ...new Set([ticker.key, ...spellings(ticker).map((text) => text.replace(/[^A-Z0-9]/g, ''))]),
]

/**
 * Returns the securities that a ticker may mean; null if neither a security nor a company has the ticker. Skips a
 * security that has another ticker of the company.
 */
export async function byTicker(sql: Sql, q: string): Promise<Traded | null> {
  const readings = tickersOf(q)
  const isWritten = readings[0] !== undefined && readings[0].kind !== 'plain' && !/^\w+ \w+$/.test(q.trim())
  // The structure of tickers of other markets, such as VOD LN, is unknown.
  const keys = readings.length > 0 ? readings.map(({ key }) => key) : [q.toUpperCase().replace(/[^A-Z0-9]/g, '')]
  for (const key of keys) {
    const [known] = await sql`select from pub.securities_security where ticker_key = ${key} limit 1`
    if (known) return { ways: [{ found_by: 'ticker', condition: sql`s.ticker_key = ${key}` }], isCertain: isWritten }
  }
  const found =
    (await ownersOf(sql, readings)) ??
    (isWritten ? await ownersOf(sql, tickersOf(readings[0]!.root).slice(0, 1)) : null)
  if (!found) return null
  const reading = isWritten ? readings[0]! : found.reading
  const current = found.owners.filter(({ state }) => state !== 'former')
  if (current.length === 0) {
    const ciks = found.owners.map(({ cik }) => cik)
    return { ways: [{ found_by: 'former_ticker', condition: sql`s.cik = any(${ciks})` }], isCertain: isWritten }
  }
  const ciks = current.map(({ cik }) => cik)
  const own = formsOf(reading)
  const listed = await symbolsOf(sql, ciks)
  const others = listed.flatMap(({ ticker }) => tickersOf(ticker).slice(0, 1).flatMap(formsOf))
  const another = others.filter((form) => !own.includes(form))
  const ofReading = sql`s.cik = any(${ciks}) and s.ticker_key = any(${own})`
  const [known] = await sql`select from pub.securities_security s where ${ofReading} limit 1`
  if (known) return { ways: [{ found_by: 'ticker', condition: ofReading }], isCertain: isWritten }
  const unknown = sql`
    s.cik = any(${ciks}) and (s.ticker_key is null or s.ticker_key <> all(${another})) and ${mayBe(sql, reading)}`
  return {
    ways: [
      { found_by: 'ticker_of_company', condition: unknown, hasOthers: reading.kind === 'plain' && another.length > 0 },
    ],
    isCertain: isWritten,
  }
}

/** Tests whether a security `s` is known to have the ISIN, in its id or by the identifiers of its CUSIP. */
export const ofIsin = (sql: Sql, isin: string): Fragment => sql`
  s.sec_id = any(array(
    select cusip from pub.identifiers_security where kind = 'isin' and value = ${isin} and confidence >= 0.5
    union all select ${`isin~${isin}`}::text))`

/** Excludes securities whose title or category contradicts the kind of the ticker. */
function mayBe(sql: Sql, { kind, series }: Ticker): Fragment {
  const title = sql`coalesce(s.title_of_class, '')`
  const isPreferred = sql`(${title} ~* '\\m(pfd|prf|pref|preferred|dep(ositary)? ?sh)' or s.asset_cat = 'EP')`
  const isCommon = sql`(not ${isPreferred} and (s.asset_cat = 'EC' or ${title} ~* '^(com|common|cl|class|ord|cap|shs)\\M'))`
  const isOther = sql`(${title} ~* '\\m(wts?|warrants?|rights?|rts?|units?|notes?|bonds?)\\M' or s.asset_cat = 'DBT')`
  if (kind === 'plain') return sql`true`
  if (kind === 'preferred') return sql`not ${isCommon} and (${isPreferred} or not ${isOther})`
  if (kind !== 'class') return sql`not ${isCommon} and not ${isPreferred}`
  return sql`not ${isPreferred} and not ${isOther}
    and coalesce(substring(lower(${title}) from '\\mcl(?:ass)? ([a-z])\\M'), lower(${series})) = lower(${series})`
}
