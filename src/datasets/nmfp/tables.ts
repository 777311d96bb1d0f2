/**
 * Form N-MFP, the monthly report of a money market fund; its four generations share one shape. A fact has one column,
 * even if the generations name the fact differently. If only some generations have a fact, its column is null for the
 * other generations, and the description of the column names the generations.
 */
import {
  boolean,
  cik,
  count,
  date,
  decimal,
  fileNumber,
  integer,
  nameWords,
  ratio,
  table,
  text,
  usd,
} from '../../declare/table.ts'

export { collateral, holding, rating, support } from './tables/holding.ts'
export { cancelled, disposition, flow, holder, liquidity, liquidity_fee, nav, seven_day_yield } from './tables/list.ts'

const days = (meaning: string) => integer(meaning, { unit: 'days' })
const perShare = (meaning: string) => decimal(meaning, { unit: 'USD_per_share' })
const fundUnits = (meaning: string) => decimal(meaning, { unit: 'shares' })

export const report = table(
  'nmfp.report',
  'One row per filing: a money market fund at the end of a month',
  [],
  {
    submission_type: text('Form code as the document states it: N-MFP2/A'),
    generation: text('Which of the four forms the document is, by its elements', {
      values: ['N-MFP', 'N-MFP1', 'N-MFP2', 'N-MFP3'],
    }),
    is_amendment: boolean('The document amends an earlier one, by its form code'),
    fund: text('The fund: CIK and series identifier, 0000862021-S000011990').nullable(),
    cik: cik('CIK of the registrant', { named: 'registrant_name' }).nullable(),
    series_id: text('EDGAR series identifier of the fund').nullable(),
    period: date('Last day of the month that is reported').nullable(),
    registrant_name: text(
      'Name of the registrant: from the form (N-MFP3), else as it signs (N-MFP1, N-MFP2), else from EDGAR’s header',
    ).nullable(),
    registrant_lei: text('LEI of the registrant (N-MFP1 and later)', { entity: 'lei' }).nullable(),
    fund_name: text('Name of the series (N-MFP3)').nullable(),
    fund_lei: text('LEI of the series (N-MFP3)', { entity: 'lei' }).nullable(),
    name_key: text('Name of the fund, else of the registrant, as it is compared').nullable(),
    name_words: nameWords('The words by which names of fund and registrant are found: names.ts').nullable(),
    class_count: count('Share classes of the series, as declared').nullable(),
    is_final: boolean('Item A.4: the fund’s last filing on this form').nullable(),
    is_liquidating: boolean('The fund is liquidating').nullable(),
    is_merging: boolean('The fund merges with, or is acquired by, another fund').nullable(),
    has_acquired: boolean('The fund acquired or merged with another since the last filing').nullable(),
    is_paper_copy: boolean('An electronic copy of a report filed on paper (N-MFP)').nullable(),
    securities_act_file_number: fileNumber('Securities Act file number').nullable(),
    is_feeder: boolean('A feeder fund').nullable(),
    is_master: boolean('A master fund').nullable(),
    for_insurance_accounts: boolean('Used primarily to fund insurance company separate accounts').nullable(),
    category: text('Category, in the words of the form; several (N-MFP2) with commas').nullable(),
    is_retail: boolean('A retail fund; N-MFP1 and N-MFP2 ask it as exempt retail fund').nullable(),
    is_government: boolean('Typically invests at least 99.5 % in government securities and cash (N-MFP3)').nullable(),
    average_maturity: days('Dollar-weighted average portfolio maturity (WAM)').nullable(),
    average_life: days('Dollar-weighted average life maturity (WAL)').nullable(),
    daily_liquid_assets: usd(
      'Daily liquid assets on the newest day of the list, US dollars (N-MFP1 and later)',
    ).nullable(),
    weekly_liquid_assets: usd('Weekly liquid assets on that day, US dollars (N-MFP1 and later)').nullable(),
    daily_liquid_ratio: ratio('Daily liquid assets, part of total assets, on that day (N-MFP1 and later)').nullable(),
    weekly_liquid_ratio: ratio('Weekly liquid assets, part of total assets, on that day (N-MFP1 and later)').nullable(),
    liquid_day: date('Day of these liquid assets').nullable(),
    cash: usd('Cash, US dollars (N-MFP1 and later)').nullable(),
    securities_value: usd('Value of portfolio securities, US dollars (N-MFP1 and later)').nullable(),
    amortized_cost: usd('Amortized cost of portfolio securities, US dollars').nullable(),
    other_assets: usd('Value of other assets, US dollars').nullable(),
    liabilities: usd('Value of liabilities, US dollars').nullable(),
    net_assets: usd('Net assets of the series, US dollars').nullable(),
    shares_outstanding: fundUnits('Shares outstanding (N-MFP1 and later)').nullable(),
    seeks_stable_price: boolean('Seeks to maintain a stable price per share (N-MFP3)').nullable(),
    stable_price: perShare('The stable price that it seeks to maintain, US dollars a share').nullable(),
    seven_day_gross_yield: ratio(
      'Seven-day gross yield as filed: 0.0532 is 5.32 % in N-MFP1 and later. For a daily list (N-MFP3), that of its newest day',
    ).nullable(),
    yield_day: date('Day of that yield').nullable(),
    nav_per_share: perShare(
      'Net asset value per share of the series on the newest day of its list (N-MFP1 and later)',
    ).nullable(),
    nav_day: date('Day of these liquid assets').nullable(),
    shadow_price: perShare('Shadow price of a share of the series with capital support (N-MFP)').nullable(),
    shadow_price_day: date('Day of that price').nullable(),
    shadow_price_unsupported: perShare('The same price without capital support (N-MFP)').nullable(),
    shadow_price_unsupported_day: date('Day of that price').nullable(),
    is_cash_vehicle: boolean('A cash management vehicle for affiliated funds (N-MFP3)').nullable(),
    has_liquidity_fee: boolean('The fund applied a liquidity fee in the month (N-MFP3)').nullable(),
    read_class_count: count('Share classes that were read'),
    holding_count: count('Portfolio securities that were read'),
    other_disposed: text('Description of the other instruments that it disposed of, Part D (N-MFP3)').nullable(),
    signed_by: text('Registrant as it signs (N-MFP1 and later)').nullable(),
    signature: text('Signature (N-MFP1 and later)').nullable(),
    signer: text('Name of the signing officer (N-MFP1 and later)').nullable(),
    signer_title: text('Title of the signing officer (N-MFP1 and later)').nullable(),
    signed: date('Day of signing (N-MFP1 and later)').nullable(),
  },
  {
    indexes: [
      '(cik, filed_date desc, accession)',
      // Finds the reports of a fund, to refresh the rollup `standing`.
      '(fund, period desc, filed_date, accession)',
    ],
  },
)

