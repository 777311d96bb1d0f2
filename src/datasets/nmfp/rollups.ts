/** Rollups: the report that is used for each money market fund, and the advisers that these reports name. */
import { accession, boolean, cik, date, nameWords, ratio, rollup, text, usd } from '../../declare/table.ts'

const fund = text('The fund: CIK and series identifier, 0000862021-S000011990')
const facts = {
  cik: cik('CIK of the registrant'),
  series_id: text('EDGAR series identifier of the fund').nullable(),
  fund_name: text('Name of the fund, if the report has one (N-MFP3)').nullable(),
  registrant_name: text('Name of the registrant').nullable(),
}
const figures = {
  net_assets: usd('Net assets, US dollars').nullable(),
  seven_day_gross_yield: ratio('Seven-day gross yield, as report has it').nullable(),
  category: text('Category, in the words of the form').nullable(),
}

export const standing = rollup(
  'nmfp.standing',
  'One row per fund and month, with the report that counts: the last filed about that month',
  ['fund', 'period'],
  {
    fund,
    period: date('Last day of the month that is reported'),
    ...facts,
    quarter: date('Last day of the quarter of that month'),
    accession: accession('The report'),
    filed_date: date('Date the SEC gives as its filing date'),
    is_newest: boolean('The newest month of the fund: a late amendment of an older month does not shadow it'),
    is_final: boolean('The fund’s last filing on this form').nullable(),
    ...figures,
  },
  { indexes: ['(accession)', '(period, fund) where is_newest'] },
)

export const fund_now = rollup(
  'nmfp.fund_now',
  'One row per money market fund, as the report of its newest month shows it',
  ['fund'],
  {
    fund,
    ...facts,
    period: date('Last day of its newest month'),
    accession: accession('The report of that month'),
    filed_date: date('Date the SEC gives as its filing date'),
    is_final: boolean('The fund’s last filing on this form').nullable(),
    ...figures,
    name_key: text('Name of the fund, else of the registrant, as it is compared'),
    name_words: nameWords('The words by which names of fund and registrant are found: names.ts').nullable(),
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
  'One row per fund and an adviser or subadviser that reports which count name, by number and name as they name it',
  ['fund', 'role', 'number_key', 'name_key'],
  {
    fund,
    role: text('Role for the fund', { values: ['adviser', 'subadviser'] }),
    number_key: text('Its SEC file number as numbers are compared: 801-16048; empty where reports have none'),
    name_key: text('Its name as it is compared; empty where reports have none'),
    name: text('Its name as the newest of these reports has it').nullable(),
    first_period: date('First month whose report names it'),
    last_period: date('Last month whose report names it'),
    accession: accession('The report of that last month'),
  },
  { indexes: ["(number_key) where number_key <> ''", '(name_key)'] },
)
