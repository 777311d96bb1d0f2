/**
 * Regulation A: offering statements (1-A), annual reports (1-K) and exit reports (1-Z). Item numbers are those of Part
 * I of Form 1-A, of Form 1-K and of Form 1-Z. Dollar amounts are US dollars with cents, as stated.
 */
import {
  address,
  bigint,
  boolean,
  cik,
  cusip,
  date,
  decimal,
  fileNumber,
  firm,
  integer,
  nameWords,
  shares,
  table,
  text,
  texts,
  usd,
} from '../../declare/table.ts'

export const submission = table(
  'rega.submission',
  'One row per Form 1-A, 1-K or 1-Z: its form type, the primary issuer and its main amounts',
  [],
  {
    submission_type: text(
      'Form type: 1-A offering statement, DOS draft offering statement, 1-A POS amendment after qualification, 1-K annual report, 1-Z exit report; /A for an amendment',
    ),
    entity_name: text('Name of the primary issuer'),
    name_key: text('Name of the primary issuer for comparisons: lower case, without accents'),
    name_words: nameWords('Search words of the name of the primary issuer (names.ts)'),
    cik: cik('CIK of the primary issuer', { named: 'entity_name' }).nullable(),
    ...address({ of: 'the primary issuer' }),
    phone: text('Telephone of the primary issuer, as filed').nullable(),
    contact_name: text('1-A Item 1: person to contact about the filing, often counsel').nullable(),
    industry: text(
      '1-A Item 1: name of the SIC major group of the primary issuer (first two digits of its SIC code); null for 1-K and 1-Z, which have no SIC code',
    ).nullable(),
    tier: text('1-A Item 4: tier of the offering, Tier1 or Tier2').nullable(),
    total_offered: usd(
      '1-A Item 4: total of the aggregate offering price: this offering, sales of the preceding twelve months and concurrent offerings. An amendment restates it. Null for 1-K and 1-Z',
    ).nullable(),
    raised: usd(
      '1-K and 1-Z: aggregate sales for the issuer and for selling holders since qualification, summed over the reported offerings. Each report restates it. Null if an offering has no amount or an amount contradicts the securities sold',
    ).nullable(),
    file_numbers: texts('Commission file numbers of the offerings (024-…); empty for a first 1-A, which has none yet', {
      entity: 'file_number',
    }),
    draft_file_number: fileNumber('1-A: commission file number of the preceding draft offering statement').nullable(),
    successor_file_number: fileNumber(
      '1-K, 1-Z: if the issuer is a successor, commission file number of its predecessor',
    ).nullable(),
    is_successor: boolean('1-K, 1-Z: true if a successor issuer filed it').nullable(),
    is_shell_company: boolean('1-K: true if the issuer is a shell company').nullable(),
    report_type: text('1-K: kind of report, Annual Report or Special Financial Report for the fiscal year').nullable(),
    reporting_period: date('1-K: end of the reported period, from the submission header').nullable(),
    fiscal_year_end: date('1-K Item 1: end of the fiscal year').nullable(),
    securities_titles: texts('1-K Item 1: titles of the classes of securities issued under Regulation A'),
    proceeds_reported_before: boolean(
      '1-K Item 2: true if the proceeds were reported in an earlier filing, so that this one omits them (Rule 257)',
    ).nullable(),
  },
  {
    indexes: [
      '(cik, filed_date desc, accession desc)',
      // For searches by name: by its words, or by text within the name.
      'using gin (name_words)',
      'using gin (name_key public.gin_trgm_ops)',
      // For the orders of /feed by name, amount and state, and for its filter by industry. Indexes of facets do not
      // serve these.
      '(name_key, filed_date desc, accession desc)',
      '(total_offered desc nulls last, filed_date desc, accession desc)',
      '(state desc nulls last, filed_date desc, accession desc)',
      '(lower(industry), filed_date desc, accession desc)',
    ],
  },
)

/** One row for each issuer: position 0 is the primary issuer, co-issuers follow as filed. */
export const issuer = table(
  'rega.issuer',
  'One row per issuer, the primary issuer first',
  ['position'],
  {
    position: integer('Order of the issuers: 0 for the primary issuer, then as in the form'),
    cik: cik('CIK of the issuer', { named: 'entity_name' }).nullable(),
    entity_name: text('1-A, 1-K, 1-Z Item 1: name of the issuer as specified in its charter').nullable(),
    file_number: fileNumber('Commission file number that the submission header gives for this issuer').nullable(),
    jurisdiction: text('1-A, 1-K Item 1: jurisdiction of incorporation or organization as an EDGAR code').nullable(),
    year_incorporated: integer('1-A Item 1: year of incorporation').nullable(),
    sic: text('1-A Item 1: primary standard industrial classification, four digits').nullable(),
    irs_number: text(
      '1-A, 1-K Item 1: IRS employer identification number; null if the form has zeros there',
    ).nullable(),
    full_time_employees: bigint('1-A Item 1: number of full-time employees', { unit: 'count' }).nullable(),
    part_time_employees: bigint('1-A Item 1: number of part-time employees', { unit: 'count' }).nullable(),
  },
  { indexes: ['(cik, accession)'] },
)

