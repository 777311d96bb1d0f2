/** Declares the charts of each kind of answer, by the name of its operation, and the members that they draw. */

import { labelOf } from '../../declare/table.ts'
import type { ChartOf, Row } from './chart-of.ts'
import { accountAssets } from './codes.ts'
import { isObject, isRows } from './shape.ts'

/** A company reports in its own currency. */
const OWN = { currency: 'currency' }

/** The financials of a company and of a security have a row for each year or each quarter. */
const FINANCIALS: readonly ChartOf[] = [
  {
    title: 'Revenue and net income',
    ...{ draw: 'bars', rows: 'history', by: 'end_date', every: stepOf, unit: 'USD', ...OWN },
    values: { revenue: 'Revenue', net_income: 'Net income' },
  },
  {
    title: 'Cash from operations',
    ...{ draw: 'bars', rows: 'history', by: 'end_date', every: stepOf, unit: 'USD', ...OWN },
    values: { operating_cash_flow: 'Cash from operations' },
  },
  {
    title: 'Assets and equity',
    ...{ draw: 'bars', rows: 'history', by: 'end_date', every: stepOf, unit: 'USD', ...OWN },
    values: { assets: 'Assets', equity: 'Equity' },
  },
  {
    title: 'Earnings a share, diluted',
    ...{ draw: 'bars', rows: 'history', by: 'end_date', every: stepOf, unit: 'USD_per_share', ...OWN },
    values: { eps_diluted: 'Earnings a share' },
  },
]

const POSITIONS: readonly ChartOf[] = [
  {
    title: 'Value of all positions by quarter',
    ...{ draw: 'bars', rows: 'trend', by: 'period_of_report', every: 'quarter', unit: 'USD' },
    values: { total_value: 'Value' },
  },
  {
    title: 'Positions by what was done since the quarter before',
    ...{ draw: 'parts', rows: changesOf, by: 'name', unit: 'count', values: { count: 'Positions' } },
  },
  {
    title: 'Largest positions',
    ...{ draw: 'parts', isPart: true, rows: 'positions', by: 'issuer_name', unit: 'USD', values: { value: 'Value' } },
  },
]

