/** Selects the report that is used for each fund and period: the report filed last. */
import { accession, boolean, cik, date, nameWords, rollup, text, usd } from '../../declare/table.ts'

export const standing = rollup(
  'nport.standing',
  'One row per fund and period: the report that counts, the newest filed about that period',
  ['fund', 'period'],
  {
    fund: text('Key of the fund: CIK of the registrant, followed by a dash and its series if it has one'),
    cik: cik('CIK of the registrant'),
    series_id: text('Series, S and nine digits; null for a fund without series').nullable(),
    fund_name: text('Name of the series, or of the registrant where there is none').nullable(),
    registrant_name: text('Name of the registrant').nullable(),
    period: date('The day as of which holdings are reported'),
    quarter: date('Quarter by which the holdings are stored: its last day'),
    accession: accession('The report that counts'),
    filed_date: date('Date the SEC gives as its filing date'),
    is_newest: boolean('No later period of the fund is reported'),
    net_assets: usd('Net assets').nullable(),
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
    is_final: boolean('A.4: that report is the last of the fund').nullable(),
    name_key: text('Name of fund and registrant as they are compared: accents stripped, lower case'),
    name_words: nameWords('The words by which fund and registrant are found: names.ts'),
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
