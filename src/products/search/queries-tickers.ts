/** SQL that finds things by ticker, current or former, in any spelling. */
import { spellings, tickersOf } from '../../read/ticker.ts'
import { unnamed } from '../../serve/page.ts'
import { ownersOf } from '../../serve/tickers.ts'
import { byTicker as securitiesOf } from '../../serve/traded.ts'
import type { Sql } from '../../store/db.ts'
import type { Hit } from './kinds.ts'
import { coded } from './queries-ids.ts'

/** Maximum number of securities of one ticker. */
const SECURITIES_MAX = 10

/** Matches signs that only tickers have: a dollar sign in front, or the exchange with a colon. */
const MARKED = /^\s*\$|:/

/**
 * Returns the funds, companies and securities that have or had the ticker. Those that have it now come first. A search
 * for one class of shares never returns another class.
 */
export async function byTicker(sql: Sql, q: string): Promise<{ hits: Hit[]; isCertain: boolean }> {
  const readings = tickersOf(q)
  if (readings.length === 0) return { hits: [], isCertain: false }
  const [companies, traded, funds] = await Promise.all([
    ownersOf(sql, readings),
    securitiesOf(sql, q),
    fundsOf(
      sql,
      readings.map((reading) => spellings(reading)),
    ),
  ])
  const owners = (companies?.owners ?? []).map(
    ({ cik, state }): Hit => ({ kind: 'company', key: cik, matched: state === 'former' ? 'former_ticker' : 'ticker' }),
  )
  const securities: Hit[] = []
  for (const { found_by, condition, hasOthers } of traded?.ways ?? []) {
    const rows = await unnamed(sql`
      select sec_id from pub.securities_security s where ${condition}
      order by combined_value desc, sec_id limit ${SECURITIES_MAX}`)
    // If the company has several securities or tickers, it is unknown which class has this ticker, and the first class
    // might be the wrong one.
    if (found_by !== 'ticker' && (rows.length > 1 || hasOthers)) continue
    const matched = found_by === 'former_ticker' ? 'former_ticker' : 'ticker'
    securities.push(...rows.map(({ sec_id }): Hit => ({ kind: 'security', key: String(sec_id), matched })))
  }
  const all = [...funds, ...owners, ...securities]
  const hits = [
    ...all.filter(({ matched }) => matched === 'ticker'),
    ...all.filter(({ matched }) => matched === 'former_ticker'),
  ]
  return { hits, isCertain: MARKED.test(q) || (traded?.isCertain ?? false) }
}

/** Returns the funds that have or had the ticker, by the first reading of the text for which there is any fund. */
async function fundsOf(sql: Sql, readings: readonly string[][]): Promise<Hit[]> {
  for (const codes of readings) {
    const found = [...(await coded(sql, codes, 'ticker')), ...(await coded(sql, codes, 'former_ticker'))]
    if (found.length > 0) return found
  }
  return []
}
