/** Returns one filing of Form N-PORT with a page of its holdings. */
import { apiError } from '../../declare/api-errors.ts'
import { storedQuarter } from '../../declare/quarter.ts'
import { amendedColumn } from '../../serve/amended.ts'
import { otherFilings } from '../../serve/filings-of.ts'
import { decodeCursor, encodeCursor } from '../../serve/page.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import type { Detail, Line, More } from './answers.ts'
import { nportAmended } from './views.ts'

interface DetailParams {
  accession: string
  limit: number
  paginate?: 'cursor' | undefined
  cursor?: string | undefined
}

/** Columns of a holding `h` and its security `s` in answers. */
export const lineColumns = (sql: Sql): Fragment => sql`
  h.n, h.sec_id, h.value, h.balance, h.units, h.units_other, h.currency, h.exchange_rate, h.percent, h.payoff,
  h.fair_value_level, h.is_restricted, h.is_private, h.in_names_basket, s.cusip, s.cusip_flag, s.isin, s.ticker, s.lei,
  s.issuer_name, s.title_of_class, s.asset_cat, s.asset_description, s.issuer_cat, s.issuer_description, s.country,
  s.risk_country`

/** Returns one filing with its data about the fund, and a page of its holdings; null if unknown. */
export async function detail(sql: Sql, { accession, limit, cursor }: DetailParams): Promise<Detail | null> {
  const after = cursor === undefined ? 0 : lineAfter(cursor, accession)
  const [row] = await sql<[Row?]>`
    select r.*, ${amendedColumn(sql, nportAmended, 'r')}, r.fund is not null and r.period is not null and not exists (
        select from nport.report o
        where o.fund = r.fund and o.period = r.period and (o.filed_date, o.accession) > (r.filed_date, r.accession)
      ) as is_counted,
      ${otherFilings(sql, 'r', {
        slug: 'nport',
        table: 'nport.report',
        amended: nportAmended,
        facts: sql`t.period, t.fund_name, t.net_assets::text as net_assets, t.holding_count`,
      })} as other_filings
    from nport.report r where r.accession = ${accession}`
  if (!row) return null
  const { name_key: _, name_words: __, is_counted, other_filings, ...filing } = row
  const quarter = storedQuarter(filing.period)
  const several = async <T extends object>(table: string): Promise<T[]> => [
    ...(await sql<T[]>`select t.* from ${sql(`nport.${table}`)} t where accession = ${accession} order by 1, 2`),
  ]
  const [found, [quality], flows, returns, gains, risks, borrowers, collateral, notes] = await Promise.all([
    sql<Line[]>`
      select ${lineColumns(sql)} from nport.holding h join nport.security s using (security)
      where h.accession = ${accession} and h.quarter = ${quarter} and h.n > ${after}
      order by h.n limit ${limit + 1}`,
    sql<
      [Detail['quality'] & { accession: string; filed_date: string }]
    >`select * from nport.quality where accession = ${accession}`,
    several<Detail['flows'][number]>('flow'),
    several<Detail['returns'][number]>('class_return'),
    several<Detail['gains'][number]>('gain'),
    several<Detail['rate_risks'][number]>('rate_risk'),
    several<Detail['borrowers'][number]>('borrower'),
    several<Detail['collateral'][number]>('collateral'),
    several<Detail['notes'][number]>('note'),
  ])
  const page = found.slice(0, limit)
  const last = page.at(-1)?.n ?? 0
  const more = await moreOf(sql, { accession, quarter, after, last })
  return {
    filing,
    is_counted,
    quality: without(quality!, 'accession', 'filed_date'),
    flows: flows.map((one) => without(one, 'accession')),
    ...listed({ returns, gains, rate_risks: risks, borrowers, collateral, notes }),
    holdings: page.map((line) => ({ ...line, more: more.get(line.n) ?? {} })),
    next_cursor: found.length > limit ? encodeCursor([accession, String(last)]) : null,
    other_filings,
  }
}

type Row = Detail['filing'] & { name_key: string; name_words: string } & Pick<Detail, 'is_counted' | 'other_filings'>

function without<T extends object>(row: T, ...names: string[]): T {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))) as T
}

/** Removes the accession and position from rows of a filing's lists. */
function listed<T extends Record<string, readonly object[]>>(lists: T): { [K in keyof T]: T[K][number][] } {
  return Object.fromEntries(
    Object.entries(lists).map(([name, rows]) => [name, rows.map((row) => without(row, 'accession', 'position'))]),
  ) as never
}

function lineAfter(cursor: string, accession: string): number {
  const [of, n] = decodeCursor(cursor, 2)
  if (of !== accession || !/^\d{1,9}$/.test(n ?? ''))
    throw apiError('invalid_cursor', { reason: 'not a next_cursor of this filing' })
  return Number(n)
}

/**
 * By table: the member of an answer, whether a holding has at most one row, and whether the table is stored by quarter.
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

/** Returns the side rows of a page's holdings, by holding number; found by their keys. */
async function moreOf(
  sql: Sql,
  { accession, quarter, after, last }: { accession: string; quarter: string; after: number; last: number },
): Promise<Map<number, More>> {
  const by = new Map<number, Record<string, unknown>>()
  const tables = await Promise.all(
    SIDES.map(
      ([table, , , isParted]) => sql<{ n: number }[]>`
        select * from ${sql(`nport.${table}`)}
        where accession = ${accession} and n > ${after} and n <= ${last}
          ${isParted ? sql`and quarter = ${quarter}` : sql``}
        order by 1, 2, 3`,
    ),
  )
  for (const [at, [, member, isOne]] of SIDES.entries()) {
    for (const row of tables[at]!) {
      const of = by.get(row.n) ?? {}
      by.set(row.n, of)
      const stated = without(row, 'accession', 'n', 'quarter')
      if (isOne) of[member] = stated
      else of[member] = [...((of[member] as unknown[]) ?? []), stated]
    }
  }
  return by as Map<number, More>
}