export const offering = table(
  'rega.offering',
  'One row per offering statement: the securities offered, the amounts and the jurisdictions',
  [],
  {
    audit_status: text('Item 4: Audited or Unaudited, the status of the financial statements').nullable(),
    security_types: texts(
      'Item 4: types of the securities offered: equity, debt, option, security_to_be_acquired, tenant_in_common, other; an unknown type as filed',
    ),
    other_security: text('Item 4: description of the type of security if it is other').nullable(),
    delayed_or_continuous: boolean('Item 4: true for a delayed or continuous offering under Rule 251(d)(3)').nullable(),
    more_than_one_year: boolean('Item 4: true if the offering is intended to last more than one year').nullable(),
    priced_after_qualification: boolean(
      'Item 4: true if the offering is to be priced after qualification under Rule 253(b)',
    ).nullable(),
    best_efforts: boolean('Item 4: true for a best efforts offering').nullable(),
    solicited_interest: boolean('Item 4: true if solicitation of interest communications were used').nullable(),
    affiliate_resale: boolean('Item 4: true if affiliates of the issuer resell securities').nullable(),
    securities_offered: shares('Item 4: number of securities offered').nullable(),
    securities_outstanding: shares(
      'Item 4: number of securities of the offered class that are already outstanding',
    ).nullable(),
    price_per_security: decimal('Item 4: price per security', { unit: 'USD_per_share' }).nullable(),
    issuer_amount: usd(
      'Item 4: part of the aggregate offering price for securities offered on behalf of the issuer',
    ).nullable(),
    holder_amount: usd(
      'Item 4: part of the aggregate offering price for securities offered on behalf of selling holders',
    ).nullable(),
    prior_amount: usd(
      'Item 4: aggregate price of securities sold under other qualified offering statements in the twelve months before qualification',
    ).nullable(),
    concurrent_amount: usd(
      'Item 4: estimated aggregate price of securities to be sold under other offering statements qualified concurrently',
    ).nullable(),
    broker_crd: firm('Item 4: CRD number of the listed broker or dealer; null if the form has zeros there').nullable(),
    estimated_net_proceeds: usd('Item 4: estimated net proceeds to the issuer').nullable(),
    fees_note: text('Item 4: clarification of the issuer’s responses, as filed').nullable(),
    jurisdictions: texts('Item 5: jurisdictions in which the issuer intends to offer, as EDGAR codes'),
    dealer_jurisdictions: texts(
      'Item 5: jurisdictions in which underwriters, dealers or sales persons are to offer, as EDGAR codes',
    ),
    no_dealer_jurisdictions: boolean(
      'Item 5: true if underwriters, dealers or sales persons offer in no jurisdiction',
    ).nullable(),
    same_dealer_jurisdictions: boolean(
      'Item 5: true if underwriters, dealers or sales persons offer in the same jurisdictions as the issuer',
    ).nullable(),
    no_unregistered_securities: boolean(
      'Item 6: true if no unregistered securities were issued in the year before the offering statement',
    ).nullable(),
    unregistered_exemption: text(
      'Item 6: exemption relied on for the unregistered securities, and the facts that support it',
    ).nullable(),
    eligible: boolean('Item 2: true if the issuer certifies that it is eligible for Regulation A').nullable(),
    not_disqualified: boolean(
      'Item 3: true if the issuer certifies that no disqualification under Rule 262 applies',
    ).nullable(),
    bad_actor_disclosure: boolean('Item 3: true if disclosure under Rule 262(d) is provided').nullable(),
  },
)

export const financials = table(
  'rega.financials',
  'One row per offering statement: summary of its financial statements, in the layout for banks, insurers or others',
  [],
  {
    layout: text(
      'Item 1: industry group, which determines the items of the summary: Banking, Insurance or Other',
    ).nullable(),
    cash: usd('Balance sheet: cash and cash equivalents').nullable(),
    investment_securities: usd('Balance sheet: investment securities; null for insurers').nullable(),
    total_investments: usd('Balance sheet: total investments; only for insurers').nullable(),
    accounts_receivable: usd('Balance sheet: accounts and notes receivable; null for banks').nullable(),
    loans: usd('Balance sheet: loans; only for banks').nullable(),
    property: usd('Balance sheet: property, plant and equipment, or property and equipment').nullable(),
    total_assets: usd('Balance sheet: total assets').nullable(),
    accounts_payable: usd('Balance sheet: accounts payable and accrued liabilities').nullable(),
    policy_liabilities: usd('Balance sheet: policy liabilities and accruals; only for insurers').nullable(),
    deposits: usd('Balance sheet: deposits; only for banks').nullable(),
    long_term_debt: usd('Balance sheet: long-term debt').nullable(),
    total_liabilities: usd('Balance sheet: total liabilities').nullable(),
    equity: usd("Balance sheet: total stockholders' equity").nullable(),
    liabilities_and_equity: usd('Balance sheet: total liabilities and equity').nullable(),
    revenues: usd('Income: total revenues; null for banks').nullable(),
    interest_income: usd('Income: total interest income; only for banks').nullable(),
    costs_and_expenses: usd('Income: costs and expenses applicable to revenues; null for banks').nullable(),
    interest_expenses: usd('Income: total interest expenses; only for banks').nullable(),
    depreciation: usd('Income: depreciation and amortization').nullable(),
    net_income: usd('Income: net income').nullable(),
    eps_basic: decimal('Income: basic earnings per share', { unit: 'USD_per_share' }).nullable(),
    eps_diluted: decimal('Income: diluted earnings per share', { unit: 'USD_per_share' }).nullable(),
    auditor: text('Name of the auditor; null if the form names none').nullable(),
  },
)

