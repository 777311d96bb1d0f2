/** Selects the report that is used for each fund and period: the report filed last. */
import { accession, boolean, cik, date, nameWords, rollup, text, usd } from '../../declare/table.ts'

export const standing = rollup(
  'nport.standing',
  'One row per fund and period: the last filed report about that period, which replaces earlier ones',
  ['fund', 'period'],
  {
    fund: text('Key of the fund: CIK of the registrant, followed by a dash and its series if it has one'),
    cik: cik('CIK of the registrant'),
    series_id: text('Series, S and nine digits; null for a fund without series').nullable(),
    fund_name: text('Name of the series; without one, the name of the registrant').nullable(),
    registrant_name: text('Name of the registrant').nullable(),
    period: date('Day as of which holdings are reported'),
    quarter: date(
      'Last day of the quarter of the period, by which the holdings are stored; 0001-01-01 if it is impossible',
    ),
    accession: accession('The last filed report about the period'),
    filed_date: date('Date the SEC gives as the filing date'),
    is_newest: boolean('True if no report of the fund is about a later period'),
    net_assets: usd('B.1.c: net assets').nullable(),
  },
  {
    indexes: [
      '(accession)',
      '(cik, is_newest)',
      '(series_id, period desc) where series_id is not null',
      '(quarter, fund)',
      '(net_assets desc, fund) where is_newest',
    ],
  },
)

const { is_newest: _, quarter: __, ...newest } = standing.columns

export const fund = rollup(
  'nport.fund',
  'One row per fund, from the report of its newest period',
  ['fund'],
  {
    ...newest,
    is_final: boolean('A.4: true if the fund marks its newest report as its last').nullable(),
    name_key: text('Names of series and registrant for comparisons: lower case, without accents'),
    name_words: nameWords('Search words of the names of series and registrant (names.ts)'),
  },
  {
    indexes: [
      '(net_assets, fund)',
      '(net_assets desc nulls last, fund desc)',
      '(period, fund)',
      '(name_key, fund)',
      'using gin (name_words)',
      'using gin (name_key public.gin_trgm_ops)',
    ],
  },
)
