/**
 * Stores the tickers that Forms 3, 4 and 5 name: filers write "NYSE: JPM", "BRK.A, BRK.B" and "brk/b" into one field.
 */
import { spellings, statedTickers } from '../../read/ticker.ts'
import type { Transaction } from '../../store/db.ts'

/** Number of rows inserted at once. */
const BATCH = 5_000

interface Stated {
  cik: string
  ticker: string
  first_seen: string
  last_seen: string
  reports: number
}

type Symbol = Stated & { ticker_key: string; is_newest: boolean }

/** Rewrites the tickers of these companies; null means all. */
export async function makeSymbols(tx: Transaction, ciks: readonly string[] | null): Promise<void> {
  if (ciks?.length === 0) return
  const of = ciks as string[] | null
  await tx`delete from symbol where ${of === null ? tx`true` : tx`cik = any(${of})`}`
  const stated = await tx<Stated[]>`
    select issuer_cik as cik, ticker, min(filed_date)::text as first_seen, max(filed_date)::text as last_seen,
      count(*)::int as reports
    from pub.ownership_report
    where ticker is not null and ${of === null ? tx`issuer_cik is not null` : tx`issuer_cik = any(${of})`}
    group by issuer_cik, ticker order by issuer_cik, last_seen, ticker`
  const made = [...Map.groupBy(stated, ({ cik }) => cik).values()].flatMap(symbolsOf)
  for (let at = 0; at < made.length; at += BATCH) {
    await tx`
      insert into symbol (cik, ticker_key, ticker, first_seen, last_seen, reports, is_newest)
      select cik, ticker_key, ticker, first_seen, last_seen, reports, is_newest
      from jsonb_to_recordset(${tx.json(made.slice(at, at + BATCH) as never)}) as s (
        cik text, ticker_key text, ticker text, first_seen date, last_seen date, reports int, is_newest boolean)`
  }
}

/** @param stated tickers of one company, each with the day on which it was last named */
function symbolsOf(stated: readonly Stated[]): Symbol[] {
  const found = new Map<string, Symbol>()
  for (const { ticker, ...row } of stated) {
    for (const each of statedTickers(ticker)) {
      const before = found.get(each.key)
      found.set(each.key, {
        ...{
          cik: row.cik,
          ticker_key: each.key,
          ticker: spellings(each)[0]!,
          last_seen: row.last_seen,
          is_newest: false,
        },
        first_seen: before && before.first_seen < row.first_seen ? before.first_seen : row.first_seen,
        reports: (before?.reports ?? 0) + row.reports,
      })
    }
  }
  const newest = [...found.values()].reduce((last, each) => (each.last_seen > last ? each.last_seen : last), '')
  return [...found.values()].map((each) => ({ ...each, is_newest: each.last_seen === newest }))
}
