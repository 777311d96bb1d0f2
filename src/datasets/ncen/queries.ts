/** Queries one report with a page of its funds, the providers of a report, and one registrant with all its funds. */
import type { z } from 'zod'
import { amendedColumn } from '../../serve/amended.ts'
import {
  detailOf,
  each,
  facts,
  lineAfter,
  nextLines,
  oneIn,
  otherFilings,
  pageOf,
  rowsIn,
  value,
} from '../../serve/details.ts'
import { notInSets, notLoaded } from '../../serve/loaded.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import { fundCount, isCounted, type ProviderPage, type Registrant, roles } from './answers.ts'
import * as funds from './tables/fund.ts'
import { adviser } from './tables/provider.ts'
import * as rest from './tables/rest.ts'
import * as tables from './tables.ts'
import { ncenAmended } from './views.ts'

const omit = ['n'] as const
const ofFund = { by: 'fund', omit } as const

const etfs = each(rest.etf, { ...ofFund, id: 'NcenEtf' })

export const detail = detailOf(
  tables.report,
  'NcenDetail',
  {
    filing: facts(tables.report, { id: 'NcenReport', amended: ncenAmended }),
    persons: rowsIn(tables.person, { id: 'NcenPerson', says: 'Directors and chief compliance officers', omit }),
    offices: rowsIn(tables.office, { id: 'NcenOffice', says: 'Offices where books and records are kept', omit }),
    terminated_series: rowsIn(tables.terminated_series, { id: 'NcenTerminatedSeries', omit }),
    series_matters: rowsIn(tables.series_matter, { id: 'NcenSeriesMatter', omit }),
    valuation_changes: rowsIn(tables.valuation_change, { id: 'NcenValuationChange', omit }),
    closed_end: oneIn(rest.closed_end, { id: 'NcenClosedEnd', says: 'Part D; null if it is not answered' }),
    unit_trust: oneIn(rest.unit_trust, { id: 'NcenUnitTrust', says: 'Part F; null if it is not answered' }),
    contracts: rowsIn(rest.contract, { id: 'NcenContract', omit }),
    provider_counts: value(
      roles('Number of other service providers of the registrant itself, by role: underwriters, accountants …'),
      (sql) => sql`(select coalesce(json_object_agg(role, n order by role), '{}') from (
        select role, count(*) as n from ncen.provider p
        where p.accession = filing.accession and p.fund is null group by role) c)`,
    ),
    fund_count: value(
      fundCount,
      (sql) => sql`(select count(*)::int from ncen.fund f where f.accession = filing.accession)`,
    ),
    funds: rowsIn(funds.fund, {
      id: 'NcenFund',
      says: 'A page of the funds, in the order of the form',
      paged: true,
      parts: {
        is_counted: value(
          isCounted,
          (sql) => sql`exists (
            select from ncen.standing s where s.accession = w.accession and s.n = w.n and s.fund = w.fund)`,
        ),
        advisers: each(adviser, {
          ...ofFund,
          id: 'NcenAdviser',
          says: 'Advisers and subadvisers, including those who were dismissed',
        }),
        share_classes: each(funds.share_class, { ...ofFund, id: 'NcenShareClass' }),
        related_funds: each(funds.related_fund, { ...ofFund, id: 'NcenRelatedFund', says: 'Masters and feeders' }),
        foreign_subsidiaries: each(funds.foreign_subsidiary, { ...ofFund, id: 'NcenForeignSubsidiary' }),
        credit_lines: each(funds.credit_line, { ...ofFund, id: 'NcenCreditLine' }),
        interfund_loans: each(funds.interfund_loan, { ...ofFund, id: 'NcenInterfundLoan' }),
        listings: each(rest.listing, { ...ofFund, id: 'NcenListing' }),
        etf: {
          ...{ type: etfs.type.element.nullable().describe('Part E; null if it is not answered') },
          ...{ by: 'fund', none: 'null' },
          each: (sql: Sql, values: Fragment) =>
            sql`select value, found -> 0 as found from (${etfs.each(sql, values)}) e`,
        },
        provider_counts: {
          type: roles(
            'Number of other service providers of the fund, by role; /ncen/filings/by-accession/{accession}/providers lists them',
          ),
          ...{ by: 'fund', none: '{}' },
          each: (sql: Sql, values: Fragment) => sql`
            select fund as value, json_object_agg(role, n order by role) as found from (
              select fund, role, count(*) as n from ncen.provider p
              where p.accession = filing.accession and p.fund in (${values}) group by fund, role) c
            group by fund`,
        },
      },
    }),
    next_cursor: nextLines('Cursor of the next funds; null on the last page'),
    other_filings: otherFilings(tables.report, {
      id: 'NcenFilingRow',
      says: 'Up to 200 other Form N-CEN filings of the registrant, newest first',
      facts: ['submission_type', 'period', 'registrant_name'],
      amended: ncenAmended,
    }),
    ...notLoaded,
  },
  async (_, { filing }) => notInSets('ncen', filing.source, NOT_KNOWN),
)

