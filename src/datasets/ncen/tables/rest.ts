/** Listings, and parts D, E and F of Form N-CEN: closed-end funds, exchange-traded funds, unit investment trusts. */
import { z } from 'zod'
import { count, decimal, json, percent, table, text, texts, usd } from '../../../declare/table.ts'
import { numbering, ofFund, yes } from './columns.ts'

export const listing = table(
  'ncen.listing',
  'One row per listing on an exchange of a closed-end fund’s security (Item D.1) or of an exchange-traded fund (Item E.1); a security of a closed-end fund without a listing has one row',
  ['n'],
  {
    ...ofFund,
    security: text('Item D.1.a: kind of security, in the words of the form').nullable(),
    title: text('Item D.1.b: title of the class of securities').nullable(),
    exchange: text('Market identifier code of the exchange; null if the security is not listed').nullable(),
    ticker: text('Ticker symbol on the exchange').nullable(),
    note: text('Item D.1.a: description of a kind of security that is not in the form’s list').nullable(),
  },
  { indexes: ['(ticker) where ticker is not null'] },
)

const fee = (meaning: string) => usd(meaning).nullable()
const share = (meaning: string) => percent(meaning).nullable()

export const etf = table('ncen.etf', 'One row per exchange-traded fund (part E)', ['n'], {
  ...ofFund,
  fund_name: text('Item E.1: name of the fund').nullable(),
  series_id: text('Item E.1: series identifier').nullable(),
  needs_collateral: yes('Item E.2.g: authorised participants had to post collateral'),
  unit_shares: decimal('Item E.3.a: number of shares in a creation unit', { unit: 'shares' }).nullable(),
  unit_shares_redeemed: decimal('Item E.3.a: number of shares in a unit that is redeemed, if it differs', {
    unit: 'shares',
  }).nullable(),
  purchased_cash: share('Item E.3.b: percentage of a purchased creation unit that was paid in cash, on average'),
  purchased_cash_deviation: share('Item E.3.b: standard deviation of the percentage paid in cash'),
  purchased_in_kind: share('Item E.3.b: percentage of a purchased creation unit that was paid in kind, on average'),
  purchased_in_kind_deviation: share('Item E.3.b: standard deviation of the percentage paid in kind'),
  redeemed_cash: share('Item E.3.c: percentage of a redeemed creation unit that was paid in cash, on average'),
  redeemed_cash_deviation: share('Item E.3.c: standard deviation of the percentage paid in cash'),
  redeemed_in_kind: share('Item E.3.c: percentage of a redeemed creation unit that was paid in kind, on average'),
  redeemed_in_kind_deviation: share('Item E.3.c: standard deviation of the percentage paid in kind'),
  purchase_fee_per_unit: fee('Item E.3.d: transaction fee for purchasing a creation unit, US dollars for a unit'),
  purchase_fee_per_order: fee(
    'Item E.3.d: transaction fee for purchasing units, US dollars for all units of the same day',
  ),
  purchase_fee_percent: share('Item E.3.d: transaction fee for purchasing units, per cent of a unit’s worth'),
  purchase_cash_fee_per_unit: fee('Item E.3.d: transaction fee for purchasing a unit for cash, US dollars for a unit'),
  purchase_cash_fee_per_order: fee(
    'Item E.3.d: transaction fee for purchasing units for cash, US dollars for all units of the same day',
  ),
  purchase_cash_fee_percent: share(
    'Item E.3.d: transaction fee for purchasing units for cash, per cent of a unit’s worth',
  ),
  redemption_fee_per_unit: fee('Item E.3.e: transaction fee for redeeming a unit, US dollars for a unit'),
  redemption_fee_per_order: fee(
    'Item E.3.e: transaction fee for redeeming units, US dollars for all units of the same day',
  ),
  redemption_fee_percent: share('Item E.3.e: transaction fee for redeeming units, per cent of a unit’s worth'),
  redemption_cash_fee_per_unit: fee('Item E.3.e: transaction fee for redeeming a unit for cash, US dollars for a unit'),
  redemption_cash_fee_per_order: fee(
    'Item E.3.e: transaction fee for redeeming units for cash, US dollars for all units of the same day',
  ),
  redemption_cash_fee_percent: share(
    'Item E.3.e: transaction fee for redeeming units for cash, per cent of a unit’s worth',
  ),
  index_is_affiliated: yes('Item E.4: an affiliated person made the index of the unit investment trust'),
  index_is_exclusive: yes('Item E.4: the index was made for this fund alone'),
  index_difference_before: share('Item E.4: return of the fund less that of the index, before fees and expenses'),
  index_difference_after: share('Item E.4: return of the fund less that of the index, after fees and expenses'),
  index_deviation_before: share('Item E.4: standard deviation of the daily differences, before fees and expenses'),
  index_deviation_after: share('Item E.4: standard deviation of the daily differences, after fees and expenses'),
  is_in_kind: yes('Item E.5: an In-Kind ETF under rule 22e-4'),
})

