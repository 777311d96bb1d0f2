/**
 * Funds of Form N-CEN, part C, with their lists. Each series has one row. A registrant without series has one row for
 * itself.
 */
import { z } from 'zod'
import { cik, count, fileNumber, integer, json, percent, table, text, texts, usd } from '../../../declare/table.ts'
import { lei, ofFund, yes } from './columns.ts'

export const fund = table(
  'ncen.fund',
  'One row per fund: a series of the registrant, or the registrant itself if it reports no series',
  ['n'],
  {
    ...ofFund,
    cik: cik('CIK of the registrant').nullable(),
    series_id: text('Item C.1.b: series identifier; null for a fund without series').nullable(),
    fund_name: text(
      'Item C.1.a: name of the fund; if the registrant does not answer part C, the name of the registrant',
    ).nullable(),
    lei: lei('Item C.1.c: LEI of the fund').nullable(),
    is_first_filing: yes('Item C.1.d: the first N-CEN about this fund'),
    classes_authorized: count('Item C.2.a: number of classes of shares authorised').nullable(),
    classes_added: count('Item C.2.b: number of classes added during the period').nullable(),
    classes_ended: count('Item C.2.c: number of classes ended during the period').nullable(),
    fund_types: texts('Item C.3: kinds of fund that are ticked, in the words of the form'),
    is_etf: yes(
      'Item C.3.a.i: an exchange-traded fund; if the registrant does not answer part C, true if it answers part E',
    ),
    is_etmf: yes('Item C.3.a.ii: an exchange-traded managed fund'),
    is_index: yes('Item C.3.b: an index fund'),
    is_inverse: yes('Item C.3.c: seeks a multiple, or the inverse, of the performance of a benchmark'),
    is_interval: yes('Item C.3.d: an interval fund'),
    is_fund_of_funds: yes('Item C.3.e: a fund of funds'),
    is_master_feeder: yes('Item C.3.f: a master or a feeder fund'),
    is_money_market: yes('Item C.3.g: a money market fund'),
    is_target_date: yes('Item C.3.h: a target date fund'),
    is_underlying: yes('Item C.3.i: an underlying fund of variable annuities or life insurance'),
    index_is_affiliated: yes('Item C.3.b.i: an affiliated person made the index'),
    index_is_exclusive: yes('Item C.3.b.ii: the index was made for this fund alone'),
    index_difference_before: percent(
      'Item C.3.b.iii: return of the fund less that of the index, before fees and expenses',
    ).nullable(),
    index_difference_after: percent(
      'Item C.3.b.iii: return of the fund less that of the index, after fees and expenses',
    ).nullable(),
    index_deviation_before: percent(
      'Item C.3.b.iv: standard deviation of the daily differences, before fees and expenses',
    ).nullable(),
    index_deviation_after: percent(
      'Item C.3.b.iv: standard deviation of the daily differences, after fees and expenses',
    ).nullable(),
    is_non_diversified: yes('Item C.4: seeks to operate as a non-diversified company'),
    has_foreign_subsidiary: yes('Item C.5.a: invests through a controlled foreign corporation'),
    may_lend: yes('Item C.6.a: is authorised to lend securities'),
    did_lend: yes('Item C.6.b: lent securities during the period'),
    lending_liquidated: yes(
      'Item C.6.b.i: collateral was liquidated because a borrower did not return securities in time',
    ),
    lending_harmed: yes(
      'Item C.6.b.ii: the fund was otherwise harmed because a borrower did not return securities in time',
    ),
    lending_payments: texts('Item C.6.e: how lending agents and managers of cash collateral are paid'),
    lending_payment_note: text('Item C.6.e: description of a way of payment that is not in the form’s list').nullable(),
    lent_average: usd('Item C.6.f: monthly average of the value of securities on loan, US dollars').nullable(),
    lending_income: usd('Item C.6.g: net income from lending securities, US dollars').nullable(),
    rules: texts('Item C.7: rules and sections that the fund relied on, in the words of the form'),
    has_expense_limit: yes('Item C.8.a: an expense limit is in place'),
    had_expenses_waived: yes('Item C.8.b: expenses were reduced or waived'),
    may_be_recouped: yes('Item C.8.c: waived expenses may be recouped'),
    was_recouped: yes('Item C.8.d: expenses waived earlier were recouped'),
    has_changed_transfer_agent: yes('Item C.10.b: a transfer agent was hired or dismissed'),
    has_changed_pricing_service: yes('Item C.11.b: a pricing service was hired or dismissed'),
    has_changed_custodian: yes('Item C.12.b: a custodian was hired or dismissed'),
    has_changed_shareholder_agent: yes('Item C.13.b: a shareholder servicing agent was hired or dismissed'),
    has_changed_administrator: yes('Item C.14.b: an administrator was hired or dismissed'),
    commissions: usd('Item C.16.b: total brokerage commissions paid, US dollars').nullable(),
    principal_trades: usd(
      'Item C.17.b: total purchases and sales with dealers that acted as principals, US dollars',
    ).nullable(),
    pays_for_research: yes('Item C.18: the fund paid for brokerage and research services within section 28(e)'),
    monthly_avg_net_assets: usd('Item C.19.a: monthly average net assets during the period, US dollars').nullable(),
    daily_avg_net_assets: usd('Item C.19.b: daily average net assets of a money market fund, US dollars').nullable(),
    has_credit_line: yes('Item C.20.a: has a line of credit'),
    lends_to_funds: yes('Item C.20.b: lent to other funds'),
    borrows_from_funds: yes('Item C.20.c: borrowed from other funds'),
    has_swing_pricing: yes('Item C.21.a: used swing pricing'),
    swing_limit: percent('Item C.21.a.i: upper limit of the swing factor').nullable(),
    has_changed_liquidity_service: yes('Item C.22.b: a liquidity classification service was hired or dismissed'),
  },
  { indexes: ['(fund)', '(series_id) where series_id is not null'] },
)

