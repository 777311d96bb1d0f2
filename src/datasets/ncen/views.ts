/** Views of Form N-CEN that other slices may read. */
import { amendedColumns, amendsSame } from '../../declare/amended.ts'
import { accession, text } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'
import { codeView } from '../../products/search/views.ts'
import { standing } from './rollups.ts'
import { OVERDUE_DAYS } from './tables/columns.ts'
import { fund, share_class } from './tables/fund.ts'
import { adviser, provider } from './tables/provider.ts'
import { person, report } from './tables.ts'

const { is_etf, is_etmf, is_money_market, is_index, is_interval, is_fund_of_funds } = fund.columns
const { is_master_feeder, is_target_date, monthly_avg_net_assets, daily_avg_net_assets } = fund.columns
const { registrant_name, file_number, classification } = report.columns

/** The column `ended_by`. It is computed on request, because it depends on the newest `as_of` of all registrants. */
const ENDED_BY = `case
    when s.ended_by is not null or not s.is_newest then s.ended_by
    when s.as_of + ${OVERDUE_DAYS} < (select max(as_of) from standing) then 'silent'
  end as ended_by`

const ended_by = text(
  `How it is known that the fund has ended; only the row of its newest report has a value. terminated: its registrant reports the end; last_filing: its registrant filed its last N-CEN; missing: a later report of its registrant should include the fund and does not; silent: its registrant filed no later report, and the newest loaded report of any registrant is about a period that ends more than ${OVERDUE_DAYS} days later; null for a fund that continues`,
  { values: ['terminated', 'last_filing', 'missing', 'silent'] },
).nullable()

export const ncenStanding = view(
  'pub.ncen_standing',
  'One row per fund and period: the report that is used for the fund',
  { ...standing.columns, ended_by },
  `
select
  s.fund,
  s.period,
  s.cik,
  s.series_id,
  s.accession,
  s.n,
  s.filed_date,
  s.as_of,
  s.is_newest,
  ${ENDED_BY}
from standing s`,
  { families: { ncen: 'reports on Form N-CEN' } },
)

export const ncenFund = view(
  'pub.ncen_fund',
  'One row per fund and period, from the report that is used; is_newest marks the newest period of each fund',
  {
    fund: standing.columns.fund,
    cik: standing.columns.cik,
    series_id: standing.columns.series_id,
    name: fund.columns.fund_name,
    ...{ registrant_name, file_number, classification },
    ...{ is_etf, is_etmf, is_money_market, is_index, is_interval, is_fund_of_funds, is_master_feeder, is_target_date },
    ...{ monthly_avg_net_assets, daily_avg_net_assets },
    accession: standing.columns.accession,
    filed_date: standing.columns.filed_date,
    period: standing.columns.period,
    is_newest: standing.columns.is_newest,
    ended_by,
  },
  `
select
  s.fund,
  s.cik,
  s.series_id,
  f.fund_name as name,
  r.registrant_name,
  r.file_number,
  r.classification,
  f.is_etf,
  f.is_etmf,
  f.is_money_market,
  f.is_index,
  f.is_interval,
  f.is_fund_of_funds,
  f.is_master_feeder,
  f.is_target_date,
  f.monthly_avg_net_assets,
  f.daily_avg_net_assets,
  s.accession,
  s.filed_date,
  s.period,
  s.is_newest,
  ${ENDED_BY}
from standing s
join fund f on f.accession = s.accession and f.n = s.n
join report r on r.accession = s.accession`,
  { families: { ncen: 'reports on Form N-CEN' } },
)

export const ncenAdviser = view(
  'pub.ncen_adviser',
  'One row per adviser or subadviser that a report names, current or dismissed during the period',
  {
    accession: report.row.shape.accession,
    ...adviser.columns,
  },
  `
select
  accession,
  n,
  fund,
  role,
  name,
  crd,
  file_number,
  lei,
  rssd_id,
  name_key,
  number_key,
  state,
  country,
  is_current,
  is_affiliated,
  is_hired,
  started,
  ended
from adviser`,
  { families: { ncen: 'reports on Form N-CEN' } },
)

export const ncenProvider = view(
  'pub.ncen_provider',
  'One row per service provider, other than an adviser, of a fund, or of the registrant if fund is null',
  {
    accession: report.row.shape.accession,
    n: provider.row.shape.n,
    fund: provider.columns.fund,
    role: provider.columns.role,
    name: provider.columns.name,
    lei: provider.columns.lei,
    amount: provider.columns.amount,
    redeemed: provider.columns.redeemed,
  },
  'select accession, n, fund, role, name, lei, amount, redeemed from provider',
  { families: { ncen: 'reports on Form N-CEN' } },
)

export const ncenDirector = view(
  'pub.ncen_director',
  'One row per director that a report names (Item B.8)',
  {
    accession: report.row.shape.accession,
    n: person.row.shape.n,
    name: person.columns.name,
    is_interested: person.columns.is_interested,
  },
  "select accession, n, name, is_interested from person where role = 'director'",
  { families: { ncen: 'reports on Form N-CEN' } },
)

/**
 * An amendment repeats the whole report. A registrant may file several reports about one period, for different series.
 * So an amendment amends a report about its period only in two cases: both name the same fund, or the registrant filed
 * only one original report about the period.
 */
export const ncenAmended = view(
  'pub.ncen_amended',
  'One row per report that is certainly amended, with its amendments',
  amendedColumns,
  amendsSame('report', {
    same: `a.cik = r.cik and a.period = r.period
      and (exists (select from fund f join fund g using (fund) where f.accession = a.accession and g.accession = r.accession)
        or (select count(*) from report o where o.cik = r.cik and o.period = r.period and o.submission_type = 'N-CEN') <= 1)`,
    amends: (filing) => `${filing}.submission_type = 'N-CEN/A'`,
  }),
)

export const ncenTicker = view(
  'pub.ncen_ticker',
  'One row per ticker or class of a fund and report that names it',
  {
    accession: accession('The report; joins edgar.filing'),
    fund: standing.columns.fund,
    ticker: share_class.columns.ticker,
    class_id: share_class.columns.class_id,
  },
  `
select accession, fund, ticker, class_id from share_class where fund is not null
union all
select accession, fund, ticker, null::text from listing where fund is not null and ticker is not null`,
  { families: { ncen: 'reports on Form N-CEN' } },
)

export const ncenCode = codeView(
  'pub.ncen_code',
  { what: 'file_number', rows: 'select file_number as code, cik as owner, accession, filed_date from report' },
  { what: 'lei', rows: 'select lei as code, cik as owner, accession, filed_date from report' },
  {
    what: 'lei',
    rows: 'select f.lei as code, f.series_id as owner, accession, r.filed_date from fund f join report r using (accession) where f.series_id is not null',
    owners: ['fund', 'money_market_fund'],
  },
  {
    what: 'lei',
    rows: 'select f.lei as code, f.cik as owner, accession, r.filed_date from fund f join report r using (accession) where f.series_id is null',
    owners: ['fund', 'money_market_fund'],
  },
  {
    what: 'lei',
    rows: 'select p.lei as code, null::text as owner, accession, r.filed_date from provider p join report r using (accession)',
  },
)