export const closed_end = table('ncen.closed_end', 'One row per filing with part D: a closed-end fund', [], {
  has_rights_offering: yes('Item D.2.a: the fund made a rights offering'),
  rights_offerings: json(
    z.array(
      z
        .object({
          securities: texts('Securities that were offered'),
          note: text('Description of the securities, if they are of another kind').nullable(),
          participation: text('Percentage of the rights that was exercised').nullable(),
        })
        .meta({ id: 'NcenRightsOffering' }),
    ),
    'Item D.2.b: rights offerings, each with the securities offered, and the percentage of the rights that was exercised',
  ),
  has_secondary_offering: yes('Item D.3.a: the fund made a secondary offering'),
  secondary_securities: texts('Item D.3.b: securities that were offered'),
  secondary_note: text('Item D.3.b: description of securities that are not in the form’s list').nullable(),
  has_repurchase: yes('Item D.4.a: the fund bought back its own securities'),
  repurchased_securities: texts('Item D.4.b: securities that were bought back'),
  repurchase_note: text('Item D.4.b: description of securities that are not in the form’s list').nullable(),
  has_debt_default: yes('Item D.5.a: long-term debt was in default at the end of the period'),
  debt_defaults: json(
    z.array(
      z
        .object({
          nature: text('Nature of the default').nullable(),
          date: text('Day of the default').nullable(),
          per_thousand: text('US dollars in default for 1,000 dollars of face value').nullable(),
          total_amount: text('Total amount in default, US dollars').nullable(),
        })
        .meta({ id: 'NcenDebtDefault' }),
    ),
    'Item D.5.a: defaults, each with its nature, its day, the US dollars in default for 1,000 dollars of face value, and the total amount in default',
  ),
  has_arrears: yes('Item D.6.a: dividends were in arrears at the end of the period'),
  arrears: json(
    z.array(
      z
        .object({
          title: text('Title of the issue').nullable(),
          per_share: text('Dividends in arrears for a share, US dollars').nullable(),
        })
        .meta({ id: 'NcenArrears' }),
    ),
    'Item D.6.a: issues with dividends in arrears, each with its title and the US dollars in arrears for a share',
  ),
  has_modified_securities: yes('Item D.7: terms of the fund’s securities were changed'),
  management_fee: percent('Item D.8: management fee, per cent of net assets').nullable(),
  net_operating_expenses: percent('Item D.9: net operating expenses, per cent of net assets').nullable(),
  market_price: decimal('Item D.10: market price of a share at the end of the period', {
    unit: 'USD_per_share',
  }).nullable(),
  net_asset_value: decimal('Item D.11: net asset value of a share at the end of the period', {
    unit: 'USD_per_share',
  }).nullable(),
  has_changed_transfer_agent: yes(
    'Item D.13.b: a small business investment company hired or dismissed a transfer agent',
  ),
  has_changed_custodian: yes('Item D.14.b: a small business investment company hired or dismissed a custodian'),
})

