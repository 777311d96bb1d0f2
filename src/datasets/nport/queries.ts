/** Returns one filing of Form N-PORT with a page of its holdings. */
import type { z } from 'zod'
import type { DetailParams } from '../../declare/details.ts'
import { storedQuarter } from '../../declare/quarter.ts'
import { detailOf, facts, lineAfter, otherFilings, pageOf, rowIn, rowsIn, value } from '../../serve/details.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import { isCounted, type Line, type More, type Page, page } from './answers.ts'
import * as tables from './tables.ts'
import { nportAmended } from './views.ts'

/** Columns of a holding `h` and its security `s` in answers. */
export const lineColumns = (sql: Sql): Fragment => sql`
  h.n, h.sec_id, h.value, h.balance, h.units, h.units_other, h.currency, h.exchange_rate, h.percent, h.payoff,
  h.fair_value_level, h.is_restricted, h.is_private, h.in_names_basket, s.cusip, s.cusip_flag, s.isin, s.ticker, s.lei,
  s.issuer_name, s.title_of_class, s.asset_cat, s.asset_description, s.issuer_cat, s.issuer_description, s.country,
  s.risk_country`

/**
 * Returns a page of the holdings. The query is written by hand, because it filters by the quarter, which prunes
 * partitions, and joins the securities.
 */
async function pageOfHoldings(sql: Sql, params: DetailParams, period: string | null): Promise<Page> {
  const { accession, limit } = params
  const after = lineAfter(params)
  const quarter = storedQuarter(period)
  const found = await sql<Line[]>`
    select ${lineColumns(sql)} from nport.holding h join nport.security s using (security)
    where h.accession = ${accession} and h.quarter = ${quarter} and h.n > ${after}
    order by h.n limit ${limit! + 1}`
  const { lines, next_cursor } = pageOf(params, found, 'n')
  const more = await moreOf(sql, { accession, quarter, after, last: lines.at(-1)?.n ?? 0 })
  return { holdings: lines.map((line) => ({ ...line, more: more.get(line.n) ?? {} })), next_cursor }
}

const ofReport = ['position'] as const

export const detail = detailOf(
  tables.report,
  'NportDetail',
  {
    filing: facts(tables.report, { id: 'NportReport', amended: nportAmended }),
    is_counted: value(
      isCounted,
      (sql) => sql`filing.fund is not null and filing.period is not null and not exists (
        select from nport.report o where o.fund = filing.fund and o.period = filing.period
          and (o.filed_date, o.accession) > (filing.filed_date, filing.accession))`,
    ),
    quality: rowIn(tables.quality, {
      id: 'NportQuality',
      says: 'How much of the document was understood, and whether its holdings add up to the stated totals',
    }),
    flows: rowsIn(tables.flow, { id: 'NportFlow' }),
    returns: rowsIn(tables.class_return, { id: 'NportReturn', omit: ofReport }),
    gains: rowsIn(tables.gain, { id: 'NportGain', omit: ofReport }),
    rate_risks: rowsIn(tables.rate_risk, { id: 'NportRateRisk', omit: ofReport }),
    borrowers: rowsIn(tables.borrower, { id: 'NportBorrower', omit: ofReport }),
    collateral: rowsIn(tables.collateral, { id: 'NportCollateral', omit: ofReport }),
    notes: rowsIn(tables.note, { id: 'NportNote', omit: ofReport }),
    ...page.shape,
    other_filings: otherFilings(tables.report, {
      id: 'NportFilingRow',
      says: 'Up to 200 other filings of this family by the registrant, newest first',
      facts: ['period', 'fund_name', 'net_assets', 'holding_count'],
      amended: nportAmended,
    }),
  },
  (sql, { filing }, params) => pageOfHoldings(sql, params, filing.period),
)

export type Detail = z.infer<typeof detail.answer>

/**
 * The side tables. For each: the member of an answer that has its rows, whether a holding has at most one row, and
 * whether the table is stored by quarter.
 */
const SIDES = [
  ['identifier', 'identifiers', false, true],
  ['debt', 'debt', true, true],
  ['conversion', 'conversions', false, false],
  ['derivative', 'derivatives', false, false],
  ['reference', 'references', false, false],
  ['leg', 'legs', false, false],
  ['counterparty', 'counterparties', false, false],
  ['repurchase', 'repurchase', true, false],
  ['repurchase_collateral', 'repurchase_collateral', false, false],
  ['lending', 'lending', true, false],
  ['liquidity', 'liquidity', false, false],
] as const

/**
 * Returns the rows of side tables for the holdings of a page, by the number of the holding. Finds these rows by their
 * keys.
 */
async function moreOf(
  sql: Sql,
  { accession, quarter, after, last }: { accession: string; quarter: string; after: number; last: number },
): Promise<Map<number, More>> {
  const by = new Map<number, Record<string, unknown>>()
  const found = await Promise.all(
    SIDES.map(
      ([table, , , isParted]) => sql<{ n: number }[]>`
        select * from ${sql(`nport.${table}`)}
        where accession = ${accession} and n > ${after} and n <= ${last}
          ${isParted ? sql`and quarter = ${quarter}` : sql``}
        order by 1, 2, 3`,
    ),
  )
  for (const [at, [, member, isOne]] of SIDES.entries()) {
    for (const row of found[at]!) {
      const of = by.get(row.n) ?? {}
      by.set(row.n, of)
      const { accession: _, n: __, quarter: ___, ...stated } = row as typeof row & Record<string, unknown>
      if (isOne) of[member] = stated
      else of[member] = [...((of[member] as unknown[]) ?? []), stated]
    }
  }
  return by as Map<number, More>
}
