/** Listings, and parts D, E and F of Form N-CEN: closed-end funds, exchange-traded funds, unit investment trusts. */
import { z } from 'zod'
import { count, decimal, json, percent, table, text, texts, usd } from '../../../declare/table.ts'
import { numbering, ofFund, yes } from './columns.ts'

export const listing = table(
  'ncen.listing',
  'One row per listing of shares on an exchange: of closed-end funds (Item D.1) and exchange-traded funds (Item E.1)',
  ['n'],
  {
    ...ofFund,
    security: text('Item D.1.a: kind of security, in the words of the form').nullable(),
    title: text('Item D.1.b: title of the class').nullable(),
    exchange: text('Exchange, by its market identifier code').nullable(),
    ticker: text('Ticker').nullable(),
    note: text('Item D.1.a: description of another kind of security').nullable(),
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
  unit_shares: decimal('Item E.3.a: shares in a creation unit', { unit: 'shares' }).nullable(),
  unit_shares_redeemed: decimal('Item E.3.a: shares in a unit that is redeemed, if that number differs', {
    unit: 'shares',
  }).nullable(),
  purchased_cash: share('Item E.3.b: average part of a creation unit paid in cash'),
  purchased_cash_deviation: share('Item E.3.b: its standard deviation'),
  purchased_in_kind: share('Item E.3.b: average part of a creation unit paid in kind'),
  purchased_in_kind_deviation: share('Item E.3.b: its standard deviation'),
  redeemed_cash: share('Item E.3.c: average part of a redemption paid in cash'),
  redeemed_cash_deviation: share('Item E.3.c: its standard deviation'),
  redeemed_in_kind: share('Item E.3.c: average part of a redemption paid in kind'),
  redeemed_in_kind_deviation: share('Item E.3.c: its standard deviation'),
  purchase_fee_per_unit: fee('Item E.3.d: fee for a creation unit purchased, dollars for a unit'),
  purchase_fee_per_order: fee('Item E.3.d: the same for all units of one day'),
  purchase_fee_percent: share('Item E.3.d: the same per cent of what a unit is worth'),
  purchase_cash_fee_per_unit: fee('Item E.3.d: fee for a unit purchased for cash, dollars for a unit'),
  purchase_cash_fee_per_order: fee('Item E.3.d: the same for all units of one day'),
  purchase_cash_fee_percent: share('Item E.3.d: the same per cent of what a unit is worth'),
  redemption_fee_per_unit: fee('Item E.3.e: fee for a unit redeemed, dollars for a unit'),
  redemption_fee_per_order: fee('Item E.3.e: the same for all units of one day'),
  redemption_fee_percent: share('Item E.3.e: the same per cent of what a unit is worth'),
  redemption_cash_fee_per_unit: fee('Item E.3.e: fee for a unit redeemed for cash, dollars for a unit'),
  redemption_cash_fee_per_order: fee('Item E.3.e: the same for all units of one day'),
  redemption_cash_fee_percent: share('Item E.3.e: the same per cent of what a unit is worth'),
  index_is_affiliated: yes('Item E.4: unit investment trust: an affiliated person made the index'),
  index_is_exclusive: yes('Item E.4: the index was made for this fund alone'),
  index_difference_before: share('Item E.4: return of the fund less that of the index, before fees and expenses'),
  index_difference_after: share('Item E.4: the same after fees and expenses'),
  index_deviation_before: share('Item E.4: standard deviation of the daily differences, before fees and expenses'),
  index_deviation_after: share('Item E.4: the same after fees and expenses'),
  is_in_kind: yes('Item E.5: an In-Kind ETF under rule 22e-4'),
})