export type Detail = z.infer<typeof detail.answer>

/** The facts for which the sets have no columns. */
const NOT_KNOWN =
  'which liquidity services the funds have (Item C.22), and which series and classes the header names, is not known'

interface ProvidersParams {
  accession: string
  limit: number
  cursor?: string | undefined
  role?: string | undefined
  fund?: string | undefined
}

/**
 * Returns the providers of one filing in the order of the form; null if the filing is unknown. One filing may have
 * several thousand of them.
 */
export async function providers(sql: Sql, params: ProvidersParams): Promise<ProviderPage | null> {
  const { accession, role, fund, limit } = params
  const list = ['providers', role, fund].join(' ')
  const after = lineAfter(params, list)
  const [known] = await sql<[Pick<Detail['filing'], 'source' | 'amended_by'>?]>`
    select r.source, ${amendedColumn(sql, ncenAmended, 'r')} from ncen.report r where r.accession = ${accession}`
  if (!known) return null
  const matching = sql`accession = ${accession}
    and ${role === undefined ? sql`true` : sql`role = ${role}`}
    and ${fund === undefined ? sql`true` : /^S/.test(fund) ? sql`fund like ${`%-${fund}`}` : sql`fund = ${fund}`}`
  const [counted] = await sql<[{ total: number }]>`select count(*)::int as total from ncen.provider where ${matching}`
  const found = await sql<(ProviderPage['rows'][number] & { accession: string; n: number })[]>`
    select * from ncen.provider where ${matching} and n > ${after} order by n limit ${limit + 1}`
  const { lines, next_cursor } = pageOf(params, found, 'n', list)
  return {
    accession,
    amended_by: known.amended_by,
    total: counted.total,
    rows: lines.map(({ accession: _, n: __, ...provider }) => provider),
    next_cursor,
    ...notInSets('ncen', known.source, NOT_KNOWN),
  }
}

/** Maximum number of series; the largest registrants have about 400. */
const FUNDS_MAX = 2_000

/** Returns a registrant with its funds; null if none of its reports was read. */
export async function registrant(sql: Sql, cik: string): Promise<Registrant | null> {
  const [newest] = await sql<[Omit<Registrant, 'fund_count' | 'funds'>?]>`
    select r.cik, r.registrant_name, r.file_number, r.classification, r.is_last_filing, r.accession, r.filed_date, r.period
    from ncen.standing s join ncen.report r using (accession) where s.cik = ${cik}
    order by s.as_of desc, s.filed_date desc, s.accession desc limit 1`
  if (!newest) return null
  const funds = await sql<(Registrant['funds'][number] & { total: number })[]>`
    select s.fund, s.series_id, f.fund_name as name, f.is_etf, f.is_money_market,
      f.monthly_avg_net_assets::text as monthly_avg_net_assets, f.daily_avg_net_assets::text as daily_avg_net_assets,
      s.period, s.accession, s.filed_date, s.ended_by,
      coalesce((
        select json_agg(distinct a.name) from ncen.adviser a
        where a.accession = s.accession and a.fund = s.fund and a.is_current and a.name is not null), '[]') as advisers,
      count(*) over ()::int as total
    from pub.ncen_standing s join ncen.fund f on f.accession = s.accession and f.n = s.n
    where s.cik = ${cik} and s.is_newest
    order by s.ended_by is not null, f.fund_name, s.fund limit ${FUNDS_MAX}`
  return { ...newest, fund_count: funds[0]?.total ?? 0, funds: funds.map(({ total: _, ...fund }) => fund) }
}
