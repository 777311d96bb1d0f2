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
  'One row per filing: the fund, the day it is about, and its assets and liabilities',
  [],
  {
    submission_type: text('NPORT-P, or NPORT-P/A for an amendment'),
    is_amendment: boolean('The filing amends an earlier one, by its form type'),
    is_confidential: boolean('The filing says that it is confidential').nullable(),
    fund: text('Key of the fund: CIK of the registrant, followed by a dash and its series if it has one').nullable(),
    cik: cik('A.1.c: CIK of the registrant', { named: 'registrant_name' }).nullable(),
    series_id: text('A.2.b: series, S and nine digits; null for a fund without series').nullable(),
    fund_name: text('Name of the series, or of the registrant where there is none').nullable(),
    name_key: text('Name of fund and registrant as they are compared: accents stripped, lower case').nullable(),
    name_words: nameWords('The words by which name and registrant are found: names.ts').nullable(),
    registrant_name: text('A.1.a: name of the registrant').nullable(),
    file_number: fileNumber('A.1.b: Investment Company Act file number, 811-').nullable(),
    registrant_lei: lei('A.1.d: LEI of the registrant').nullable(),
    street1: text('A.1.e: street of the registrant').nullable(),
    street2: text('A.1.e: second line of the street').nullable(),
    city: text('A.1.e: city').nullable(),
    state: text('A.1.e: state, US and its code').nullable(),
    country: text('A.1.e: country, ISO code').nullable(),
    zip: text('A.1.e: postal code').nullable(),
    phone: text('A.1.e: telephone, as filed').nullable(),
    series_name: text('A.2.a: name of the series').nullable(),
    series_lei: lei('A.2.c: LEI of the series').nullable(),
    class_ids: texts('Classes of the series in the header, C and nine digits'),
    company_type: text('Type of the investment company in the header: N-1A, N-2 …').nullable(),
    period: date('A.3.b: the day as of which holdings are reported').nullable(),
    fiscal_year_end: date('A.3.a: last day of the fiscal year, which may lie ahead').nullable(),
    is_final: boolean('A.4: the last report of the fund').nullable(),
    total_assets: usd('B.1.a: total assets').nullable(),
    total_liabilities: usd('B.1.b: total liabilities').nullable(),
    net_assets: usd('B.1.c: net assets').nullable(),
    miscellaneous_securities: usd('B.2.a: assets in securities that are reported in confidence').nullable(),
    foreign_corporation_assets: usd('B.2.b: assets in a foreign corporation that the fund controls').nullable(),
    owed_banks_year: usd('B.2.c: owed within a year to banks and other lenders').nullable(),
    owed_controlled_year: usd('B.2.c: owed within a year to companies it controls').nullable(),
    owed_affiliates_year: usd('B.2.c: owed within a year to other affiliates').nullable(),
    owed_others_year: usd('B.2.c: owed within a year to others').nullable(),
    owed_banks_later: usd('B.2.c: owed after a year to banks and other lenders').nullable(),
    owed_controlled_later: usd('B.2.c: owed after a year to companies it controls').nullable(),
    owed_affiliates_later: usd('B.2.c: owed after a year to other affiliates').nullable(),
    owed_others_later: usd('B.2.c: owed after a year to others').nullable(),
    delayed_delivery: usd('B.2.d: payables for securities that are delivered later').nullable(),
    standby_commitments: usd('B.2.d: payables for standby commitments').nullable(),
    liquidation_preference: usd('B.2.e: liquidation preference of preferred stock').nullable(),
    cash_not_reported: usd('B.2.f: cash and equivalents that are not among the holdings').nullable(),
    has_noncash_collateral: boolean('B.4.b: collateral other than cash was received for securities on loan').nullable(),
    highly_liquid_minimum: percent('B.7.a: minimum of highly liquid investments, per cent of net assets').nullable(),
    highly_liquid_days: integer('B.7.b: days on which the fund was below it', { unit: 'days' }).nullable(),
    highly_liquid_changed: boolean('B.7.c: the minimum changed in the period').nullable(),
    highly_liquid_before: texts('B.7.c: minimums before it changed, per cent of net assets'),
    derivative_classification: text('B.8: why classes of derivatives are not stated, usually N/A').nullable(),
    derivative_classes: json(
      classification,
      'B.8: highly liquid investments pledged for derivatives, by class',
    ).nullable(),
    derivative_exposure: percent('B.9.a: derivatives exposure, per cent of net assets').nullable(),
    currency_derivative_exposure: percent('B.9.b: exposure of currency hedges').nullable(),
    rate_derivative_exposure: percent('B.9.c: exposure of interest rate hedges').nullable(),
    exposure_excess_days: integer('B.9.d: business days above a tenth of net assets', { unit: 'days' }).nullable(),
    var_median: percent('B.10.a: median of the daily VaR').nullable(),
    var_index_name: text('B.10.b: designated index').nullable(),
    var_index_id: text('B.10.b: identifier of that index').nullable(),
    var_median_ratio: percent('B.10.b: median ratio to the VaR of that index').nullable(),
    var_exceptions: count('B.10.c: exceptions of the backtest').nullable(),
    names_rule_terms: json(term, 'B.11.a: terms of the fund’s name that need an 80 per cent policy').nullable(),
    names_rule_basket: percent('B.11.b: 80 per cent basket, per cent of assets').nullable(),
    signed: date('Day of signing').nullable(),
    applicant: text('Registrant as it signs').nullable(),
    signature: text('Signature, as signed').nullable(),
    signer: text('Name of the person who signs').nullable(),
    signer_title: text('Title of that person').nullable(),
    holding_count: count('Holdings that were read'),
    holdings_value: usd('Total value of these holdings; those without a value are left out'),
  },
  {
    indexes: [
      // Finds the reports of a fund about a period; the newest is used.
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
    month2: kind(`${what} in the second month`).nullable(),
    month3: kind(`${what} in the third month, which ends on the day of the report`).nullable(),
  }
}