export const share_class = table(
  'ncen.share_class',
  'One row per class of shares outstanding (Item C.2.d)',
  ['n'],
  {
    ...ofFund,
    class_id: text('Item C.2.d.ii: class identifier of EDGAR').nullable(),
    class_name: text('Item C.2.d.i: name of the class').nullable(),
    ticker: text('Item C.2.d.iii: ticker').nullable(),
  },
  { indexes: ['(ticker) where ticker is not null', '(class_id) where class_id is not null'] },
)

export const related_fund = table(
  'ncen.related_fund',
  'One row per master of a feeder fund, or a feeder of a master fund (Item C.3.f)',
  ['n'],
  {
    ...ofFund,
    relation: text('Role of the other fund: feeder or master of this fund', { values: ['feeder', 'master'] }),
    name: text('Name of the other fund').nullable(),
    file_number: fileNumber(
      'File number of the other fund under the Investment Company Act, 811-; null for an unregistered feeder',
    ).nullable(),
    sec_file_number: fileNumber('Other SEC file number of a master fund').nullable(),
    series_id: text('Series identifier of a registered feeder').nullable(),
    lei: lei('LEI of the other fund; null for an unregistered feeder').nullable(),
    unregistered_file_number: fileNumber('File number of a feeder that is not registered').nullable(),
    unregistered_lei: lei('LEI of a feeder that is not registered').nullable(),
  },
)

export const foreign_subsidiary = table(
  'ncen.foreign_subsidiary',
  'One row per controlled foreign corporation through which a fund invests (Item C.5.b)',
  ['n'],
  {
    ...ofFund,
    name: text('Item C.5.b.i: name of the subsidiary').nullable(),
    lei: lei('Item C.5.b.ii: LEI of the subsidiary').nullable(),
    rssd_id: text('RSSD ID of the subsidiary').nullable(),
  },
)

export const credit_line = table('ncen.credit_line', 'One row per line of credit of a fund (Item C.20.a)', ['n'], {
  ...ofFund,
  is_committed: yes('Item C.20.a.i: the line is committed'),
  line_amount: usd('Item C.20.a.ii: size of the line, US dollars').nullable(),
  institutions: texts('Item C.20.a.iii: institutions that provide the line'),
  is_shared: yes('Item C.20.a.iv: the line is shared with other funds'),
  users: json(
    z.array(
      z
        .object({
          fund_name: text('Name of the fund').nullable(),
          file_number: text('SEC file number of the fund').nullable(),
        })
        .meta({ id: 'NcenCreditLineUser' }),
    ),
    'Item C.20.a.iv: funds that share the line',
  ),
  was_used: yes('Item C.20.a.v: the fund drew on the line'),
  average_used: usd(
    'Item C.20.a.v: average amount outstanding on days on which the line was used, US dollars',
  ).nullable(),
  days_used: integer('Item C.20.a.vi: number of days on which the line was drawn on', { unit: 'days' }).nullable(),
})

export const interfund_loan = table(
  'ncen.interfund_loan',
  'One row per fund and direction of loans between funds: lent or borrowed (Items C.20.b and C.20.c)',
  ['n'],
  {
    ...ofFund,
    direction: text('lent: loans to other funds. borrowed: loans from other funds', { values: ['lent', 'borrowed'] }),
    average: usd('Average amount while loans were outstanding, US dollars').nullable(),
    day_count: integer('Number of days on which loans were outstanding', { unit: 'days' }).nullable(),
  },
)
