/**
 * The holdings of Form N-PORT, Part C. A row of `holding` is narrow. The description of a security is stored once in
 * `security`. Parts that only some holdings have (terms of debt, derivatives, lending …) are stored in separate tables.
 */
import {
  bigint,
  boolean,
  cusip,
  date,
  decimal,
  integer,
  json,
  percent,
  ratio,
  table,
  text,
  texts,
  usd,
} from '../../../declare/table.ts'
import { notional, tenor } from './json.ts'

const lei = (meaning: string) => text(meaning, { entity: 'lei' })
const amount = (meaning: string) => decimal(meaning, { unit: 'currency_units' }).nullable()
const currency = (meaning: string) => text(meaning).nullable()

/** The holding that a row of a side table belongs to. */
const ofHolding = { n: integer('Number of the holding within the filing, from 1') }
const quarter = {
  quarter: date(
    'Last day of the quarter of the report’s period, by which the rows are stored; 0001-01-01 if it is unknown',
  ),
}
const inOrder = { ...ofHolding, position: integer('Order within the holding, from 1') }

export const holding = table(
  'nport.holding',
  'One row per holding of a report',
  ['n'],
  {
    ...ofHolding,
    ...quarter,
    sec_id: text(
      'Id of the security: CUSIP, else isin~ and the ISIN, else name~ and the encoded name; null if the report has none of them',
      {
        entity: 'cusip',
      },
    ).nullable(),
    security: bigint('Key of the row in security that describes the security'),
    value: usd('C.2.c: value, US dollars').nullable(),
    balance: decimal('C.2.a: number of shares, principal, or number of contracts (see units); null for N/A', {
      unit: 'shares_or_principal',
    }).nullable(),
    units: text('C.2.b: units of the balance: NS shares, PA principal, NC contracts, OU other').nullable(),
    units_other: text('C.2.b: description of other units').nullable(),
    currency: currency('C.2.c: currency of the investment'),
    exchange_rate: decimal('C.2.c: exchange rate used for the conversion to dollars', {
      unit: 'per_USD',
    }).nullable(),
    percent: percent('C.2.d: the holding as per cent of net assets').nullable(),
    payoff: text('C.3: payoff profile: Long or Short; null for N/A').nullable(),
    fair_value_level: integer('C.8: level in the hierarchy of fair values, 1 to 3; null for N/A').nullable(),
    is_restricted: boolean('C.6: true for a restricted security').nullable(),
    is_private: boolean(
      'True for equity or debt of a company that seems to be private: no CUSIP, ISIN or ticker, and restricted or Level 3',
    ),
    in_names_basket: boolean(
      'C.2.e: true if the holding is part of the 80 per cent basket, the investments that the name of the fund suggests',
    ).nullable(),
  },
  {
    indexes: ['(sec_id, value desc nulls last, accession) include (quarter, balance)'],
    partition: 'quarter',
    distributed: true,
  },
)

/**
 * Securities as holdings describe them, each stored once for all filings. A row is inserted if it does not exist yet.
 */
export const security = table(
  'nport.security',
  'One row per different description of a security by holdings, shared by all filings',
  [],
  {
    security: bigint('Key: a digest of the other columns'),
    sec_id: text(
      'Id of the security: CUSIP, else isin~ and the ISIN, else name~ and the encoded name; null if the report has none of them',
      {
        entity: 'cusip',
      },
    ).nullable(),
    cusip: cusip('C.1.d: CUSIP as filed; null for N/A and placeholders').nullable(),
    cusip_flag: text(
      'Why the text may not be a CUSIP: missing, wrong length, placeholder, wrong check digit, lower case; null if it is valid',
      {
        values: ['missing', 'length', 'placeholder', 'check_digit', 'case'],
      },
    ).nullable(),
    isin: text('C.1.e: ISIN as filed').nullable(),
    ticker: text('C.1.e: ticker as filed').nullable(),
    lei: lei('C.1.b: LEI of the issuer or counterparty').nullable(),
    issuer_name: text('C.1.a: name of the issuer; null for N/A').nullable(),
    title_of_class: text('C.1.c: title of the issue; null for N/A').nullable(),
    asset_cat: text('C.4.a: asset category: EC, EP, DBT, LON …, OTHER').nullable(),
    asset_description: text('C.4.a: description of the asset if the category is OTHER').nullable(),
    issuer_cat: text('C.4.b: issuer category: CORP, UST, MUN, RF, PF …, OTHER').nullable(),
    issuer_description: text('C.4.b: description of the issuer if the category is OTHER').nullable(),
    country: text('C.5.a: country of the issuer, ISO code').nullable(),
    risk_country: text('C.5.b: country with the greatest concentration of risk').nullable(),
  },
  { record: 'security', indexes: ['(sec_id)', '(isin) where isin is not null'] },
)

