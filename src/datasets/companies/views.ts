/** Views of companies that other slices may read. */
import { date, text } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'
import { search_name, search_word } from './rollups.ts'
import { company as companies, former_name, listed_ticker, ticker as tickers } from './tables.ts'

const { cik, name, entity_type, sic, sic_description, ein, lei } = companies.columns

const series = { SUBMISSIONS: 'profiles of companies from their JSON files are not known' }

export const company = view(
  'pub.companies_company',
  'One row per filer whose JSON file was read',
  { cik, name, entity_type, sic, sic_description, ein, lei },
  `
select
  cik,
  name,
  entity_type,
  sic,
  sic_description,
  ein,
  lei
from company`,
  { series },
)

export const formerName = view(
  'pub.companies_former_name',
  'One row per former name of a filer, from its JSON file',
  former_name.columns,
  'select cik, name, from_day, to_day from former_name',
  { series },
)

/**
 * A row from a list has the first and last day on which the list had the ticker. A row from a company's own file has
 * only the day since which the file is unchanged. The company may have had the ticker before that day.
 */
export const ticker = view(
  'pub.companies_ticker',
  'One row per ticker of a company and source that has the ticker',
  {
    cik,
    ticker: listed_ticker.columns.ticker,
    name: listed_ticker.columns.name,
    exchange: tickers.columns.exchange,
    first_seen: date('Day of the first file that is known to have the ticker'),
    last_seen: date('Day of the last file that has the ticker'),
    gone_on: date(
      'Day of the first list without the ticker; null while the list has it, and for tickers from the company’s JSON file',
    ).nullable(),
    source: text('Source of the row: submissions (the company’s JSON file), or the list that has the ticker'),
    series_id: listed_ticker.columns.series_id,
    class_id: listed_ticker.columns.class_id,
  },
  `
select
  t.cik,
  t.ticker,
  null::text as name,
  max(t.exchange) as exchange,
  r.changed_day as first_seen,
  e.to_day as last_seen,
  null::date as gone_on,
  'submissions' as source,
  null::text as series_id,
  null::text as class_id
from ticker t
join bulk.record r on r.series = 'SUBMISSIONS' and r.key = t.cik
join bulk.edition e on e.series = r.series and e.name = r.edition
where t.ticker is not null
group by t.cik, t.ticker, r.changed_day, e.to_day
union all
select
  t.cik,
  t.ticker,
  t.name,
  t.exchange,
  r.first_day,
  coalesce(r.gone_day, (select max(to_day) from bulk.edition n where n.series = r.series and n.state = 'done'), r.changed_day),
  r.gone_day,
  t.source,
  t.series_id,
  t.class_id
from listed_ticker t
join bulk.record r on r.key = t.id
  and r.series = case t.source
    when 'company_tickers' then 'TICKERS' when 'company_tickers_exchange' then 'TICKERS_EXCHANGE' else 'TICKERS_FUND' end`,
  { series: { ...series, TICKERS: 'the SEC’s list of tickers is not known' } },
)

export const names = view(
  'pub.companies_name',
  'One row per company and current or former name, for the search of names.ts',
  search_name.columns,
  'select cik, key, words, kind, band, weight from search_name',
  { series },
)

export const words = view(
  'pub.companies_word',
  'One row per word of the names in pub.companies_name, with the keys that find it for a mistyped word',
  search_word.columns,
  'select word, names, near from search_word',
  { series },
)
