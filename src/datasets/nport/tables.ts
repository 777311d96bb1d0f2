/**
 * Form N-PORT, the portfolio of a registered fund at the end of a month. This file has the report's data about the
 * fund; `tables/lines.ts` has the holdings, hundreds of millions in all.
 */
import {
  boolean,
  cik,
  count,
  date,
  fileNumber,
  integer,
  json,
  nameWords,
  percent,
  table,
  text,
  texts,
  usd,
} from '../../declare/table.ts'
import { classification, term } from './tables/json.ts'

const lei = (meaning: string) => text(meaning, { entity: 'lei' })

export const report = table(
  'nport.report',
  'One row per filing: the fund, the day as of which it reports, and its assets and liabilities',
  [],
  {
    submission_type: text('Form type: NPORT-P, or NPORT-P/A for an amendment'),
    is_amendment: boolean('True if the form type is that of an amendment (NPORT-P/A)'),
    is_confidential: boolean('True if the header of the filing marks it as confidential').nullable(),
    fund: text('Key of the fund: CIK of the registrant, followed by a dash and its series if it has one').nullable(),
    cik: cik('A.1.c: CIK of the registrant', { named: 'registrant_name' }).nullable(),
    series_id: text('A.2.b: series, S and nine digits; null for a fund without series').nullable(),
    fund_name: text('Name of the series; without one, the name of the registrant').nullable(),
    name_key: text('Names of series and registrant for comparisons: lower case, without accents').nullable(),
    name_words: nameWords('Search words of the names of series and registrant (names.ts)').nullable(),
    registrant_name: text('A.1.a: name of the registrant').nullable(),
    file_number: fileNumber('A.1.b: Investment Company Act file number, 811-').nullable(),
    registrant_lei: lei('A.1.d: LEI of the registrant').nullable(),
    street1: text('A.1.e: street of the registrant').nullable(),
    street2: text('A.1.e: second line of the street').nullable(),
    city: text('A.1.e: city').nullable(),
    state: text('A.1.e: state, as US- and the code of the state').nullable(),
    country: text('A.1.e: country, ISO code').nullable(),
    zip: text('A.1.e: postal code').nullable(),
    phone: text('A.1.e: telephone, as filed').nullable(),
    series_name: text('A.2.a: name of the series').nullable(),
    series_lei: lei('A.2.c: LEI of the series').nullable(),
    class_ids: texts('Ids of the share classes named in the header, each C and nine digits'),
    company_type: text(
      'Type of the investment company in the header, as its registration form: N-1A, N-2 …',
    ).nullable(),
    period: date('A.3.b: day as of which holdings are reported').nullable(),
    fiscal_year_end: date('A.3.a: last day of the fiscal year, which may be in the future').nullable(),
    is_final: boolean('A.4: true if the fund marks this as its last report').nullable(),
    total_assets: usd('B.1.a: total assets').nullable(),
    total_liabilities: usd('B.1.b: total liabilities').nullable(),
    net_assets: usd('B.1.c: net assets').nullable(),
    miscellaneous_securities: usd(
      'B.2.a: value of miscellaneous securities, which are reported to the SEC in confidence',
    ).nullable(),
    foreign_corporation_assets: usd('B.2.b: assets in a foreign corporation that the fund controls').nullable(),
    owed_banks_year: usd('B.2.c: amount payable within one year to banks and other lenders').nullable(),
    owed_controlled_year: usd('B.2.c: amount payable within one year to companies that the fund controls').nullable(),
    owed_affiliates_year: usd('B.2.c: amount payable within one year to other affiliates').nullable(),
    owed_others_year: usd('B.2.c: amount payable within one year to others').nullable(),
    owed_banks_later: usd('B.2.c: amount payable after one year to banks and other lenders').nullable(),
    owed_controlled_later: usd('B.2.c: amount payable after one year to companies that the fund controls').nullable(),
    owed_affiliates_later: usd('B.2.c: amount payable after one year to other affiliates').nullable(),
    owed_others_later: usd('B.2.c: amount payable after one year to others').nullable(),
    delayed_delivery: usd('B.2.d: payables for securities bought for delayed delivery').nullable(),
    standby_commitments: usd('B.2.d: payables for standby commitments').nullable(),
    liquidation_preference: usd('B.2.e: liquidation preference of preferred stock').nullable(),
    cash_not_reported: usd('B.2.f: cash and cash equivalents that Parts C and D do not report').nullable(),
    has_noncash_collateral: boolean(
      'B.4.b: true if the fund received collateral other than cash for securities on loan',
    ).nullable(),
    highly_liquid_minimum: percent('B.7.a: minimum of highly liquid investments, per cent of net assets').nullable(),
    highly_liquid_days: integer('B.7.b: number of days on which highly liquid investments were below their minimum', {
      unit: 'days',
    }).nullable(),
    highly_liquid_changed: boolean(
      'B.7.c: true if the minimum of highly liquid investments changed in the period',
    ).nullable(),
    highly_liquid_before: texts(
      'B.7.c: earlier minimums of highly liquid investments in the period, per cent of net assets',
    ),
    derivative_classification: text('B.8: text filed in place of the classes, usually N/A').nullable(),
    derivative_classes: json(
      classification,
      'B.8: highly liquid investments pledged for derivatives, by liquidity class of the derivatives',
    ).nullable(),
    derivative_exposure: percent('B.9.a: derivatives exposure, per cent of net assets').nullable(),
    currency_derivative_exposure: percent(
      'B.9.b: exposure from currency derivatives that hedge, per cent of net assets',
    ).nullable(),
    rate_derivative_exposure: percent(
      'B.9.c: exposure from interest rate derivatives that hedge, per cent of net assets',
    ).nullable(),
    exposure_excess_days: integer(
      'B.9.d: number of business days on which derivatives exposure was above a tenth of net assets',
      { unit: 'days' },
    ).nullable(),
    var_median: percent('B.10.a: median daily VaR, per cent of net assets').nullable(),
    var_index_name: text(
      'B.10.b: name of the designated index, with whose VaR the VaR of the fund is compared',
    ).nullable(),
    var_index_id: text('B.10.b: identifier of the designated index').nullable(),
    var_median_ratio: percent('B.10.b: median ratio of the fund’s VaR to that of the designated index').nullable(),
    var_exceptions: count('B.10.c: number of days on which the backtest found a loss above the VaR').nullable(),
    names_rule_terms: json(term, 'B.11.a: terms of the fund’s name that need an 80 per cent policy').nullable(),
    names_rule_basket: percent(
      'B.11.b: investments in the 80 per cent basket (those that the name of the fund suggests), per cent of assets',
    ).nullable(),
    signed: date('Day of signing').nullable(),
    applicant: text('Name of the registrant in the signature block').nullable(),
    signature: text('Signature, as signed').nullable(),
    signer: text('Name of the person who signed').nullable(),
    signer_title: text('Title of the person who signed').nullable(),
    holding_count: count('Number of holdings that were read from the filing'),
    holdings_value: usd('Total value of the holdings that were read; holdings without a value are left out'),
  },
  {
    indexes: [
      // Finds the reports of a fund about a period; the report filed last is used.
      '(fund, period desc, filed_date desc, accession desc)',
      '(cik)',
      '(series_id) where series_id is not null',
    ],
  },
)