export const CHARTS: Readonly<Record<string, readonly ChartOf[]>> = {
  company_financials: FINANCIALS,
  security_financials: FINANCIALS,

  insider_transactions: [
    {
      title: 'What insiders bought and sold at a price, by quarter',
      ...{ draw: 'stack', rows: tradesOf, by: 'quarter', every: 'quarter', unit: 'USD', below: 'sold' },
      values: { bought: 'Bought', sold: 'Sold' },
    },
  ],

  adv_adviser: [
    {
      title: 'Assets under management, by filing',
      ...{ draw: 'stack', rows: assetsOf, by: 'year', every: 'year', unit: 'USD' },
      values: { raum_discretionary: 'Discretionary', raum_non_discretionary: 'Not discretionary' },
    },
    {
      title: 'Assets by kind of client',
      ...{ draw: 'parts', rows: clientsOf, by: 'name', unit: 'USD', values: { raum: 'Assets' } },
    },
    {
      title: 'Clients by kind',
      ...{ draw: 'parts', rows: clientsOf, by: 'name', unit: 'count', values: { count: 'Clients' } },
    },
    {
      title: 'How it was paid, by filing',
      ...{ draw: 'ticks', rows: compensationOf, by: 'year', every: 'year', unit: 'count' },
      values: {
        ...{ comp_pct_aum: 'A share of the assets', comp_hourly: 'By the hour', comp_subscription: 'Subscriptions' },
        ...{ comp_fixed: 'Fixed fees', comp_commissions: 'Commissions', comp_performance: 'Performance fees' },
        comp_other: 'In other ways',
      },
    },
    {
      title: 'What its separately managed accounts held at the end of the year',
      ...{ draw: 'parts', rows: accountsOf, by: 'name', unit: 'percent', values: { percent: 'Share' } },
    },
    {
      title: 'Private funds by kind, gross assets',
      ...{ draw: 'parts', rows: fundValuesOf, by: 'name', unit: 'USD', values: { value: 'Gross assets' } },
    },
    ...(
      [
        ['auditor', 'Auditors of private funds'],
        ['prime_broker', 'Prime brokers of private funds'],
        ['custodian', 'Custodians of private funds'],
        ['administrator', 'Administrators of private funds'],
      ] as const
    ).map(
      ([kind, title]): ChartOf => ({
        title,
        ...{ draw: 'parts', rows: 'service_providers', where: { kind }, by: 'name', unit: 'count' },
        values: { fund_count: 'Funds' },
      }),
    ),
    {
      title: 'Offices by state',
      ...{ draw: 'states', rows: 'branches', by: 'state', unit: 'count', values: { n: 'Offices' } },
    },
  ],
  adviser_rep_flows: [
    {
      title: 'People who came and left, by year',
      ...{ draw: 'stack', rows: 'byYear', by: 'year', every: 'year', unit: 'count', below: 'lost' },
      values: { gained: 'Came', lost: 'Left' },
    },
  ],
  adviser_headcount: [
    {
      title: 'People by month',
      ...{ draw: 'lines', rows: 'series', by: 'month', every: 'month', unit: 'count' },
      values: { headcount: 'People' },
    },
  ],
  adv_holdings_13f: POSITIONS,

  security_holders: [
    {
      title: 'Managers who hold it, by quarter',
      ...{ draw: 'bars', rows: heldOf, by: 'period', every: 'quarter', unit: 'count' },
      values: { 'counts.holder_count': 'Managers' },
    },
    {
      title: 'Managers who began and ended a position, by quarter',
      ...{ draw: 'stack', rows: comparedOf, by: 'period', every: 'quarter', unit: 'count' },
      below: 'counts.closed_count',
      values: { 'counts.new_count': 'Began', 'counts.closed_count': 'Ended' },
    },
    {
      title: 'Managers who bought most in the last quarter',
      ...{ draw: 'parts', isPart: true, rows: boughtOf, by: 'holder', unit: 'shares', values: { amount: 'Shares' } },
    },
    {
      title: 'Managers who sold most in the last quarter',
      ...{ draw: 'parts', isPart: true, rows: soldOf, by: 'holder', unit: 'shares', values: { amount: 'Shares' } },
    },
  ],
  security_price_history: [
    {
      title: 'Price at which funds carry it',
      ...{ draw: 'band', rows: classesOf, each: 'class', by: 'period', every: 'quarter', unit: 'USD_per_share' },
      values: { low: 'Lowest', median: 'Median', high: 'Highest' },
    },
    {
      title: 'Value that funds hold, by quarter',
      ...{
        draw: 'bars',
        rows: 'periods',
        by: 'period',
        every: 'quarter',
        unit: 'USD',
        values: { held_value: 'Value' },
      },
    },
  ],

  thirteenf_holdings: POSITIONS,
  fund_holdings: [
    {
      title: 'Net assets by report',
      ...{ draw: 'bars', rows: 'quarters', by: 'period', every: 'quarter', unit: 'USD' },
      values: { 'report.net_assets': 'Net assets' },
    },
    {
      title: 'Largest holdings on this page',
      ...{ draw: 'parts', rows: 'rows', by: 'issuer_name', unit: 'USD', values: { value: 'Value' } },
    },
  ],
  nmfp_detail: [
    {
      title: 'Net assets of the fund by month',
      ...{ draw: 'bars', rows: monthsOf, by: 'period', every: 'month', unit: 'USD' },
      values: { net_assets: 'Net assets' },
    },
    {
      title: 'Liquid assets by week',
      ...{ draw: 'bars', rows: 'liquidity', by: 'day', unit: 'USD' },
      values: { daily_liquid_assets: 'Daily', weekly_liquid_assets: 'Weekly' },
    },
    {
      title: 'Net asset value of a share',
      ...{ draw: 'lines', rows: 'navs', by: 'day', unit: 'USD_per_share', values: { nav_per_share: 'Value' } },
    },
  ],

  status: [
    {
      title: 'Filings by the time from acceptance until they were loaded here',
      ...{ draw: 'histogram', rows: 'delays', by: 'delay', unit: 'count', values: { filing_count: 'Filings' } },
    },
  ],
  filings_coverage: [
    {
      title: 'Filings by kind',
      ...{ draw: 'parts', rows: 'families', by: 'label', unit: 'count', values: { filings: 'Filings' } },
    },
    {
      title: 'Days by which the newest filing of a kind is older than the newest filing of all kinds',
      ...{ draw: 'parts', isPart: true, rows: agesOf, by: 'label', unit: 'count', values: { days: 'Days older' } },
    },
  ],
}

