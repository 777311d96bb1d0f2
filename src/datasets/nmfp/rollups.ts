/** Rollups: the report that is used for each money market fund, and the advisers that these reports name. */
import { accession, boolean, cik, date, nameWords, ratio, rollup, text, usd } from '../../declare/table.ts'

const fund = text('Key of the fund: CIK of the registrant and series identifier, for example 0000862021-S000011990')
const facts = {
  cik: cik('CIK of the registrant'),
  series_id: text('EDGAR series identifier of the fund').nullable(),
  fund_name: text('Name of the fund; null if the report has none (only N-MFP3 has it)').nullable(),
  registrant_name: text('Name of the registrant').nullable(),
}
const figures = {
  net_assets: usd('Net assets of the fund').nullable(),
  seven_day_gross_yield: ratio('Seven-day gross yield as filed: 0.0532 is 5.32 % in N-MFP1 and later').nullable(),
  category: text('Category of the fund in the words of the form').nullable(),
}

export const standing = rollup(
  'nmfp.standing',
  'One row per fund and month: the last filed report about that month, which replaces earlier ones',
  ['fund', 'period'],
  {
    fund,
    period: date('Last day of the reported month'),
    ...facts,
    quarter: date('Last day of the quarter of the reported month; 0001-01-01 if it is impossible'),
    accession: accession('The last filed report about the month'),
    filed_date: date('Date the SEC gives as the filing date'),
    is_newest: boolean('True for the newest month of the fund; late amendments of older months do not change it'),
    is_final: boolean('True if the fund marks this as its last filing on Form N-MFP').nullable(),
    ...figures,
  },
  { indexes: ['(accession)', '(period, fund) where is_newest'] },
)

export const fund_now = rollup(
  'nmfp.fund_now',
  'One row per money market fund, from the report of its newest month',
  ['fund'],
  {
    fund,
    ...facts,
    period: date('Last day of the newest month reported by the fund'),
    accession: accession('The report of the newest month'),
    filed_date: date('Date the SEC gives as the filing date'),
    is_final: boolean('True if the fund marks this as its last filing on Form N-MFP').nullable(),
    ...figures,
    name_key: text('Name of the fund, else of the registrant, for comparisons: lower case, without accents'),
    name_words: nameWords('Search words of the names of fund and registrant (names.ts)').nullable(),
  },
  {
    indexes: [
      // The orders of the list. Missing figures come last in either direction, so those orders have two indexes.
      '(seven_day_gross_yield, fund)',
      '(seven_day_gross_yield desc nulls last, fund desc)',
      '(net_assets, fund)',
      '(net_assets desc nulls last, fund desc)',
      '(name_key, fund)',
      '(period, fund)',
    ],
  },
)

export const advised = rollup(
  'nmfp.advised',
  'One row per fund and adviser or subadviser, by role, file number and name, from the last filed report about each month',
  ['fund', 'role', 'number_key', 'name_key'],
  {
    fund,
    role: text('Role of the adviser', { values: ['adviser', 'subadviser'] }),
    number_key: text(
      'SEC file number of the adviser in the form used for comparisons, for example 801-16048; empty if reports have none',
    ),
    name_key: text('Name of the adviser for comparisons: lower case, without accents; empty if reports have none'),
    name: text('Name of the adviser in the newest of these reports, as filed').nullable(),
    first_period: date('First month whose report names the adviser'),
    last_period: date('Last month whose report names the adviser'),
    accession: accession('The report of the last month (last_period)'),
  },
  { indexes: ["(number_key) where number_key <> ''", '(name_key)'] },
)