const wide = { partition: 'quarter', distributed: true } as const

export const identifier = table(
  'nport.identifier',
  'One row per further identifier of a holding, in addition to its CUSIP, first ISIN and first ticker',
  ['n', 'position'],
  {
    ...inOrder,
    ...quarter,
    kind: text('C.1.e: kind of identifier: isin, ticker or other', { values: ['isin', 'ticker', 'other'] }),
    value: text('C.1.e: the identifier, as filed').nullable(),
    description: text('C.1.e: description of an identifier of another kind').nullable(),
  },
  wide,
)

export const debt = table(
  'nport.debt',
  'One row per holding that is debt, with its terms',
  ['n'],
  {
    ...ofHolding,
    ...quarter,
    matures: date('C.9.a: day of maturity').nullable(),
    coupon: text('C.9.b: kind of coupon: Fixed, Floating, Variable or None').nullable(),
    rate: percent('C.9.b: annualized rate').nullable(),
    is_default: boolean('C.9.c: true if the debt is in default').nullable(),
    is_in_arrears: boolean('C.9.d: true if interest is in arrears or was deferred').nullable(),
    is_paid_in_kind: boolean('C.9.e: true if part of the interest is paid in kind').nullable(),
    is_mandatory_convertible: boolean('C.9.f.i: true if conversion is mandatory').nullable(),
    is_contingent_convertible: boolean(
      'C.9.f.ii: true if conversion depends on an event (contingent convertible)',
    ).nullable(),
    delta: ratio('C.9.f.v: delta of the conversion option; null if it is not disclosed (XXXX)').nullable(),
  },
  wide,
)

export const conversion = table(
  'nport.conversion',
  'One row per conversion ratio of convertible debt',
  ['n', 'position'],
  {
    ...inOrder,
    ratio: decimal('C.9.f.iv: conversion ratio, the units of the reference for one unit of the debt', {
      unit: 'shares',
    }).nullable(),
    currency: currency('C.9.f.iv: currency of the conversion ratio'),
  },
)

export const reference = table(
  'nport.reference',
  'One row per instrument that a derivative or convertible refers to: a security, an index, or a component of an index',
  ['n', 'position'],
  {
    ...inOrder,
    derivative_position: integer(
      'Position, within the holding, of the derivative that has this reference; null for convertible debt',
    ).nullable(),
    kind: text(
      'Kind of reference. convertible: the instrument into which the debt converts (C.9.f.iii). instrument, index, component: a security, an index, or a component of an index, that a derivative refers to (C.11.c.iii)',
      {
        values: ['convertible', 'instrument', 'index', 'component'],
      },
    ),
    name: text('Name of the issuer, of the index or of the component').nullable(),
    title: text('Title of the issue').nullable(),
    index_identifier: text('Identifier of the index').nullable(),
    narrative_description: text('Description of the index, custom basket or other reference').nullable(),
    cusip: cusip('CUSIP as filed; null for N/A and placeholders').nullable(),
    isin: text('ISIN as filed').nullable(),
    ticker: text('Ticker as filed').nullable(),
    other_identifier: text('Identifier of another kind, as filed').nullable(),
    other_description: text('Kind of other_identifier, as the fund describes it').nullable(),
    more_identifiers: texts('Further identifiers beyond the first of each kind, as filed'),
    currency: currency('Currency of the instrument into which the debt converts, or of the value of a component'),
    notional: amount('Notional of a component; null for other kinds of reference'),
    notional_currency: currency('Currency of the notional amount'),
    value: amount('Value of a component; null for other kinds of reference'),
  },
)