const months = (what: string, of: 'usd' | 'percent') => {
  const kind = of === 'usd' ? usd : percent
  return {
    month1: kind(`${what} in the first month of the quarter`).nullable(),
    month2: kind(`${what} in the second month of the quarter`).nullable(),
    month3: kind(`${what} in the third month, which ends on the day of the report`).nullable(),
  }
}

export const flow = table(
  'nport.flow',
  'One row per kind of flow (sales, reinvestments, redemptions of shares), with its amount by month',
  ['kind'],
  {
    kind: text('B.6: sales of shares, reinvestment of distributions, or redemptions', {
      values: ['sales', 'reinvestment', 'redemption'],
    }),
    ...months('Amount', 'usd'),
  },
)

export const class_return = table('nport.class_return', 'One row per class: its total returns by month', ['position'], {
  position: integer('Order in the filing, from 1'),
  class_id: text('B.5.a: id of the share class, C and nine digits; null for a fund without classes').nullable(),
  ...months('Total return', 'percent'),
})

export const gain = table(
  'nport.gain',
  'One row per kind of contract and instrument: gains of derivatives by month. other_investments: all other investments',
  ['position'],
  {
    position: integer('Order in the filing, from 1'),
    contract: text(
      'B.5.c: kind of derivative contract; other_investments (B.5.d): all investments other than derivatives',
      {
        values: [
          ...['commodity', 'credit', 'equity', 'foreign_exchange', 'interest_rate', 'other', 'other_investments'],
        ],
      },
    ),
    instrument: text('B.5.c: kind of instrument; null if the row is the total of the kind of contract', {
      values: ['forward', 'future', 'option', 'swaption', 'swap', 'warrant', 'other'],
    }).nullable(),
    realized1: usd('Net realized gain in the first month of the quarter').nullable(),
    realized2: usd('Net realized gain in the second month').nullable(),
    realized3: usd('Net realized gain in the third month').nullable(),
    unrealized1: usd('Net change of unrealized appreciation in the first month').nullable(),
    unrealized2: usd('Net change of unrealized appreciation in the second month').nullable(),
    unrealized3: usd('Net change of unrealized appreciation in the third month').nullable(),
  },
)

