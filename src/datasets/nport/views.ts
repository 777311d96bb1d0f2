/** Views of Form N-PORT that other slices may read. */
import { amendedColumns, amendsSame } from '../../declare/amended.ts'
import { accession, boolean } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'
import { codeView } from '../../products/search/views.ts'
import { standing as made, fund as newest } from './rollups.ts'
import { SLIP } from './rollups-slip.ts'
import { holding as line, security as named } from './tables/lines.ts'
import { report } from './tables.ts'

const SOURCES = { families: { nport: 'portfolios of funds (N-PORT)' } }

export const standing = view(
  'pub.nport_standing',
  'One row per fund and period: the last filed report about that period, which replaces earlier ones',
  made.columns,
  'select fund, cik, series_id, fund_name, registrant_name, period, quarter, accession, filed_date, is_newest, net_assets from standing',
  SOURCES,
)

/**
 * Number of months in two quarters. The last month of each fiscal quarter is public and due 60 days later, so a fund
 * whose newest period is half a year old has missed a report.
 */
const WINDOW_MONTHS = 6

export const fund = view(
  'pub.nport_fund',
  'One row per fund, from the report of its newest period',
  {
    ...newest.columns,
    is_current: boolean(
      `True if the fund continues: its newest report is not marked as its last (A.4), and its period ends at most ${WINDOW_MONTHS} months before the newest period of any loaded fund`,
    ),
  },
  `
select fund, cik, series_id, fund_name, registrant_name, period, accession, filed_date, net_assets, is_final, name_key,
  name_words,
  is_final is not true and period >= (select max(period) from fund) - interval '${WINDOW_MONTHS} months' as is_current
from fund`,
  SOURCES,
)

export const reported = view(
  'pub.nport_report',
  'One row per report with its fund and period, also if a later report replaces it',
  {
    fund: report.columns.fund,
    period: report.columns.period,
    accession: accession('The report; joins edgar.filing'),
    filed_date: made.columns.filed_date,
    cik: report.columns.cik,
    series_id: report.columns.series_id,
    fund_name: report.columns.fund_name,
    registrant_name: report.columns.registrant_name,
    is_slip: boolean(
      'True if the period is after the filing date, a mistake of the filer: such a report represents no fund. Null without a period',
    ).nullable(),
  },
  `select fund, period, accession, filed_date, cik, series_id, fund_name, registrant_name, ${SLIP} as is_slip from report`,
  SOURCES,
)

const { n, quarter, sec_id, is_private, value, balance, units, payoff, fair_value_level, is_restricted } = line.columns
const { cusip, isin, lei, ticker, issuer_name, title_of_class, asset_cat, issuer_cat, country } = named.columns

export const holding = view(
  'pub.nport_holding',
  'One row per holding of a report, with the description of its security. Filter by quarter, by which holdings are stored',
  {
    accession: accession('The report; joins edgar.filing'),
    ...{ n, quarter, sec_id, security: line.columns.security, cusip, isin, lei, ticker, issuer_name, title_of_class },
    ...{ asset_cat, issuer_cat, is_private, value, balance, units, currency: line.columns.currency, payoff },
    ...{ fair_value_level, is_restricted, country, percent: line.columns.percent },
  },
  `
select
  h.accession,
  h.n,
  h.quarter,
  h.sec_id,
  h.security,
  s.cusip,
  s.isin,
  s.lei,
  s.ticker,
  s.issuer_name,
  s.title_of_class,
  s.asset_cat,
  s.issuer_cat,
  h.is_private,
  h.value,
  h.balance,
  h.units,
  h.currency,
  h.payoff,
  h.fair_value_level,
  h.is_restricted,
  s.country,
  h.percent
from holding h join security s using (security)`,
  SOURCES,
)

export const privateMark = view(
  'pub.nport_private_mark',
  'One row per private security that a fund holds at the end of a period, with its value, from the last filed report about that period. Filter by quarter and by sec_id or fund: holdings are stored by quarter, and there are indexes by sec_id and by fund',
  {
    accession: accession('The last filed report about the period; joins edgar.filing'),
    ...{ n, quarter, sec_id },
    fund: made.columns.fund,
    cik: made.columns.cik,
    series_id: made.columns.series_id,
    fund_name: made.columns.fund_name,
    period: made.columns.period,
    ...{ issuer_name, title_of_class, balance, units, value },
    ...{ currency: line.columns.currency, fair_value_level },
  },
  `
select h.accession, h.n, h.quarter, h.sec_id, s.fund, s.cik, s.series_id, s.fund_name, s.period, t.issuer_name,
  t.title_of_class, h.balance, h.units, h.value, h.currency, h.fair_value_level
from holding h
join standing s on s.accession = h.accession and s.quarter = h.quarter
join security t using (security)
where h.is_private`,
  SOURCES,
)

export const security = view(
  'pub.nport_security',
  'One row per different description of a security by holdings, shared by all filings',
  named.columns,
  'select security, sec_id, cusip, cusip_flag, isin, ticker, lei, issuer_name, title_of_class, asset_cat, asset_description, issuer_cat, issuer_description, country, risk_country from security',
  SOURCES,
)

export const nportAmended = view(
  'pub.nport_amended',
  'One row per report that was amended, with the amendments about the same fund and period',
  amendedColumns,
  amendsSame('report', {
    same: 'a.fund = r.fund and a.period = r.period',
    amends: (filing) => `${filing}.is_amendment`,
  }),
)

export const nportCode = codeView(
  'pub.nport_code',
  { what: 'file_number', rows: 'select file_number as code, cik as owner, accession, filed_date from report' },
  { what: 'lei', rows: 'select registrant_lei as code, cik as owner, accession, filed_date from report' },
  // Two parts for the LEI of a series, one with a series and one without: each takes the owner from one column, which
  // has an index.
  {
    what: 'lei',
    rows: 'select series_lei as code, series_id as owner, accession, filed_date from report where series_id is not null',
    owners: ['fund', 'money_market_fund'],
  },
  {
    what: 'lei',
    rows: 'select series_lei as code, cik as owner, accession, filed_date from report where series_id is null',
    owners: ['fund', 'money_market_fund'],
  },
)
