/**
 * Form C of Regulation Crowdfunding, all its variants. An annual report (C-AR), a termination (C-TR) and a withdrawal
 * (…-W) have no terms, and a withdrawal has only the issuer's name. Columns that a form lacks are null.
 */
import {
  address,
  boolean,
  cik,
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
  'crowdfunding.submission',
  'One row per filing: the issuer, the intermediary and the terms of the offering',
  [],
  {
    submission_type: text(
      'C offering statement, C-U progress update, C-AR annual report, C-TR termination of reporting; /A is an amendment, -W a withdrawal',
    ),
    source: text(
      'Source of the row: xml, or set for a quarterly data set. In a row from a data set, co-issuers are unknown, and signatures are in the order of the data set',
      { values: ['xml', 'set'] },
    ),
    entity_name: text('Name of the issuer'),
    name_key: text('Name of the issuer, normalized for comparison: without accents, in lower case'),
    name_words: nameWords('Words by which a search finds the issuer’s name: names.ts'),
    cik: cik('CIK of the issuer', { named: 'entity_name' }).nullable(),
    file_number: fileNumber(
      'SEC file number of the offering to which an amendment, update or withdrawal belongs; null for an offering statement, which has none yet',
    ).nullable(),
    period: date('Annual report: last day of the fiscal year that is reported').nullable(),
    // The XML calls this box isAmendment. An amendment may leave the box unchecked (0001669191-25-000007).
    material_amendment: boolean(
      'Whether the amendment is material, so that investors must reconfirm within five business days',
    ).nullable(),
    amendment_note: text('Amendment: description of what changed').nullable(),
    progress: text('Progress update, in the words of the issuer').nullable(),
    raised: usd(
      'Amount raised so far, US dollars, from the text of the progress update; null if the text states no amount, or several',
    ).nullable(),
    legal_form: text('Legal status: form of organization').nullable(),
    legal_form_other: text(
      'Legal status: description of a form of organization that is not in the form’s list',
    ).nullable(),
    jurisdiction: text('Legal status: jurisdiction of organization as an EDGAR code').nullable(),
    incorporated: date('Legal status: date of organization').nullable(),
    ...address({ item: 'Physical address' }),
    website: text('Website of the issuer, as filed').nullable(),
    has_co_issuers: boolean(
      'Whether there are co-issuers; null if the row is from a data set that does not state it',
    ).nullable(),
    intermediary_name: text('Name of the funding portal or broker through which the offering is conducted').nullable(),
    intermediary_cik: cik('CIK of the intermediary', { named: 'intermediary_name' }).nullable(),
    intermediary_file_number: fileNumber(
      'SEC file number of the intermediary: 007-… a funding portal, 008-… a broker',
    ).nullable(),
    intermediary_crd: firm('CRD number of the intermediary').nullable(),
    compensation: text('Compensation paid to the intermediary, as filed').nullable(),
    financial_interest: text(
      'Other interest in the issuer that the intermediary holds or is to acquire, as filed',
    ).nullable(),
    security_type: text('Type of security offered: Common Stock, Preferred Stock, Debt, Other').nullable(),
    security_other: text('Description of the type of security, if the type is Other').nullable(),
    security_count: shares('Target number of securities to be offered').nullable(),
    price: decimal('Price of a security, US dollars', { unit: 'USD_per_share' }).nullable(),
    price_method: text('How the price was determined, as filed').nullable(),
    target_amount: usd('Target offering amount, US dollars').nullable(),
    over_subscription_accepted: boolean('Investments beyond the target amount are accepted').nullable(),
    over_subscription_allocation: text(
      'Allocation of investments beyond the target amount: Pro-rata basis; First-come, first-served basis; Other',
    ).nullable(),
    over_subscription_note: text('Description of the allocation, if it is Other').nullable(),
    maximum_amount: usd(
      'Maximum offering amount, US dollars; stated if investments beyond the target amount are accepted',
    ).nullable(),
    deadline: date('Day by which the target amount must be reached').nullable(),
    jurisdictions: texts('States and territories in which the issuer intends to offer the securities, as EDGAR codes'),
  },
  {
    indexes: [
      '(cik, filed_date desc, accession desc)',
      // Indexes for searches by words of the name, and by text within the name.
      'using gin (name_words)',
      'using gin (name_key public.gin_trgm_ops)',
      // Indexes for orders of /feed that no facet index serves: by name, by amount as the feed shows it (both
      // directions), by state descending.
      '(name_key, filed_date desc, accession desc)',
      '(coalesce(maximum_amount, target_amount), filed_date desc, accession desc)',
      '(coalesce(maximum_amount, target_amount) desc nulls last, filed_date desc, accession desc)',
      '(state desc nulls last, filed_date desc, accession desc)',
    ],
  },
)

