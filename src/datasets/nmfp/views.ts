/** Views of Form N-MFP that other slices may read. */
import { amendedColumns, amendsSame } from '../../declare/amended.ts'
import { accession, boolean, cik, date, integer, text } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'
import { codeView } from '../../products/search/views.ts'
import { advised, fund_now, standing } from './rollups.ts'
import { SLIP } from './rollups-slip.ts'
import { holding, provider, report } from './tables.ts'

const SOURCES = { families: { nmfp: 'reports of money market funds (N-MFP)' } }

const { fund, period, series_id, fund_name, registrant_name, quarter, filed_date } = standing.columns
const { is_newest, is_final, net_assets, seven_day_gross_yield, category } = standing.columns

export const nmfpStanding = view(
  'pub.nmfp_standing',
  'One row per money market fund and month: the last filed report about that month, which replaces earlier ones',
  {
    ...{ fund, cik: standing.columns.cik, series_id, fund_name, registrant_name, period, quarter },
    ...{ accession: standing.columns.accession, filed_date, is_newest, is_final },
    ...{ net_assets, seven_day_gross_yield, category },
  },
  `
select fund, cik, series_id, fund_name, registrant_name, period, quarter, accession, filed_date, is_newest, is_final,
  net_assets, seven_day_gross_yield, category
from standing`,
  SOURCES,
)

export const nmfpReport = view(
  'pub.nmfp_report',
  'One row per report with its fund and month, also if a later report replaces it',
  {
    fund: report.columns.fund,
    period: report.columns.period,
    ...{ accession: standing.columns.accession, filed_date, cik: report.columns.cik },
    series_id: report.columns.series_id,
    fund_name: report.columns.fund_name,
    registrant_name: report.columns.registrant_name,
    is_slip: boolean(
      'True if the month ends more than 31 days after the filing date, a mistake of the filer: such a report represents no fund. Null without a month',
    ).nullable(),
  },
  `select fund, period, accession, filed_date, cik, series_id, fund_name, registrant_name, ${SLIP} as is_slip from report`,
  SOURCES,
)

const held = holding.columns
const { sec_id, cusip, cusip_flag, isin, lei, issuer_name, title, principal, value, value_unsupported } = held

export const nmfpHolding = view(
  'pub.nmfp_holding',
  'One row per portfolio security of a report, also if a later report replaces it',
  {
    accession: accession('The report; joins edgar.filing'),
    n: integer('Order of the security in the report, from 1'),
    ...{ sec_id, cusip, cusip_flag, isin, lei, cik: held.cik, issuer_name, title_of_class: title },
    ...{ category: held.category, value, value_unsupported, principal, yield: held.yield },
    ...{ maturity: held.maturity, final_maturity: held.final_maturity, net_assets_ratio: held.net_assets_ratio },
  },
  `
select accession, n, sec_id, cusip, cusip_flag, isin, lei, cik, issuer_name, title as title_of_class, category, value,
  value_unsupported, principal, yield, maturity, final_maturity, net_assets_ratio
from holding`,
  SOURCES,
)

export const nmfpSecurity = view(
  'pub.nmfp_security',
  'One row per portfolio security as a report describes it, from the last filed report about each fund and month',
  {
    ...{ sec_id, cusip, isin, lei, cik: held.cik, issuer_name, title_of_class: title, category: held.category },
    fund: text('Key of the fund that holds the security'),
    period: date('Last day of the reported month'),
    accession: accession('The report; joins edgar.filing'),
  },
  `
select h.sec_id, h.cusip, h.isin, h.lei, h.cik, h.issuer_name, h.title as title_of_class, h.category, s.fund, s.period,
  s.accession
from holding h join standing s using (accession)`,
  SOURCES,
)

const { role, name, file_number, number_key, name_key } = provider.columns

export const nmfpAdviser = view(
  'pub.nmfp_adviser',
  'One row per adviser or subadviser named by the last filed report about a fund and month',
  {
    ...{ fund, cik: cik('CIK of the registrant of the fund'), series_id: report.columns.series_id, period },
    ...{ accession: standing.columns.accession, is_newest, role, name, name_key, file_number, number_key },
  },
  `
select s.fund, s.cik, s.series_id, s.period, s.accession, s.is_newest, p.role, p.name, p.name_key, p.file_number,
  p.number_key
from standing s join provider p using (accession)
where p.role in ('adviser', 'subadviser')`,
  SOURCES,
)

export const nmfpAdvised = view(
  'pub.nmfp_advised',
  'One row per money market fund and adviser or subadviser, with the months whose reports name the adviser',
  { ...advised.columns },
  `
select fund, role, number_key, name_key, name, first_period, last_period, accession from advised`,
  SOURCES,
)

/**
 * Reports are due five business days after each month, so a fund whose newest report is three months old has missed at
 * least two reports.
 */
const WINDOW_MONTHS = 3

export const nmfpFund = view(
  'pub.nmfp_fund',
  'One row per money market fund, from the report of its newest month',
  {
    ...{ fund, cik: fund_now.columns.cik, series_id, fund_name, registrant_name, period: fund_now.columns.period },
    ...{ accession: fund_now.columns.accession, filed_date: fund_now.columns.filed_date, is_final },
    ...{ net_assets, seven_day_gross_yield, category, name_key: fund_now.columns.name_key },
    name_words: fund_now.columns.name_words,
    is_current: boolean(
      `True if the fund continues: its newest report is not marked as its last (Item A.4), and its month ends at most ${WINDOW_MONTHS} months before the newest month of any loaded fund`,
    ),
  },
  `
select fund, cik, series_id, fund_name, registrant_name, period, accession, filed_date, is_final, net_assets,
  seven_day_gross_yield, category, name_key, name_words,
  is_final is not true and period >= (select max(period) from fund_now) - interval '${WINDOW_MONTHS} months' as is_current
from fund_now`,
  SOURCES,
)

export const nmfpAmended = view(
  'pub.nmfp_amended',
  'One row per report that was amended, with the amendments about the same fund and month',
  amendedColumns,
  amendsSame('report', {
    same: 'a.fund = r.fund and a.period = r.period',
    amends: (filing) => `${filing}.is_amendment`,
  }),
)

export const nmfpCode = codeView(
  'pub.nmfp_code',
  {
    what: 'file_number',
    rows: 'select securities_act_file_number as code, cik as owner, accession, filed_date from report',
  },
  { what: 'lei', rows: 'select registrant_lei as code, cik as owner, accession, filed_date from report' },
  {
    what: 'lei',
    rows: 'select fund_lei as code, coalesce(series_id, cik) as owner, accession, filed_date from report',
    owners: ['fund', 'money_market_fund'],
  },
)