const change = (term: string) => usd(`Change of the portfolio’s value, for maturities around ${term}`).nullable()

export const rate_risk = table(
  'nport.rate_risk',
  'One row per currency and change of interest rates, or per credit grade: how the value of the portfolio changes',
  ['position'],
  {
    position: integer('Order in the filing, from 1'),
    kind: text(
      'B.3: assumed change. rate_1bp, rate_100bp: interest rates change by 1 or 100 basis points. spread_investment_grade, spread_other_grade: credit spreads change by 1 basis point',
      {
        values: ['rate_1bp', 'rate_100bp', 'spread_investment_grade', 'spread_other_grade'],
      },
    ),
    currency: text('Currency of the interest rates; null for credit spreads').nullable(),
    months3: change('three months'),
    year1: change('one year'),
    years5: change('five years'),
    years10: change('ten years'),
    years30: change('thirty years'),
  },
)

export const borrower = table('nport.borrower', 'One row per borrower of securities', ['position'], {
  position: integer('Order in the filing, from 1'),
  name: text('B.4.a: name of the borrower').nullable(),
  lei: lei('B.4.a: LEI of the borrower').nullable(),
  value: usd('B.4.a: value of all securities on loan to the borrower').nullable(),
})

export const collateral = table(
  'nport.collateral',
  'One row per kind of collateral other than cash that was received for securities on loan',
  ['position'],
  {
    position: integer('Order in the filing, from 1'),
    category: text('B.4.b: kind of collateral: ABS, UST …, or Other instrument').nullable(),
    description: text('B.4.b: description of the collateral if its kind is Other instrument').nullable(),
    principal: usd('B.4.b: principal amount of the collateral').nullable(),
    value: usd('B.4.b: value of the collateral').nullable(),
  },
)

export const note = table('nport.note', 'One row per explanatory note', ['position'], {
  position: integer('Order in the filing, from 1'),
  item: text('Item of the form that the note explains').nullable(),
  note: text('Text of the note, as filed').nullable(),
})

export const quality = table(
  'nport.quality',
  'One row per filing: how much of it was read, and whether its holdings add up to the stated totals',
  [],
  {
    source: text('Source of the report. xml: its document. set: a quarterly data set', { values: ['xml', 'set'] }),
    line_count: count('Number of holdings in the document'),
    lines_read: count('Number of holdings that were read; the others have a fault'),
    cut_off: text('Reason why reading stopped before the end of the document; null if it did not').nullable(),
    values_missing: count('Number of holdings without a stated value'),
    balances_missing: count('Number of holdings without a balance (N/A or not readable)'),
    cusips_flagged: count(
      'Number of holdings with a CUSIP that has a wrong length or check digit, or is a placeholder',
    ),
    unnamed: count('Number of holdings without a sec_id: without a usable CUSIP or ISIN, and without a name'),
    private: count('Number of holdings that seem to be private (is_private)'),
    percent_total: percent('Sum of the holdings’ percentages of net assets, as filed').nullable(),
    percent_differ: count('Number of holdings whose stated percentage of net assets is wrong by more than 0.01 points'),
    net_assets_differ: usd('Value of all holdings minus net assets').nullable(),
    total_assets_differ: usd(
      'Value of all holdings, plus cash (B.2.f) and miscellaneous securities (B.2.a), minus total assets',
    ).nullable(),
    notes: texts(
      'Faults. cut_off: the document was not read to its end; lines_unread: holdings were not read; no_fund_info: net assets are missing; above_total_assets: the sum of holdings, cash and miscellaneous securities is more than 5 per cent above total assets; below_net_assets: this sum is more than 5 per cent below net assets; percent_differs: see percent_differ',
    ),
  },
)
