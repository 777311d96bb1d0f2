/**
 * Finds the company of a ticker in the SEC's lists, in companies' own files, in Forms 3, 4 and 5, and in the reports of
 * funds.
 */
import { spellings, type Ticker } from '../read/ticker.ts'
import type { Sql } from '../store/db.ts'

export const TICKER_STATES = ['listed', 'filed', 'former'] as const

export interface TickerOwner {
  cik: string
  ticker: string
  /**
   * `listed`: a list or the company's file has the ticker now. `filed`: only filings name the ticker. `former`: the
   * company had the ticker before.
   */
  state: (typeof TICKER_STATES)[number]
  source: string
  last_seen: string | null
}

/** Maximum number of companies of one ticker; some tickers have had a dozen companies. */
const OWNERS_MAX = 100

/**
 * Returns the companies that have or had the ticker. The companies that have it now come first. If the ticker can be
 * read in several ways, the first way that finds a company is used.
 */
export async function ownersOf(
  sql: Sql,
  readings: readonly Ticker[],
): Promise<{ reading: Ticker; owners: TickerOwner[] } | null> {
  for (const reading of readings) {
    const owners = await ownersOfOne(sql, reading)
    if (owners.length > 0) return { reading, owners }
  }
  return null
}

const ownersOfOne = (sql: Sql, ticker: Ticker) => sql<TickerOwner[]>`
  select cik, ticker, state, source, last_seen::text as last_seen
  from (
    select distinct on (cik) *
    from (
      select cik, ticker, source, last_seen, case when gone_on is null then 'listed' else 'former' end as state,
        case when gone_on is null then 0 else 2 end as place
      from pub.companies_ticker where ticker = any(${spellings(ticker)})
      union all
      select cik, ticker, 'insiders', last_seen, case when is_newest then 'filed' else 'former' end,
        case when is_newest then 1 else 3 end
      from pub.identifiers_symbol where ticker_key = ${ticker.key}
      union all
      select b.cik, i.value, 'funds', i.last_seen, 'filed', 4
      from pub.identifiers_security i join pub.identifiers_best b using (cusip)
      where i.kind = 'ticker' and i.value = any(${spellings(ticker)}) and i.confidence >= 0.5 and b.cik is not null
    ) named
    order by cik, place, last_seen desc
  ) owner
  order by place, last_seen desc, cik limit ${OWNERS_MAX}`

/**
 * Returns the tickers that these companies have today. With them, the caller can exclude the securities that have
 * another ticker of the same company.
 */
export async function symbolsOf(sql: Sql, ciks: readonly string[]): Promise<{ cik: string; ticker: string }[]> {
  return sql<{ cik: string; ticker: string }[]>`
    select cik, ticker from pub.companies_ticker where cik = any(${ciks as string[]}) and gone_on is null
    union
    select cik, ticker from pub.identifiers_symbol where cik = any(${ciks as string[]}) and is_newest`
}