function stepOf({ period }: Row) {
  return period === 'quarter' ? 'quarter' : 'year'
}

/**
 * The value of purchases and sales on the market (codes P and S). If the list has more rows than the answer, the oldest
 * quarter is incomplete and therefore left out.
 */
function tradesOf({ transactions, next_cursor: next }: Row): readonly Row[] {
  const quarters = new Map<string, { bought: number; sold: number }>()
  const filings = new Set<unknown>()
  const trades = isRows(transactions) ? transactions : []
  for (const { accession, joint, code, transaction_date: day, shares, price } of trades) {
    filings.add(accession)
    // A trade that two filings of the list report counts once.
    if (Array.isArray(joint) && joint.some((other) => other !== accession && filings.has(other))) continue
    const quarter = typeof day === 'string' ? quarterOf(day) : null
    if (quarter === null || (code !== 'P' && code !== 'S') || shares === null || price === null) continue
    const sums = quarters.get(quarter) ?? { bought: 0, sold: 0 }
    sums[code === 'P' ? 'bought' : 'sold'] += Math.round(Number(shares) * Number(price))
    quarters.set(quarter, sums)
  }
  const rows = [...quarters].map(([quarter, sums]) => ({ quarter, ...sums }))
  const oldest = [...quarters.keys()].sort()[0]
  return next ? rows.filter(({ quarter }) => quarter !== oldest) : rows
}

/** Returns the first day of the last month of the quarter that contains a day. */
function quarterOf(day: string): string {
  const month = Math.ceil(Number(day.slice(5, 7)) / 3) * 3
  return `${day.slice(0, 5)}${String(month).padStart(2, '0')}-01`
}

/**
 * The newest filing of each year. It is drawn at its year and not at its day, since the newest filings of two
 * consecutive years may be up to two years apart.
 */
function assetsOf({ filings }: Row): readonly Row[] {
  const years = new Map<string, Row>()
  for (const row of isRows(filings) ? filings : []) {
    const year = String(row.submitted_date).slice(0, 4)
    if (String(years.get(year)?.submitted_date ?? '') < String(row.submitted_date)) years.set(year, row)
  }
  return [...years].map(([year, row]) => ({ ...row, year }))
}

/** The same filings with 1 for each kind of compensation that applies, and 0 for each kind that does not apply. */
function compensationOf(answer: Row): readonly Row[] {
  return assetsOf(answer).map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]),
    ),
  )
}

/** Shares of the kinds of assets in separately managed accounts at the end of the year, in percent. */
function accountsOf({ sma }: Row): readonly Row[] {
  const details = (isRows(sma) ? sma : []).map((row) => row.details).find(isObject) ?? {}
  return Object.entries(details).flatMap(([column, percent]) => {
    const found = accountAssets(column)
    return found && !found.isMidYear ? [{ name: found.assets, percent }] : []
  })
}

