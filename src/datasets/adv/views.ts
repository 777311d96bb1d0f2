/** What other slices may read of advisers. */
import { view } from '../../declare/view.ts'
import { adviser, filing_day, link } from './rollups.ts'
import { search_name } from './rollups-search.ts'

const { crd, firm_name, name_key, legal_name, sec_file_number, adviser_type, feed } = adviser.columns
const { city, city_key, state, country } = adviser.columns
const { first_filing_date, latest_filing_date, latest_raum } = adviser.columns
const { has_disciplinary, primary_website, is_terminated } = adviser.columns

export const advAdviser = view(
  'pub.adv_adviser',
  'One row an adviser',
  {
    ...{ crd, firm_name, name_key, legal_name, sec_file_number, adviser_type, feed },
    ...{ city, city_key, state, country },
    ...{ first_filing_date, latest_filing_date, latest_raum },
    ...{ has_disciplinary, primary_website, is_terminated },
  },
  `
select
  crd,
  firm_name,
  name_key,
  legal_name,
  sec_file_number,
  adviser_type,
  feed,
  city,
  city_key,
  state,
  country,
  first_filing_date,
  latest_filing_date,
  latest_raum,
  has_disciplinary,
  primary_website,
  is_terminated
from adviser`,
)

export const advName = view(
  'pub.adv_name',
  'One row a name of an adviser, of now or before, by the words by which it is found: names.ts',
  { crd: search_name.columns.crd, name_words: search_name.columns.words },
  `
select crd, words as name_words from search_name`,
)

export const advLink = view(
  'pub.adv_link',
  'One row an adviser and a filer of EDGAR that is, or may be, the same firm',
  {
    crd: link.columns.crd,
    cik: link.columns.cik,
    method: link.columns.method,
    confidence: link.columns.confidence,
  },
  `
select crd, cik, method, confidence from link`,
)

export const advFilingDay = view(
  'pub.adv_filing_day',
  'One row a filing of Form ADV or ADV-W with its day: of the data files, and the newest where only a feed shows it',
  { crd: filing_day.columns.crd, day: filing_day.columns.day.unwrap(), form: filing_day.columns.form },
  `
select crd, day, form from filing_day where day is not null
union all
select crd, latest_filing_date, 'ADV' from adviser where latest_filing_id is null and latest_filing_date is not null`,
)