export const security_class = table(
  'rega.security_class',
  'One row per class of securities outstanding at the time of an offering statement',
  ['position'],
  {
    position: integer('Order in the form, from 0'),
    kind: text('1-A Item 1: kind of class: common, preferred or debt', { values: ['common', 'preferred', 'debt'] }),
    name: text('1-A Item 1: name of the class').nullable(),
    outstanding: shares('1-A Item 1: number of units outstanding').nullable(),
    cusip: cusip('1-A Item 1: CUSIP; null if the form has zeros there, or words that mean none', {
      named: null,
    }).nullable(),
    market: text('1-A Item 1: trading center or quotation medium; null if there is none').nullable(),
  },
  { indexes: ['(cusip) where cusip is not null'] },
)

export const unregistered = table(
  'rega.unregistered',
  'One row per issue of securities that were sold without registration within one year before an offering statement',
  ['position'],
  {
    position: integer('Order in the form, from 0'),
    issuer_name: text('1-A Item 6: name of the issuer').nullable(),
    title: text('1-A Item 6: title of the securities').nullable(),
    total_issued: shares('1-A Item 6: number of securities issued').nullable(),
    sold_by_holders: shares(
      '1-A Item 6: number of the securities that were sold by or for directors, officers, promoters or principal holders',
    ).nullable(),
    consideration: text('1-A Item 6: aggregate consideration, as filed (text)').nullable(),
    consideration_basis: text('1-A Item 6: basis for computing the consideration, as filed').nullable(),
  },
)

/** Ended offerings as a 1-K or 1-Z reports them. A form reports up to five. */
export const sale = table('rega.sale', 'One row per ended offering that a 1-K or 1-Z reports', ['position'], {
  position: integer('Order in the form, from 0'),
  file_number: fileNumber('1-K: commission file number of the offering statement').nullable(),
  qualified: date('Date of qualification').nullable(),
  commenced: date('Date of commencement of the offering').nullable(),
  securities_qualified: shares('Number of securities qualified to be sold').nullable(),
  securities_sold: shares('Number of securities sold').nullable(),
  price_per_security: decimal('Price per security', { unit: 'USD_per_share' }).nullable(),
  sold_for_issuer: usd('Aggregate sales for the issuer since qualification').nullable(),
  sold_for_holders: usd('Aggregate sales for selling holders since qualification').nullable(),
  broker_crd: firm('CRD number of the listed broker or dealer; null if the form has zeros there').nullable(),
  net_proceeds: usd('Net proceeds to the issuer').nullable(),
  note: text('Clarification of the issuer’s responses, as filed').nullable(),
})

export const service = table(
  'rega.service',
  'One row per offering and role of service providers, with their names and fees',
  ['sale', 'role'],
  {
    sale: integer(
      'Position of the offering (in the table `sale`) of a 1-K or 1-Z; 0 for a 1-A, whose fees are estimates',
    ),
    role: text(
      'Role of the service provider; sales_commission, finder and blue_sky are named after the fees of the form',
      {
        values: ['underwriter', 'sales_commission', 'finder', 'audit', 'legal', 'promoter', 'blue_sky'],
      },
    ),
    names: texts('Names of the service providers, as filed'),
    fee: usd('Fee of the service providers in this role').nullable(),
  },
)

export const suspension = table(
  'rega.suspension',
  'One row per class of securities for which a 1-Z suspends the duty to report',
  ['position'],
  {
    position: integer('Order in the form, from 0'),
    title: text('1-Z: title of the class of securities').nullable(),
    file_numbers: texts('1-Z: commission file numbers of the class', { entity: 'file_number' }),
    record_holders: bigint('1-Z: approximate number of holders of record', { unit: 'count' }).nullable(),
  },
)

export const signature = table(
  'rega.signature',
  'One row per signature of a 1-Z. Signatures of 1-A and 1-K are in their documents and are not stored',
  ['position'],
  {
    position: integer('Order in the form, from 0'),
    cik: cik('1-Z: CIK of the issuer on whose behalf the form is signed', { named: 'issuer_name' }).nullable(),
    issuer_name: text('1-Z: name of the issuer on whose behalf the form is signed').nullable(),
    signature: text('1-Z: signature, as filed').nullable(),
    title: text('1-Z: title of the signer').nullable(),
    signed: date('1-Z: date of the signature').nullable(),
  },
  { indexes: ['(cik) where cik is not null'] },
)