/** One report of the fund for each month: if a month has several, the report that was filed last. */
function monthsOf({ filing, other_filings: others }: Row): readonly Row[] {
  const own = isObject(filing) ? filing : {}
  const months = new Map<string, Row>()
  for (const row of [own, ...(isRows(others) ? others : [])]) {
    if (typeof row.period !== 'string' || row.series_id !== own.series_id) continue
    const month = row.period.slice(0, 7)
    if (String(months.get(month)?.filed_date ?? '') < String(row.filed_date)) months.set(month, row)
  }
  return [...months.values()]
}

const DAY_MS = 86_400_000

/** Returns, for each family, how many days its newest filing is older than the newest filing of all families. */
function agesOf({ families }: Row): readonly Row[] {
  const days = (isRows(families) ? families : []).flatMap(({ label, newest_filed_date: day }) =>
    typeof day === 'string' ? [{ label, at: Date.parse(day) }] : [],
  )
  const newest = Math.max(...days.map(({ at }) => at))
  return days.map(({ label, at }) => ({ label, days: (newest - at) / DAY_MS }))
}

/** Words for kinds of clients (Form ADV, Item 5.D). */
const CLIENTS: Readonly<Record<string, string>> = {
  hnw: 'Wealthy individuals',
  bdcs: 'Business development companies',
  pooled: 'Private funds and other pools',
  advisers: 'Other advisers',
  investment_cos: 'Registered funds',
  state_municipal: 'States and municipalities',
  sovereign: 'Foreign governments',
  pensions: 'Pension plans',
  banks: 'Banks',
}

function clientsOf({ latest_filing: filing }: Row): readonly Row[] {
  const clients = isObject(filing) && isObject(filing.clients) ? filing.clients : {}
  return Object.entries(clients).flatMap(([kind, of]) =>
    isObject(of) ? [{ name: CLIENTS[kind] ?? labelOf(kind), ...of }] : [],
  )
}

function fundValuesOf({ fund_values_by_type: values }: Row): readonly Row[] {
  return Object.entries(isObject(values) ? values : {}).map(([name, value]) => ({ name, value }))
}

const CHANGES = { new: 'New', added: 'More', unchanged: 'As before', reduced: 'Less', closed: 'Sold out' }

function changesOf({ changes }: Row): readonly Row[] {
  if (!isObject(changes) || changes.compared !== true) return []
  return Object.entries(CHANGES).map(([name, words]) => ({ name: words, count: changes[`${name}_count`] }))
}

/**
 * Managers by the shares that they bought, or with `sign` -1 by the shares that they sold. Empty if the source of the
 * answer is not Form 13F.
 */
function tradedOf(sign: 1 | -1, { rows, source }: Row): readonly Row[] {
  if (source !== 'f13') return []
  return (isRows(rows) ? rows : []).flatMap(({ holder, amount_change: change }) => {
    const amount = Number(change) * sign
    return change !== null && amount > 0 ? [{ holder, amount }] : []
  })
}

function boughtOf(answer: Row): readonly Row[] {
  return tradedOf(1, answer)
}

function soldOf(answer: Row): readonly Row[] {
  return tradedOf(-1, answer)
}

/**
 * Holder counts by quarter. A quarter without holders or sellers is a gap and not zero, since its reports might not be
 * loaded.
 */
function heldOf({ quarters }: Row): readonly Row[] {
  return (isRows(quarters) ? quarters : []).map(({ period, counts }) => {
    const isKnown = isObject(counts) && Number(counts.holder_count) + Number(counts.closed_count) > 0
    return { period, counts: isKnown ? counts : null }
  })
}

/** Changes by quarter. New and closed positions are only known if the holders were compared with the quarter before. */
function comparedOf({ quarters }: Row): readonly Row[] {
  return (isRows(quarters) ? quarters : []).map(({ period, counts }) => {
    const isCompared = isObject(counts) && Number(counts.not_compared_count) < Number(counts.holder_count)
    return { period, counts: isCompared ? counts : null }
  })
}

function classesOf({ periods }: Row): readonly Row[] {
  return (isRows(periods) ? periods : []).flatMap(({ period, classes }) =>
    (isRows(classes) ? classes : []).map((each) => ({ period, ...each })),
  )
}