export const derivative = table(
  'nport.derivative',
  'One row per derivative: the derivative of a holding, and derivatives nested in it as its reference, at every depth',
  ['n', 'position'],
  {
    ...inOrder,
    parent: integer(
      'Position of the derivative that refers to this derivative; null for the derivative of the holding itself',
    ).nullable(),
    depth: integer('Depth of nesting: 0 for the derivative of the holding itself'),
    shape: text('C.11: kind of derivative, by the part of the form that describes it', {
      values: ['forward', 'future', 'swap', 'option', 'other'],
    }),
    category: text(
      'C.11.a: category: FWD forward, FUT future, SWP swap, OPT option, SWO swaption, WAR warrant, OTH other',
    ).nullable(),
    description: text('C.11.g: description of the derivative if its category is OTH').nullable(),
    payoff: text('C.11.d.i: payoff profile: Long or Short').nullable(),
    put_or_call: text('C.11.c.i: Put or Call').nullable(),
    written_or_purchased: text('C.11.c.ii: Written or Purchased').nullable(),
    shares: decimal('C.11.c.iv: shares of the reference that one contract covers', { unit: 'shares' }).nullable(),
    principal: amount('C.11.c.iv: principal of the reference that one contract covers'),
    exercise_price: amount('C.11.c.v: exercise price or rate'),
    exercise_currency: currency('C.11.c.v: currency of the exercise price'),
    expires: date('C.11.c.vi, C.11.d.iii: day of expiration').nullable(),
    settles: date('C.11.e.iii: day of settlement').nullable(),
    terminates: date('C.11.f.ii, C.11.g.ii: day of termination or maturity').nullable(),
    amount_sold: amount('C.11.e.i: quantity of the currency sold'),
    currency_sold: currency('C.11.e.i: currency sold'),
    amount_bought: amount('C.11.e.ii: quantity of the currency purchased'),
    currency_bought: currency('C.11.e.ii: currency purchased'),
    notional: amount('C.11.d.iv, C.11.f.iv: notional of the derivative'),
    notional_currency: currency('Currency of the notional amount or of the principal'),
    notionals: json(notional, 'C.11.g.iii: notional amounts of a derivative of another kind').nullable(),
    is_swap: boolean('Value of the element swapFlag, as filed').nullable(),
    upfront_payment: amount('C.11.f.iii: upfront payment'),
    upfront_payment_currency: currency('C.11.f.iii: currency of the upfront payment'),
    upfront_receipt: amount('C.11.f.iii: upfront receipt'),
    upfront_receipt_currency: currency('C.11.f.iii: currency of the upfront receipt'),
    delta: decimal('C.11.c.vii: delta of the option; null if it is not disclosed (XXXX)', { unit: 'ratio' }).nullable(),
    unrealized: usd('Unrealized appreciation or depreciation').nullable(),
    name: text('Nested derivative: C.1.a, name of the issuer').nullable(),
    lei: lei('Nested derivative: C.1.b, LEI of the issuer').nullable(),
    title: text('Nested derivative: C.1.c, title of the issue').nullable(),
    cusip: cusip('Nested derivative: CUSIP as filed; null for N/A and placeholders').nullable(),
    identifiers: texts('Nested derivative: identifiers, each as kind, value and description'),
    balance: decimal('Nested derivative: C.2.a, balance', { unit: 'shares_or_principal' }).nullable(),
    units: text('Nested derivative: C.2.b, units of the balance').nullable(),
    units_other: text('Nested derivative: C.2.b, description of other units').nullable(),
    currency: currency('Nested derivative: C.2.c, currency'),
    exchange_rate: decimal('Nested derivative: C.2.c, exchange rate', { unit: 'per_USD' }).nullable(),
    value: usd('Nested derivative: C.2.c, value in US dollars').nullable(),
    percent: percent('Nested derivative: C.2.d, per cent of net assets').nullable(),
    in_names_basket: boolean(
      'Nested derivative: C.2.e, true if it is part of the 80 per cent basket, the investments that the name of the fund suggests',
    ).nullable(),
    asset_cat: text('Nested derivative: C.4.a, asset category').nullable(),
    asset_description: text('Nested derivative: C.4.a, description of another asset category').nullable(),
    issuer_cat: text('Nested derivative: C.4.b, issuer category').nullable(),
    issuer_description: text('Nested derivative: C.4.b, description of another issuer category').nullable(),
    country: text('Nested derivative: C.5.a, country of the issuer').nullable(),
    risk_country: text('Nested derivative: C.5.b, country with the greatest concentration of risk').nullable(),
  },
)