export const flow = table(
  'nport.flow',
  'One row per kind of money in or out: shares sold, reinvested, redeemed',
  ['kind'],
  {
    kind: text('B.6: sales of shares, reinvestment of distributions, or redemptions', {
      values: ['sales', 'reinvestment', 'redemption'],
    }),
    ...months('US dollars', 'usd'),
  },
)

export const class_return = table('nport.class_return', 'One row per class: its total returns by month', ['position'], {
  position: integer('Order in the filing, from 1'),
  class_id: text('B.5.a: the class, C and nine digits; null for a fund without classes').nullable(),
  ...months('Total return, per cent', 'percent'),
})

export const gain = table(
  'nport.gain',
  'One row per kind of contract and instrument: gains of derivatives by month; other: everything that is not a derivative',
  ['position'],
  {
    position: integer('Order in the filing, from 1'),
    contract: text('B.5.c: kind of contract; other_investments for B.5.d (anything other than derivatives)', {
      values: [...['commodity', 'credit', 'equity', 'foreign_exchange', 'interest_rate', 'other', 'other_investments']],
    }),
    instrument: text('B.5.c: kind of instrument; null: the contracts of the kind together', {
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

const change = (term: string) => usd(`Change of value by what matures around ${term}, US dollars`).nullable()

export const rate_risk = table(
  'nport.rate_risk',
  'One row per currency and shock, or a grade of credit: how the value of the portfolio changes with rates or spreads',
  ['position'],
  {
    position: integer('Order in the filing, from 1'),
    kind: text('B.3: what changes: interest rates by 1 or 100 basis points, credit spreads by 1', {
      values: ['rate_1bp', 'rate_100bp', 'spread_investment_grade', 'spread_other_grade'],
    }),
    currency: text('Currency of the interest rates').nullable(),
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
  value: usd('B.4.a: what is on loan to it').nullable(),
})

export const collateral = table('nport.collateral', 'One row per kind of collateral other than cash', ['position'], {
  position: integer('Order in the filing, from 1'),
  category: text('B.4.b: kind: ABS, UST …, or Other instrument').nullable(),
  description: text('B.4.b: description of another kind').nullable(),
  principal: usd('B.4.b: principal').nullable(),
  value: usd('B.4.b: value of the collateral').nullable(),
})

export const note = table('nport.note', 'One row per explanatory note', ['position'], {
  position: integer('Order in the filing, from 1'),
  item: text('Item of the form that it explains').nullable(),
  note: text('The note, in the words of the fund').nullable(),
})

export const quality = table(
  'nport.quality',
  'One row per filing: how much of it was understood, and whether its holdings add up to the stated totals',
  [],
  {
    source: text('Source of the report: xml, set', { values: ['xml', 'set'] }),
    line_count: count('Holdings in the document'),
    lines_read: count('Lines among those that were read'),
    cut_off: text('Why the document ends before its end').nullable(),
    values_missing: count('Holdings without a stated value'),
    balances_missing: count('Holdings whose balance is N/A'),
    cusips_flagged: count('Holdings whose CUSIP fails its check or is a placeholder'),
    unnamed: count('Holdings without any identifier, not even a name'),
    private: count('Holdings that are private'),
    percent_total: percent('Sum of the holdings’ percentages of net assets, as filed').nullable(),
    percent_differ: count('Holdings whose stated percentage of net assets is wrong by more than 0.01 points'),
    net_assets_differ: usd('Sum of the holdings less net assets').nullable(),
    total_assets_differ: usd('Sum of the holdings, cash and confidential securities less total assets').nullable(),
    notes: texts(
      'cut_off, lines_unread, no_fund_info, above_total_assets, below_net_assets, percent_differs: what does not agree',
    ),
  },
)