export const unit_trust = table('ncen.unit_trust', 'One row per filing with part F: a unit investment trust', [], {
  has_changed_administrator: yes('Item F.2.b: an administrator was hired or dismissed'),
  is_separate_account: yes('Item F.3: the registrant is a separate account of an insurance company'),
  series_id: text('Item F.13: series identifier of the separate account').nullable(),
  series_existing: count('Item F.6.a: number of series at the end of the period').nullable(),
  series_ciks: texts('Item F.6.b: CIKs of the series at the end of the period'),
  series_new: count('Item F.7.a: number of series whose registration became effective during the period').nullable(),
  series_new_value: usd('Item F.7.b: value of the new series on the day of first deposit, US dollars').nullable(),
  series_with_prospectus: count('Item F.8: number of series with a current prospectus').nullable(),
  series_enlarged: count('Item F.9.a: number of existing series for which additional units were registered').nullable(),
  enlarged_value: usd('Item F.9.b: value of the additional units, US dollars').nullable(),
  placed_value: usd('Item F.10: value of units placed in portfolios of later series, US dollars').nullable(),
  total_assets: usd('Item F.11: assets of all series, US dollars').nullable(),
  contract_count: count('Item F.12: number of contracts outstanding').nullable(),
  relies_on_6c_7: yes('Item F.15: the registrant relied on rule 6c-7'),
  relies_on_11a_2: yes('Item F.16: the registrant relied on rule 11a-2'),
  relies_on_12d1_4: yes('Item F.17: the registrant relied on rule 12d1-4'),
  relies_on_12d1_g: yes('Item F.18: the registrant relied on section 12(d)(1)(G)'),
  divestments: json(
    z.array(
      z
        .object({
          name: text('Name of the issuer').nullable(),
          ticker: text('Ticker of the security').nullable(),
          cusip: text('CUSIP of the security, as filed').nullable(),
          shares: text('Number of shares, or amount of principal, that was divested').nullable(),
          date: text('Day of the divestment').nullable(),
          statute: text('Statute under which the securities were divested').nullable(),
        })
        .meta({ id: 'NcenDivestment' }),
    ),
    'Item F.19.a: securities that were divested in accordance with section 13(c)',
  ),
  held_securities: json(
    z.array(
      z
        .object({
          ticker: text('Ticker of the security').nullable(),
          cusip: text('CUSIP of the security, as filed').nullable(),
          shares: text('Number of shares, or amount of principal, that is still held').nullable(),
        })
        .meta({ id: 'NcenHeldSecurity' }),
    ),
    'Item F.19.b: securities of the same issuers that are still held',
  ),
})

export const contract = table(
  'ncen.contract',
  'One row per variable insurance contract of a separate account (Item F.14)',
  ['n'],
  {
    ...numbering,
    name: text('Item F.14.a: name of the security').nullable(),
    contract_id: text('Item F.14.b: contract identifier of EDGAR').nullable(),
    total_assets: usd('Item F.14.c: assets of the contract, US dollars').nullable(),
    sold_count: count('Item F.14.d: number of contracts sold').nullable(),
    premiums: usd('Item F.14.e: gross premiums received, US dollars').nullable(),
    premiums_1035: usd(
      'Item F.14.f: gross premiums received through exchanges under section 1035, US dollars',
    ).nullable(),
    sold_1035_count: count(
      'Item F.14.g: number of contracts for which premiums were received through exchanges under section 1035',
    ).nullable(),
    redeemed: usd('Item F.14.h: value of contracts redeemed, US dollars').nullable(),
    redeemed_1035: usd(
      'Item F.14.i: value of contracts redeemed through exchanges under section 1035, US dollars',
    ).nullable(),
    redeemed_1035_count: count(
      'Item F.14.j: number of contracts with redemptions through exchanges under section 1035',
    ).nullable(),
  },
)
