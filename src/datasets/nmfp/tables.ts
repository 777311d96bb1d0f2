/**
 * Form N-MFP, the monthly report of a money market fund. The tables have the same columns for its four generations. A
 * fact has one column, even if the generations name the fact differently. If only some generations have a fact, its
 * column is null for the other generations, and the description of the column names the generations.
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
    submission_type: text('Form type that the document states, for example N-MFP2/A'),
    generation: text(
      'Generation of the form. N-MFP3 and N-MFP2 are recognised by elements that only they have, the other generations by the form type',
      {
        values: ['N-MFP', 'N-MFP1', 'N-MFP2', 'N-MFP3'],
      },
    ),
    is_amendment: boolean('True if the form type of the document is that of an amendment'),
    fund: text(
      'Key of the fund: CIK of the registrant and series identifier, for example 0000862021-S000011990',
    ).nullable(),
    cik: cik('CIK of the registrant', { named: 'registrant_name' }).nullable(),
    series_id: text('EDGAR series identifier of the fund').nullable(),
    period: date('Last day of the reported month').nullable(),
    registrant_name: text(
      'Name of the registrant: from Part A (N-MFP3), else from the signature block (N-MFP1, N-MFP2), else from EDGAR’s header',
    ).nullable(),
    registrant_lei: text('LEI of the registrant (N-MFP1 and later)', { entity: 'lei' }).nullable(),
    fund_name: text('Name of the series (N-MFP3)').nullable(),
    fund_lei: text('LEI of the series (N-MFP3)', { entity: 'lei' }).nullable(),
    name_key: text('Name of the fund, else of the registrant, for comparisons: lower case, without accents').nullable(),
    name_words: nameWords('Search words of the names of fund and registrant (names.ts)').nullable(),
    class_count: count('Number of share classes of the series, as declared').nullable(),
    is_final: boolean('Item A.4: true if the fund marks this as its last filing on Form N-MFP').nullable(),
    is_liquidating: boolean('True if the fund is liquidating').nullable(),
    is_merging: boolean('True if the fund merges with another fund or is acquired by it').nullable(),
    has_acquired: boolean('True if the fund acquired or merged with another fund since its last filing').nullable(),
    is_paper_copy: boolean('True for an electronic copy of a report that was filed on paper (N-MFP)').nullable(),
    securities_act_file_number: fileNumber('Securities Act file number of the fund, 002- or 333-').nullable(),
    is_feeder: boolean('True for a feeder fund').nullable(),
    is_master: boolean('True for a master fund').nullable(),
    for_insurance_accounts: boolean(
      'True if the fund is used primarily to fund separate accounts of insurance companies',
    ).nullable(),
    category: text('Category of the fund in the words of the form; several (N-MFP2) are joined by commas').nullable(),
    is_retail: boolean(
      'True for a retail fund; in N-MFP1 and N-MFP2, for an exempt retail fund. Null for N-MFP, which does not ask this',
    ).nullable(),
    is_government: boolean(
      'True for a government fund, which typically invests at least 99.5 % in government securities and cash (N-MFP3)',
    ).nullable(),
    average_maturity: days('Dollar-weighted average maturity of the portfolio (WAM)').nullable(),
    average_life: days('Dollar-weighted average life of the portfolio (WAL)').nullable(),
    daily_liquid_assets: usd(
      'Daily liquid assets on liquid_day, the newest reported day (N-MFP1 and later)',
    ).nullable(),
    weekly_liquid_assets: usd('Weekly liquid assets on liquid_day (N-MFP1 and later)').nullable(),
    daily_liquid_ratio: ratio(
      'Daily liquid assets as a fraction of total assets on liquid_day (N-MFP1 and later)',
    ).nullable(),
    weekly_liquid_ratio: ratio(
      'Weekly liquid assets as a fraction of total assets on liquid_day (N-MFP1 and later)',
    ).nullable(),
    liquid_day: date('Day of the daily and weekly liquid assets of this row (N-MFP1 and later)').nullable(),
    cash: usd('Cash, US dollars (N-MFP1 and later)').nullable(),
    securities_value: usd('Value of portfolio securities, US dollars (N-MFP1 and later)').nullable(),
    amortized_cost: usd('Amortized cost of portfolio securities, US dollars').nullable(),
    other_assets: usd('Value of other assets, US dollars').nullable(),
    liabilities: usd('Value of liabilities, US dollars').nullable(),
    net_assets: usd('Net assets of the series, US dollars').nullable(),
    shares_outstanding: fundUnits('Shares outstanding (N-MFP1 and later)').nullable(),
    seeks_stable_price: boolean('True if the fund seeks to maintain a stable price per share (N-MFP3)').nullable(),
    stable_price: perShare('Stable price per share that the fund seeks to maintain').nullable(),
    seven_day_gross_yield: ratio(
      'Seven-day gross yield as filed, on yield_day: 0.0532 is 5.32 % in N-MFP1 and later. N-MFP3 has one for each day; this is the newest',
    ).nullable(),
    yield_day: date('Day of the seven-day gross yield').nullable(),
    nav_per_share: perShare(
      'Net asset value per share of the series on the newest day reported, see nav_day (N-MFP1 and later)',
    ).nullable(),
    nav_day: date('Day of the net asset value per share (N-MFP1 and later)').nullable(),
    shadow_price: perShare(
      'Shadow price (market-based value) of a share of the series, with capital support (N-MFP)',
    ).nullable(),
    shadow_price_day: date('Day of the shadow price with capital support (N-MFP)').nullable(),
    shadow_price_unsupported: perShare('Shadow price of a share without capital support (N-MFP)').nullable(),
    shadow_price_unsupported_day: date('Day of the shadow price without capital support (N-MFP)').nullable(),
    is_cash_vehicle: boolean('True for a cash management vehicle for affiliated funds (N-MFP3)').nullable(),
    has_liquidity_fee: boolean('True if the fund applied a liquidity fee in the month (N-MFP3)').nullable(),
    read_class_count: count('Number of share classes that were read'),
    holding_count: count('Number of portfolio securities that were read'),
    other_disposed: text('Part D: description of the other instruments that the fund disposed of (N-MFP3)').nullable(),
    signed_by: text('Name of the registrant in the signature block (N-MFP1 and later)').nullable(),
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
  'One row per firm that serves the fund and role of the firm',
  ['position'],
  {
    position: integer('Order in the filing, from 1'),
    role: text('Role of the firm', {
      values: ['adviser', 'subadviser', 'accountant', 'administrator', 'transfer_agent'],
    }),
    name: text('Name of the firm as filed').nullable(),
    name_key: text('Name for comparisons: lower case, without accents').nullable(),
    file_number: fileNumber('SEC file number: 801- of an adviser, 084- or 085- of a transfer agent').nullable(),
    number_key: text('File number in the form used for comparisons, for example 801-16048').nullable(),
    cik: cik('CIK of a transfer agent; null for other roles', { named: 'name' }).nullable(),
    city: text('City of an accountant; null for other roles').nullable(),
    state: text('State or country of an accountant as an EDGAR code; null for other roles').nullable(),
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
  'One row per other fund that the filing names, with its relation to the reporting fund',
  ['position'],
  {
    position: integer('Order in the filing, from 1'),
    relation: text(
      'Relation of the other fund. successor: it acquired the reporting fund or merged with it. acquired: the reporting fund acquired it. master, feeder: it is the master or a feeder of the reporting fund',
      {
        values: ['successor', 'acquired', 'master', 'feeder'],
      },
    ),
    name: text('Name of the other fund as filed').nullable(),
    cik: cik('CIK of the registrant of the other fund', { named: null }).nullable(),
    file_number: fileNumber('Securities Act file number of the other fund').nullable(),
    series_id: text('EDGAR series identifier of the other fund').nullable(),
  },
  { indexes: ['(cik) where cik is not null'] },
)

export const share_class = table('nmfp.share_class', 'One row per share class of the fund', ['class_position'], {
  class_position: integer('Order in the filing, from 1'),
  class_id: text('EDGAR class identifier').nullable(),
  name: text('Full name of the class (N-MFP3)').nullable(),
  min_investment: usd('Minimum initial investment').nullable(),
  net_assets: usd('Net assets of the class, US dollars').nullable(),
  shares_outstanding: fundUnits('Shares outstanding (N-MFP1 and later)').nullable(),
  month_subscriptions: usd('Gross subscriptions in the month, US dollars').nullable(),
  month_redemptions: usd('Gross redemptions in the month, US dollars').nullable(),
  month_net_flow: usd('Net shareholder flow in the month, US dollars (N-MFP)').nullable(),
  seven_day_net_yield: ratio(
    'Seven-day net yield as filed: 0.0532 is 5.32 % in N-MFP1 and later. N-MFP3 has one for each day; this is the newest',
  ).nullable(),
  nav_per_share: perShare(
    'Net asset value per share; the newest value if the form states one for each of several days',
  ).nullable(),
  shadow_price: perShare('Shadow price (market-based value) of a share, with capital support (N-MFP)').nullable(),
  shadow_price_day: date('Day of the shadow price with capital support (N-MFP)').nullable(),
  shadow_price_unsupported: perShare('Shadow price of a share without capital support (N-MFP)').nullable(),
  shadow_price_unsupported_day: date('Day of the shadow price without capital support (N-MFP)').nullable(),
  is_expense_paid: boolean('True if a person paid or waived expenses of the class (N-MFP1 and later)').nullable(),
  expense_payer: text(
    'Name of the person that paid or waived expenses, and description of the expenses (N-MFP1, N-MFP2)',
  ).nullable(),
  expense_paid: usd('Amount of expenses paid or waived (N-MFP3)').nullable(),
  has_cancelled_shares: boolean(
    'True if shares of the class were cancelled because of negative interest rates (N-MFP3)',
  ).nullable(),
  other_holders: text('Description of the investors of the kind Other (N-MFP3)').nullable(),
})
