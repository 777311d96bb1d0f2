/** Views of advisers that other slices may read. */
import { cik, text } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'
import { adviser, adviser_name } from './rollups.ts'
import { search_name, search_word } from './rollups-search.ts'
import { filing } from './tables/filing.ts'
import { fund } from './tables/fund.ts'

const { crd, firm_name, name_key, legal_name, sec_file_number, number_key, lei, adviser_type, feed } = adviser.columns
const { city, city_key, state, country, lat, lng } = adviser.columns
const { first_filing_date, latest_filing_date, latest_raum } = adviser.columns
const { has_disciplinary, primary_website, is_terminated } = adviser.columns
const { fund_count, fund_types, fund_values, fund_type_list, dominant_fund_type } = adviser.columns
const { clients, client_shares, comp_pct_aum, comp_hourly, comp_subscription } = adviser.columns
const { comp_fixed, comp_commissions, comp_performance, comp_other } = adviser.columns

export const advAdviser = view(
  'pub.adv_adviser',
  'One row per adviser',
  {
    ...{ crd, firm_name, name_key, legal_name, sec_file_number, number_key, lei, adviser_type, feed },
    ...{ city, city_key, state, country, lat, lng },
    ...{ first_filing_date, latest_filing_date, latest_raum },
    ...{ has_disciplinary, primary_website, is_terminated },
    ...{ fund_count, fund_types, fund_values, fund_type_list, dominant_fund_type },
    ...{ clients, client_shares, comp_pct_aum, comp_hourly, comp_subscription },
    ...{ comp_fixed, comp_commissions, comp_performance, comp_other },
  },
  `
select
  crd,
  firm_name,
  name_key,
  legal_name,
  sec_file_number,
  number_key,
  lei,
  adviser_type,
  feed,
  city,
  city_key,
  state,
  country,
  lat,
  lng,
  first_filing_date,
  latest_filing_date,
  latest_raum,
  has_disciplinary,
  primary_website,
  is_terminated,
  fund_count,
  fund_types,
  fund_values,
  fund_type_list,
  dominant_fund_type,
  clients,
  client_shares,
  comp_pct_aum,
  comp_hourly,
  comp_subscription,
  comp_fixed,
  comp_commissions,
  comp_performance,
  comp_other
from adviser`,
  {
    series: {
      IA_FIRM_SEC:
        'advisers registered with the SEC, or exempt and reporting to it, are missing, and so are their registrations',
      IA_FIRM_STATE: 'advisers registered with states are missing, and so are their registrations',
      ADV_FILING_DATA: 'private funds, owners, schedules, disclosure pages and former filings are not known',
    },
  },
)

export const advName = view(
  'pub.adv_name',
  'One row per current or former name of an adviser, with the words by which a search finds it (names.ts)',
  { crd: search_name.columns.crd, name_words: search_name.columns.words },
  `
select crd, words as name_words from search_name`,
)

export const advLegalName = view(
  'pub.adv_legal_name',
  'One row per current full legal name, normalized for comparison',
  { crd: adviser_name.columns.crd, name_key: adviser_name.columns.name_key },
  `
select crd, name_key from adviser_name where kind = 'legal'`,
)

export const advStatedCik = view(
  'pub.adv_stated_cik',
  'One row per CIK that an adviser states as its own in its newest filing in the data files',
  {
    crd,
    cik: cik('CIK that the adviser states as its own (Item 1.D(3) or 1.N)'),
    filing_id: adviser.columns.schedule_filing_id,
  },
  `
select n.crd, n.name_key as cik, a.schedule_filing_id as filing_id
from adviser_name n join adviser a using (crd)
where n.kind = 'cik'`,
)

export const advFilingDay = view(
  'pub.adv_filing_day',
  'One row per filing of Form ADV or ADV-W, with its day: all filings in the data files, and each newest filing that only a feed shows',
  {
    crd: filing.columns.crd,
    day: filing.columns.submitted_date.unwrap(),
    form: text('ADV or ADV-W'),
  },
  `
select crd, day, 'ADV' as form
-- A filing by which an adviser changed its kind (registered or exempt) is in the files of both kinds.
from (select distinct crd, filing_id, submitted_date as day from filing where submitted_date is not null) filed
union all
select crd, date, 'ADV-W' from withdrawal where date is not null
union all
select crd, latest_filing_date, 'ADV' from adviser where latest_filing_id is null and latest_filing_date is not null`,
)

export const advSearchName = view(
  'pub.adv_search_name',
  'One row per firm and current or former name, for the search of names.ts',
  search_name.columns,
  'select crd, key, words, kind, band, place, latest_raum from search_name',
)

export const advSearchWord = view(
  'pub.adv_search_word',
  'One row per word of the names in pub.adv_search_name, with the keys that find it for a mistyped word',
  search_word.columns,
  'select word, names, near from search_word',
)

export const advNumber = view(
  'pub.adv_number',
  'One row per number of a firm: its CRD number, an SEC file number, or a CIK that the firm states',
  { crd: adviser_name.columns.crd, kind: adviser_name.columns.kind, number: adviser_name.columns.name_key },
  "select crd, kind, name_key as number from adviser_name where kind in ('sec_number', 'cik', 'crd')",
)

export const advPrivateFund = view(
  'pub.adv_private_fund',
  'One row per adviser and number of a private fund, from all filings: funds that the adviser reports, and funds that it advises and another adviser reports',
  { crd: filing.columns.crd.unwrap(), fund_id: fund.columns.fund_id.unwrap() },
  `
select crd, fund_id from filing join fund using (filing_id) where crd is not null and fund_id is not null
union
select crd, fund_id from filing join fund_reported using (filing_id) where crd is not null and fund_id is not null`,
)