/** Advisers and other firms that serve the fund. */
export const provider = table(
  'nmfp.provider',
  'One row per firm that serves the fund, by what it does for it',
  ['position'],
  {
    position: integer('Order in the filing, from 1'),
    role: text('Role for the fund', {
      values: ['adviser', 'subadviser', 'accountant', 'administrator', 'transfer_agent'],
    }),
    name: text('Name as filed').nullable(),
    name_key: text('Name as it is compared').nullable(),
    file_number: fileNumber('SEC file number: 801- of an adviser, 084- or 085- of a transfer agent').nullable(),
    number_key: text('File number as numbers are compared: 801-16048').nullable(),
    cik: cik('CIK of a transfer agent', { named: 'name' }).nullable(),
    city: text('City of an accountant').nullable(),
    state: text('State or country of an accountant as an EDGAR code').nullable(),
  },
  {
    indexes: [
      '(number_key) where number_key is not null',
      '(name_key) where name_key is not null',
      '(cik) where cik is not null',
    ],
  },
)

export const related_fund = table(
  'nmfp.related_fund',
  'One row another fund that the filing names, by what it is to this one',
  ['position'],
  {
    position: integer('Order in the filing, from 1'),
    relation: text('successor: it merges into this one’s place; acquired by this one; its master; its feeder', {
      values: ['successor', 'acquired', 'master', 'feeder'],
    }),
    name: text('Name as filed').nullable(),
    cik: cik('CIK of its registrant', { named: null }).nullable(),
    file_number: fileNumber('Securities Act file number').nullable(),
    series_id: text('EDGAR series identifier').nullable(),
  },
  { indexes: ['(cik) where cik is not null'] },
)

export const share_class = table('nmfp.share_class', 'One row per share class of the fund', ['class_position'], {
  class_position: integer('Order in the filing, from 1'),
  class_id: text('EDGAR class identifier').nullable(),
  name: text('Full name of the class (N-MFP3)').nullable(),
  min_investment: usd('Least initial investment, US dollars').nullable(),
  net_assets: usd('Net assets of the class, US dollars').nullable(),
  shares_outstanding: fundUnits('Shares outstanding (N-MFP1 and later)').nullable(),
  month_subscriptions: usd('Gross subscriptions in the month, US dollars').nullable(),
  month_redemptions: usd('Gross redemptions in the month, US dollars').nullable(),
  month_net_flow: usd('Net shareholder flow in the month, US dollars (N-MFP)').nullable(),
  seven_day_net_yield: ratio(
    'Seven-day net yield as filed: 0.0532 is 5.32 % in N-MFP1 and later. For a daily list (N-MFP3), that of its newest day',
  ).nullable(),
  nav_per_share: perShare('Net asset value per share; for a list, that of its newest day').nullable(),
  shadow_price: perShare('Shadow price of a share with capital support (N-MFP)').nullable(),
  shadow_price_day: date('Day of that price').nullable(),
  shadow_price_unsupported: perShare('The same price without capital support (N-MFP)').nullable(),
  shadow_price_unsupported_day: date('Day of that price').nullable(),
  is_expense_paid: boolean('Somebody paid or waived expenses of the class (N-MFP1 and later)').nullable(),
  expense_payer: text('Who paid or waived, and which expenses (N-MFP1, N-MFP2)').nullable(),
  expense_paid: usd('Amount paid or waived, US dollars (N-MFP3)').nullable(),
  has_cancelled_shares: boolean('Shares were cancelled for negative interest (N-MFP3)').nullable(),
  other_holders: text('Description of the other investors (N-MFP3)').nullable(),
})