const year = (what: string) => ({
  recent: usd(`${what}, most recent fiscal year end, US dollars`).nullable(),
  prior: usd(`${what}, prior fiscal year end, US dollars`).nullable(),
})
const [assets, cash, receivable, shortDebt, longDebt, revenue, costs, taxes, income] = [
  year('Total assets'),
  year('Cash and cash equivalents'),
  year('Accounts receivable'),
  year('Short-term debt'),
  year('Long-term debt'),
  year('Revenues or sales'),
  year('Cost of goods sold'),
  year('Taxes paid'),
  year('Net income'),
] as const

export const financial = table(
  'crowdfunding.financial',
  'One row per filing with the annual report disclosure: employees, and figures of the two latest fiscal years',
  [],
  {
    current_employees: decimal('Current number of employees; the form allows a fraction', { unit: 'count' }).nullable(),
    total_assets: assets.recent,
    total_assets_prior: assets.prior,
    cash: cash.recent,
    cash_prior: cash.prior,
    accounts_receivable: receivable.recent,
    accounts_receivable_prior: receivable.prior,
    short_term_debt: shortDebt.recent,
    short_term_debt_prior: shortDebt.prior,
    long_term_debt: longDebt.recent,
    long_term_debt_prior: longDebt.prior,
    revenue: revenue.recent,
    revenue_prior: revenue.prior,
    cost_of_goods_sold: costs.recent,
    cost_of_goods_sold_prior: costs.prior,
    taxes_paid: taxes.recent,
    taxes_paid_prior: taxes.prior,
    net_income: income.recent,
    net_income_prior: income.prior,
  },
)

export const co_issuer = table(
  'crowdfunding.co_issuer',
  'One row per co-issuer of a filing',
  ['position'],
  {
    position: integer('Order in the form, from 0'),
    cik: cik('CIK of the co-issuer; null if it does not file with EDGAR', { named: 'entity_name' }).nullable(),
    is_edgar_filer: boolean('The co-issuer files with EDGAR; null if the answer is unreadable').nullable(),
    entity_name: text('Name of the co-issuer').nullable(),
    legal_form: text('Legal status: form of organization').nullable(),
    legal_form_other: text(
      'Legal status: description of a form of organization that is not in the form’s list',
    ).nullable(),
    jurisdiction: text('Legal status: jurisdiction of organization as an EDGAR code').nullable(),
    incorporated: date('Legal status: date of organization').nullable(),
    ...address({ item: 'Address' }),
    website: text('Website of the co-issuer, as filed').nullable(),
  },
  { indexes: ['(cik, accession) where cik is not null'] },
)

/** The issuer's signature, which has no date, comes first; the issuer's officers and directors follow. */
export const signature = table(
  'crowdfunding.signature',
  'One row per signature: first the issuer’s signature, which has no date, then the signatures of its officers and directors',
  ['position'],
  {
    position: integer(
      'Order from 0: first the issuer, if its signature is known, then persons in the order of the form or of the data set',
    ),
    issuer_name: text('Name of the issuer on whose behalf the form is signed').nullable(),
    signature: text('Signature, as filed').nullable(),
    title: text('Title of the signer').nullable(),
    signed: date('Date of the signature').nullable(),
  },
)