export const leg = table(
  'nport.leg',
  'One row per leg of a swap: the payments that the fund receives, or those that it makes',
  ['n', 'position'],
  {
    ...inOrder,
    derivative_position: integer('Position of the swap among the derivatives of the holding'),
    side: text('C.11.f.i: receive if the fund receives the payments of the leg, pay if it makes them', {
      values: ['receive', 'pay'],
    }),
    kind: text('C.11.f.i: kind of rate: Fixed, Floating or Other').nullable(),
    rate: percent('Fixed rate').nullable(),
    floating_index: text('Index of a floating rate').nullable(),
    spread: percent('Spread of a floating rate above its index').nullable(),
    amount: amount('Amount that is paid or received'),
    currency: currency('Currency of the amount'),
    description: text('Description of a leg of another kind').nullable(),
    tenors: json(tenor, 'Reset dates and terms of a floating rate').nullable(),
  },
)

export const counterparty = table(
  'nport.counterparty',
  'One row per counterparty of a derivative or of a repurchase agreement',
  ['n', 'position'],
  {
    ...inOrder,
    derivative_position: integer(
      'Position of the derivative among the derivatives of the holding; null for a repurchase agreement',
    ).nullable(),
    name: text('C.10.b.ii, C.11.b.i: name of the counterparty').nullable(),
    lei: lei('C.10.b.ii, C.11.b.i: LEI of the counterparty').nullable(),
  },
)

export const repurchase = table(
  'nport.repurchase',
  'One row per holding that is a repurchase agreement, with its terms',
  ['n'],
  {
    ...ofHolding,
    kind: text('C.10.a: kind of agreement: Repurchase or Reverse repurchase').nullable(),
    is_cleared: boolean('C.10.b: true if a central counterparty clears the agreement').nullable(),
    central_counterparty: text('C.10.b.i: name of the central counterparty').nullable(),
    is_tri_party: boolean('C.10.c: true for a tri-party agreement').nullable(),
    rate: percent('C.10.d: repurchase rate').nullable(),
    matures: date('C.10.e: day of maturity').nullable(),
  },
)

export const repurchase_collateral = table(
  'nport.repurchase_collateral',
  'One row per kind of collateral of a repurchase agreement',
  ['n', 'position'],
  {
    ...inOrder,
    principal: amount('C.10.f.i: principal of the collateral'),
    principal_currency: currency('C.10.f.i: currency of the principal'),
    value: amount('C.10.f.ii: value of the collateral'),
    value_currency: currency('C.10.f.ii: currency of the value'),
    category: text('C.10.f.iii: kind of investment that serves as collateral').nullable(),
    description: text('C.10.f.iii: description of the collateral if it is of another kind').nullable(),
  },
)

export const lending = table(
  'nport.lending',
  'One row per holding that is on loan, or is collateral for securities on loan. A holding without a row answered no to all three questions of C.12, or did not answer',
  ['n'],
  {
    ...ofHolding,
    is_cash_collateral: boolean('C.12.a: true if the holding is reinvested cash collateral').nullable(),
    cash_collateral: usd('C.12.a: value of the reinvested cash collateral').nullable(),
    is_noncash_collateral: boolean('C.12.b: true if the holding was received as collateral other than cash').nullable(),
    noncash_collateral: usd('C.12.b: value of the collateral other than cash').nullable(),
    is_loaned: boolean('C.12.c: true if the holding is on loan').nullable(),
    loaned: usd('C.12.c: value of the securities on loan').nullable(),
  },
)

export const liquidity = table('nport.liquidity', 'One row per liquidity class of a holding', ['n', 'position'], {
  ...inOrder,
  category: text(
    'C.7.a: liquidity class: HLI highly liquid, MLI moderately liquid, LLI less liquid, ILI illiquid; N/A if the fund does not classify',
  ).nullable(),
  percent: percent('C.7.b: per cent of the holding in the class').nullable(),
  circumstances: texts('C.7.b: reasons why the holding is in several classes; only in the first row of a holding'),
})