export const closed_end = table('ncen.closed_end', 'One row per filing with part D: a closed-end fund', [], {
  has_rights_offering: yes('Item D.2.a: made a rights offering'),
  rights_offerings: json(
    z.array(
      z
        .object({
          securities: texts('Securities that were offered'),
          note: text('Description of the securities, if they are of another kind').nullable(),
          participation: text('Percentage of the rights that was used, as filed').nullable(),
        })
        .meta({ id: 'NcenRightsOffering' }),
    ),
    'Item D.2.b: rights offerings: securities, and the part of the rights that was used, in per cent',
  ),
  has_secondary_offering: yes('Item D.3.a: made a secondary offering'),
  secondary_securities: texts('Item D.3.b: securities that were offered'),
  secondary_note: text('Item D.3.b: description of others').nullable(),
  has_repurchase: yes('Item D.4.a: bought back its own securities'),
  repurchased_securities: texts('Item D.4.b: securities that were bought back'),
  repurchase_note: text('Item D.4.b: description of others').nullable(),
  has_debt_default: yes('Item D.5.a: long-term debt was in default at the end of the period'),
  debt_defaults: json(
    z.array(
      z
        .object({
          nature: text('Nature of the default').nullable(),
          date: text('Day of the default, as filed').nullable(),
          per_thousand: text('US dollars in default for 1,000 of face value').nullable(),
          total_amount: text('US dollars in default in all').nullable(),
        })
        .meta({ id: 'NcenDebtDefault' }),
    ),
    'Item D.5.a: defaults: nature, day, US dollars for 1,000 of face value, and in all',
  ),
  has_arrears: yes('Item D.6.a: dividends were in arrears at the end of the period'),
  arrears: json(
    z.array(
      z
        .object({
          title: text('Title of the issue').nullable(),
          per_share: text('US dollars a share in arrears').nullable(),
        })
        .meta({ id: 'NcenArrears' }),
    ),
    'Item D.6.a: dividends in arrears: title of the issue, US dollars a share',
  ),
  has_modified_securities: yes('Item D.7: terms of its securities were changed'),
  management_fee: percent('Item D.8: management fee, per cent of net assets').nullable(),
  net_operating_expenses: percent('Item D.9: net operating expenses, per cent of net assets').nullable(),
  market_price: decimal('Item D.10: market price of a share at the end of the period', {
    unit: 'USD_per_share',
  }).nullable(),
  net_asset_value: decimal('Item D.11: net asset value of a share at the end of the period', {
    unit: 'USD_per_share',
  }).nullable(),
  has_changed_transfer_agent: yes('Item D.13.b: a small business company hired or dismissed a transfer agent'),
  has_changed_custodian: yes('Item D.14.b: a small business company hired or dismissed a custodian'),
})

export const unit_trust = table('ncen.unit_trust', 'One row per filing with part F: a unit investment trust', [], {
  has_changed_administrator: yes('Item F.2.b: an administrator was hired or dismissed'),
  is_separate_account: yes('Item F.3: a separate account of an insurance company'),
  series_id: text('Item F.13: series identifier of the separate account').nullable(),
  series_existing: count('Item F.6.a: series at the end of the period').nullable(),
  series_ciks: texts('Item F.6.b: CIKs of those series'),
  series_new: count('Item F.7.a: series whose registration became effective during the period').nullable(),
  series_new_value: usd('Item F.7.b: their value on the day of first deposit, US dollars').nullable(),
  series_with_prospectus: count('Item F.8: series with a current prospectus').nullable(),
  series_enlarged: count('Item F.9.a: existing series that additional units were registered for').nullable(),
  enlarged_value: usd('Item F.9.b: value of those units, US dollars').nullable(),
  placed_value: usd('Item F.10: value of units placed in portfolios of later series, US dollars').nullable(),
  total_assets: usd('Item F.11: assets of all series, US dollars').nullable(),
  contract_count: count('Item F.12: contracts outstanding').nullable(),
  relies_on_6c_7: yes('Item F.15: relied on rule 6c-7'),
  relies_on_11a_2: yes('Item F.16: relied on rule 11a-2'),
  relies_on_12d1_4: yes('Item F.17: relied on rule 12d1-4'),
  relies_on_12d1_g: yes('Item F.18: relied on section 12(d)(1)(G)'),
  divestments: json(
    z.array(
      z
        .object({
          name: text('Name of the issuer').nullable(),
          ticker: text('Ticker of the security').nullable(),
          cusip: text('CUSIP of the security, as filed').nullable(),
          shares: text('Shares, or principal, that were divested').nullable(),
          date: text('Day of the divestment, as filed').nullable(),
          statute: text('Law under which the divestment was made').nullable(),
        })
        .meta({ id: 'NcenDivestment' }),
    ),
    'Item F.19.a: securities divested under section 13(c)',
  ),
  held_securities: json(
    z.array(
      z
        .object({
          ticker: text('Ticker of the security').nullable(),
          cusip: text('CUSIP of the security, as filed').nullable(),
          shares: text('Shares, or principal, that are still held').nullable(),
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
    sold_count: count('Item F.14.d: contracts sold').nullable(),
    premiums: usd('Item F.14.e: gross premiums received, US dollars').nullable(),
    premiums_1035: usd('Item F.14.f: of those, by exchanges under section 1035, US dollars').nullable(),
    sold_1035_count: count('Item F.14.g: contracts concerned by those exchanges').nullable(),
    redeemed: usd('Item F.14.h: value of contracts redeemed, US dollars').nullable(),
    redeemed_1035: usd('Item F.14.i: of those, by exchanges under section 1035, US dollars').nullable(),
    redeemed_1035_count: count('Item F.14.j: contracts concerned by those exchanges').nullable(),
  },
)
