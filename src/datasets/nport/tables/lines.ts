/**
 * The holdings of Form N-PORT, Part C. A row of `holding` is narrow: the description of a security is stored once in
 * `security`, and parts that only some holdings have (terms of debt, derivatives, lending …) in separate tables.
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
const ofHolding = { n: integer('Number of the holding in the document, from 1') }
const quarter = {
  quarter: date('Last day of the quarter under which the report is stored; 0001-01-01 if it is unknown'),
}
const inOrder = { ...ofHolding, position: integer('Order within the holding, from 1') }

export const holding = table(
  'nport.holding',
  'One row per holding',
  ['n'],
  {
    ...ofHolding,
    ...quarter,
    sec_id: text('Id of the security: CUSIP, isin~ and ISIN, or name~; null if nothing names it', {
      entity: 'cusip',
    }).nullable(),
    security: bigint('Key of what it is called, in security'),
    value: usd('C.2.c: value, US dollars').nullable(),
    balance: decimal('C.2.a: shares, principal or contracts, as units says; null for N/A', {
      unit: 'shares_or_principal',
    }).nullable(),
    units: text('C.2.b: NS shares, PA principal, NC contracts, OU other').nullable(),
    units_other: text('C.2.b: description of other units').nullable(),
    currency: currency('C.2.c: currency in which it is denominated'),
    exchange_rate: decimal('C.2.c: exchange rate by which it was converted', { unit: 'per_USD' }).nullable(),
    percent: percent('C.2.d: per cent of net assets').nullable(),
    payoff: text('C.3: Long or Short; null for N/A').nullable(),
    fair_value_level: integer('C.8: level in the hierarchy of fair values, 1 to 3; null for N/A').nullable(),
    is_restricted: boolean('C.6: restricted security').nullable(),
    is_private: boolean(
      'Share in or claim on a company that is not listed: no CUSIP, ISIN or ticker, and restricted or Level 3',
    ),
    in_names_basket: boolean('C.2.e: part of the 80 per cent basket').nullable(),
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
  'One row per security as holdings describe it, once for all filings',
  [],
  {
    security: bigint('Key: a digest of the other columns'),
    sec_id: text('Id of the security: CUSIP, isin~ and ISIN, or name~; null if nothing names it', {
      entity: 'cusip',
    }).nullable(),
    cusip: cusip('C.1.d: CUSIP as filed; null for N/A and placeholders').nullable(),
    cusip_flag: text('Why it may not be a CUSIP: missing, length, placeholder, check_digit, case', {
      values: ['missing', 'length', 'placeholder', 'check_digit', 'case'],
    }).nullable(),
    isin: text('C.1.e: ISIN as filed').nullable(),
    ticker: text('C.1.e: ticker as filed').nullable(),
    lei: lei('C.1.b: LEI of the issuer or counterparty').nullable(),
    issuer_name: text('C.1.a: name of the issuer; null for N/A').nullable(),
    title_of_class: text('C.1.c: title of the issue; null for N/A').nullable(),
    asset_cat: text('C.4.a: asset category: EC, EP, DBT, LON …, OTHER').nullable(),
    asset_description: text('C.4.a: description of another category').nullable(),
    issuer_cat: text('C.4.b: issuer category: CORP, UST, MUN, RF, PF …, OTHER').nullable(),
    issuer_description: text('C.4.b: description of another category').nullable(),
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
    kind: text('C.1.e: isin, ticker or other', { values: ['isin', 'ticker', 'other'] }),
    value: text('C.1.e: the identifier, as filed').nullable(),
    description: text('C.1.e: what kind of identifier it is').nullable(),
  },
  wide,
)

export const debt = table(
  'nport.debt',
  'One row per holding that is debt: its terms',
  ['n'],
  {
    ...ofHolding,
    ...quarter,
    matures: date('C.9.a: day of maturity').nullable(),
    coupon: text('C.9.b: Fixed, Floating, Variable or None').nullable(),
    rate: percent('C.9.b: annualized rate').nullable(),
    is_default: boolean('C.9.c: in default').nullable(),
    is_in_arrears: boolean('C.9.d: interest is in arrears or was deferred').nullable(),
    is_paid_in_kind: boolean('C.9.e: part of the interest is paid in kind').nullable(),
    is_mandatory_convertible: boolean('C.9.f.i: must be converted').nullable(),
    is_contingent_convertible: boolean('C.9.f.ii: is converted if something happens').nullable(),
    delta: ratio('C.9.f.v: delta of the conversion; null where it is not disclosed (XXXX)').nullable(),
  },
  wide,
)

export const conversion = table(
  'nport.conversion',
  'One row per conversion ratio of convertible debt',
  ['n', 'position'],
  {
    ...inOrder,
    ratio: decimal('C.9.f.iv: units into which one unit of the debt converts', { unit: 'shares' }).nullable(),
    currency: currency('C.9.f.iv: currency of the ratio'),
  },
)

export const reference = table(
  'nport.reference',
  'One row per instrument that a derivative or convertible refers to: a security, an index, or a component of it',
  ['n', 'position'],
  {
    ...inOrder,
    derivative_position: integer('Position of the derivative in derivative; null for convertible debt').nullable(),
    kind: text('convertible: C.9.f.iii; instrument, index, component: C.11.c.iii', {
      values: ['convertible', 'instrument', 'index', 'component'],
    }),
    name: text('Name of the issuer, the index or the component').nullable(),
    title: text('Title of the issue').nullable(),
    index_identifier: text('Identifier of the index').nullable(),
    narrative_description: text('Description of the index, custom basket or other reference').nullable(),
    cusip: cusip('CUSIP as filed; null for N/A and placeholders').nullable(),
    isin: text('ISIN as filed').nullable(),
    ticker: text('Ticker as filed').nullable(),
    other_identifier: text('Another identifier').nullable(),
    other_description: text('What kind of identifier it is').nullable(),
    more_identifiers: texts('Further identifiers of the same kinds, as filed'),
    currency: currency('Currency of the instrument'),
    notional: amount('Notional of a component'),
    notional_currency: currency('Its currency'),
    value: amount('Value of a component'),
  },
)

export const derivative = table(
  'nport.derivative',
  'One row per derivative: that of a holding, and those nested in it as its reference, at every depth',
  ['n', 'position'],
  {
    ...inOrder,
    parent: integer(
      'Position of the derivative that refers to this one; null for the derivative of the holding itself',
    ).nullable(),
    depth: integer('0 for the derivative of the holding itself'),
    shape: text('C.11: the part of the form that describes it', {
      values: ['forward', 'future', 'swap', 'option', 'other'],
    }),
    category: text('C.11.a: FWD, FUT, SWP, OPT, SWO, WAR or OTH').nullable(),
    description: text('C.11.g: description of another kind').nullable(),
    payoff: text('C.11.d.i: Long or Short').nullable(),
    put_or_call: text('C.11.c.i: Put or Call').nullable(),
    written_or_purchased: text('C.11.c.ii: Written or Purchased').nullable(),
    shares: decimal('C.11.c.iv: shares of the reference for one contract', { unit: 'shares' }).nullable(),
    principal: amount('C.11.c.iv: principal of the reference for one contract'),
    exercise_price: amount('C.11.c.v: exercise price or rate'),
    exercise_currency: currency('C.11.c.v: currency of the exercise price'),
    expires: date('C.11.c.vi, C.11.d.iii: day of expiration').nullable(),
    settles: date('C.11.e.iii: day of settlement').nullable(),
    terminates: date('C.11.f.ii, C.11.g.ii: day of termination or maturity').nullable(),
    amount_sold: amount('C.11.e.i: how much of a currency is sold'),
    currency_sold: currency('C.11.e.i: currency sold'),
    amount_bought: amount('C.11.e.ii: how much of a currency is purchased'),
    currency_bought: currency('C.11.e.ii: currency purchased'),
    notional: amount('C.11.d.iv, C.11.f.iv: notional'),
    notional_currency: currency('Its currency, or that of the principal'),
    notionals: json(notional, 'C.11.g.iii: notional amounts of another kind').nullable(),
    is_swap: boolean('swapFlag, as filed').nullable(),
    upfront_payment: amount('C.11.f.iii: paid upfront'),
    upfront_payment_currency: currency('C.11.f.iii: currency of that amount'),
    upfront_receipt: amount('C.11.f.iii: received upfront'),
    upfront_receipt_currency: currency('C.11.f.iii: currency of that amount'),
    delta: decimal('C.11.c.vii: delta; null where it is not disclosed (XXXX)', { unit: 'ratio' }).nullable(),
    unrealized: usd('Unrealized appreciation or depreciation').nullable(),
    name: text('Nested derivative: C.1.a, name of the issuer').nullable(),
    lei: lei('Nested derivative: C.1.b, LEI').nullable(),
    title: text('Nested derivative: C.1.c, title').nullable(),
    cusip: cusip('Nested derivative: CUSIP as filed; null for N/A and placeholders').nullable(),
    identifiers: texts('Nested derivative: its other identifiers, each as kind, value and description'),
    balance: decimal('Nested derivative: C.2.a, balance', { unit: 'shares_or_principal' }).nullable(),
    units: text('Nested derivative: C.2.b, units').nullable(),
    units_other: text('Nested derivative: C.2.b, description of other units').nullable(),
    currency: currency('Nested derivative: C.2.c, currency'),
    exchange_rate: decimal('Nested derivative: C.2.c, exchange rate', { unit: 'per_USD' }).nullable(),
    value: usd('Nested derivative: C.2.c, value').nullable(),
    percent: percent('Nested derivative: C.2.d, per cent of net assets').nullable(),
    in_names_basket: boolean('Nested derivative: C.2.e').nullable(),
    asset_cat: text('Nested derivative: C.4.a, asset category').nullable(),
    asset_description: text('Nested derivative: C.4.a, description').nullable(),
    issuer_cat: text('Nested derivative: C.4.b, issuer category').nullable(),
    issuer_description: text('Nested derivative: C.4.b, description').nullable(),
    country: text('Nested derivative: C.5.a, country').nullable(),
    risk_country: text('Nested derivative: C.5.b, country of risk').nullable(),
  },
)

export const leg = table('nport.leg', 'One row per leg of a swap: what is received, what is paid', ['n', 'position'], {
  ...inOrder,
  derivative_position: integer('Position of the swap in derivative'),
  side: text('C.11.f.i: receive or pay', { values: ['receive', 'pay'] }),
  kind: text('C.11.f.i: Fixed, Floating or Other').nullable(),
  rate: percent('Fixed rate').nullable(),
  floating_index: text('Index of a floating rate').nullable(),
  spread: percent('Spread above that index').nullable(),
  amount: amount('What is paid or received'),
  currency: currency('Its currency'),
  description: text('Description of another kind').nullable(),
  tenors: json(tenor, 'Resets and terms of a floating rate').nullable(),
})

export const counterparty = table(
  'nport.counterparty',
  'One row per counterparty of a derivative or of a repurchase agreement',
  ['n', 'position'],
  {
    ...inOrder,
    derivative_position: integer(
      'Position of the derivative in derivative; null for a repurchase agreement',
    ).nullable(),
    name: text('C.10.b.ii, C.11.b.i: name').nullable(),
    lei: lei('C.10.b.ii, C.11.b.i: LEI').nullable(),
  },
)

export const repurchase = table('nport.repurchase', 'One row per repurchase agreement: its terms', ['n'], {
  ...ofHolding,
  kind: text('C.10.a: Repurchase, or Reverse repurchase').nullable(),
  is_cleared: boolean('C.10.b: cleared by a central counterparty').nullable(),
  central_counterparty: text('C.10.b.i: that counterparty').nullable(),
  is_tri_party: boolean('C.10.c: tri-party').nullable(),
  rate: percent('C.10.d: repurchase rate').nullable(),
  matures: date('C.10.e: day of maturity').nullable(),
})

export const repurchase_collateral = table(
  'nport.repurchase_collateral',
  'One row per kind of collateral of a repurchase agreement',
  ['n', 'position'],
  {
    ...inOrder,
    principal: amount('C.10.f.i: principal'),
    principal_currency: currency('C.10.f.i: currency of the principal'),
    value: amount('C.10.f.ii: value'),
    value_currency: currency('C.10.f.ii: currency of the value'),
    category: text('C.10.f.iii: kind of investment').nullable(),
    description: text('C.10.f.iii: description of another kind').nullable(),
  },
)

export const lending = table(
  'nport.lending',
  'One row per holding that is on loan or collateral of a loan; a holding without a row answers no to all three, or has no answers',
  ['n'],
  {
    ...ofHolding,
    is_cash_collateral: boolean('C.12.a: reinvested cash collateral').nullable(),
    cash_collateral: usd('C.12.a: value of the reinvested cash').nullable(),
    is_noncash_collateral: boolean('C.12.b: received as collateral other than cash').nullable(),
    noncash_collateral: usd('C.12.b: value of that collateral').nullable(),
    is_loaned: boolean('C.12.c: on loan').nullable(),
    loaned: usd('C.12.c: value on loan').nullable(),
  },
)

export const liquidity = table('nport.liquidity', 'One row per class of liquidity of a holding', ['n', 'position'], {
  ...inOrder,
  category: text('C.7.a: HLI, MLI, LLI or ILI; N/A where the fund does not classify').nullable(),
  percent: percent('C.7.b: per cent of the holding in the class').nullable(),
  circumstances: texts('C.7.b: why it is in several classes; in the first row'),
})
