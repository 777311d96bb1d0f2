/**
 * Forms 3, 4 and 5 as filed in XML since 2003-06-30. Table I (non-derivative) and Table II (derivative) have separate
 * tables.
 */
import { z } from 'zod'
import {
  address,
  boolean,
  cik,
  count,
  date,
  decimal,
  integer,
  json,
  nameWords,
  table,
  text,
  texts,
  usd,
} from '../../declare/table.ts'

export const report = table(
  'ownership.report',
  'One row per filing of Form 3, 4 or 5: the issuer, the reporting owners and the answers of the form',
  [],
  {
    submission_type: text('Form type: 3, 4 or 5, with /A for an amendment'),
    form: text('Form without /A: 3, 4 or 5', { values: ['3', '4', '5'] }),
    is_amendment: boolean('True if the form type is that of an amendment'),
    source: text(
      'Source of the rows. xml: the document. text: the filing has no XML (before 2003-06-30), and only what EDGAR’s header states is known. set: a quarterly data set, with these differences. Amounts are rounded to two decimals, and a price rounded to 0 is null, except the price of a gift. Transactions come before holdings, both in the order of the numbers that the data set gives to lines; owners are in the order of their CIKs, signatures in the order of their texts. Schema version, first filer, foreign symbol and countries of owners are null, and so is owner_name if there are several owners',
      { values: ['xml', 'set', 'text'] },
    ),
    schema_version: text('Version of the schema, such as X0508').nullable(),
    cik: cik('CIK of the first filer in EDGAR’s header').nullable(),
    period: date(
      'Period of report: day of the event (Form 3) or of the earliest transaction (Form 4), end of the fiscal year (Form 5)',
    ).nullable(),
    original_date: date('Amendment: filing date of the original, as the filer states it').nullable(),
    issuer_cik: cik('CIK of the issuer', { named: 'issuer_name' }).nullable(),
    issuer_name: text('Name of the issuer').nullable(),
    name_key: text('Name of the issuer for comparisons: lower case, without accents').nullable(),
    name_words: nameWords('Search words of the name of the issuer (names.ts)').nullable(),
    ticker: text('Trading symbol, as filed; null if the filer states that there is none').nullable(),
    foreign_ticker: text('Trading symbol on a foreign exchange, as filed').nullable(),
    owner_name: text(
      'Name of the first reporting owner. Null if source = set and there are several owners, since a set does not show which one is first',
    ).nullable(),
    owner_key: text('Names of the owners for comparisons: lower case, without accents, one per line').nullable(),
    owner_words: nameWords('Search words of the names of the owners (names.ts)').nullable(),
    owner_ciks: texts('CIKs of all reporting owners, in ascending order'),
    owner_count: count('Number of reporting owners'),
    plan_10b5_1: boolean(
      'True if a transaction was made under a plan intended to satisfy Rule 10b5-1(c); null before 2023, when the form had no such box',
    ).nullable(),
    not_subject_to_section_16: boolean(
      'True if the box for a person who is no longer subject to Section 16 is checked',
    ).nullable(),
    no_securities_owned: boolean('Form 3: true if no securities are owned beneficially').nullable(),
    form3_holdings_reported: boolean(
      'Form 5: true if it reports holdings that a Form 3 should have reported',
    ).nullable(),
    form4_transactions_reported: boolean(
      'Form 5: true if it reports transactions that a Form 4 should have reported',
    ).nullable(),
    remarks: text('Remarks of the form, as filed').nullable(),
  },
  {
    indexes: [
      '(issuer_cik, original_date) where is_amendment',
      'using gin (name_words)',
      'using gin (name_key public.gin_trgm_ops)',
      'using gin (owner_words)',
      'using gin (owner_key public.gin_trgm_ops)',
    ],
  },
)

const filed = {
  filed_date: date('Date the SEC gives as the filing date'),
}

export const owner = table(
  'ownership.owner',
  'One row per reporting owner with its relationship to the issuer',
  ['position'],
  {
    position: integer('Order in the filing, from 0; if source = set, in the order of the owners’ CIKs'),
    ...filed,
    cik: cik('CIK of the owner', { named: 'name' }).nullable(),
    name: text('Name of the owner as filed; the last name of a person comes first').nullable(),
    ...address({ of: 'the owner' }),
    state_description: text('State or country of the owner in words, as filed').nullable(),
    country: text('Country of the owner, as filed; null before the schemas of 2025').nullable(),
    is_director: boolean('True if the owner is a director of the issuer; null if the box is unreadable').nullable(),
    is_officer: boolean('True if the owner is an officer of the issuer; null if the box is unreadable').nullable(),
    is_ten_percent_owner: boolean(
      'True if the owner owns more than 10% of a class of equity of the issuer; null if the box is unreadable',
    ).nullable(),
    is_other: boolean(
      'True if the owner has another relationship to the issuer; null if the box is unreadable',
    ).nullable(),
    officer_title: text('Title of the owner as an officer of the issuer').nullable(),
    other_relationship: text('Description of the other relationship to the issuer').nullable(),
  },
  { indexes: ['(cik, filed_date desc, accession desc)'] },
)

/** The values of a line that have footnotes, with the ids of rows in `footnote`. */
const references = z
  .array(
    z.object({
      column: z.string().describe('Column of the line to which the footnotes belong'),
      ids: z.array(z.string()).describe('Ids of the footnotes, as the filing numbers them'),
    }),
  )
  .meta({ id: 'OwnershipReference' })

const head = {
  line: integer(
    'Number of the line within Table I or Table II, from 1, in the order of the form. In rows from a quarterly data set (source = set), transactions come before holdings; both are in the order of the numbers that the data set gives to lines',
  ),
  ...filed,
  is_holding: boolean('True if the line reports a holding without a transaction'),
  issuer_cik: cik('CIK of the issuer').nullable(),
  security_title: text('Title of the security').nullable(),
}

/** Describes how quarterly sets round an amount. */
const ROUNDED = 'rounded to two decimals if source = set'
const SMALL = `${ROUNDED}, so a 0 may stand for less than 0.005`

const transaction = {
  transaction_date: date('Day of the transaction').nullable(),
  deemed_date: date(
    'Day on which the transaction is deemed executed; null if it is the day of the transaction',
  ).nullable(),
  form_type: text('Form on which the transaction is to be reported: 4 or 5').nullable(),
  code: text('Transaction code: P purchase, S sale, A award, M exercise …').nullable(),
  equity_swap: boolean('True if the transaction involves an equity swap').nullable(),
  timeliness: text('Timeliness of the report: E early, L late; null if on time', { values: ['E', 'L'] }).nullable(),
  shares: decimal(`Shares or other units acquired or disposed of; ${SMALL}`, { unit: 'shares' }).nullable(),
  total_value: usd(
    `Value of the securities acquired or disposed of, if their number is not stated; ${SMALL}`,
  ).nullable(),
  price: decimal(
    `Price of a share or unit; null if only a footnote states it, or if rounded_to_zero lists price; ${ROUNDED}`,
    { unit: 'USD_per_share' },
  ).nullable(),
  acquired_disposed: text('Direction of the transaction: A acquired, D disposed of', { values: ['A', 'D'] }).nullable(),
}

const holding = {
  shares_after: decimal(`Shares or units owned after the transaction; for a holding, the shares held; ${SMALL}`, {
    unit: 'shares',
  }).nullable(),
  value_after: usd(
    `Value of the securities owned after the transaction, if their number is not stated; ${SMALL}`,
  ).nullable(),
  ownership: text('Form of ownership: D direct, I indirect', { values: ['D', 'I'] }).nullable(),
  nature: text('Nature of indirect ownership, as filed').nullable(),
  footnote_refs: json(references, 'Columns of the line that have footnotes, each with the ids of its footnotes'),
  rounded_to_zero: texts(
    'Columns (price, exercise_price) that are null because the quarterly data set has 0 there. Data sets round to cents, so the real price is 0 or less than half a cent. Empty if source = xml',
  ),
}

/** Each list by cursor reads a range of one of these indexes: for an issuer, for a code, or for all lines. */
const LISTS = [
  '(issuer_cik, filed_date desc, accession desc, line) where not is_holding',
  '(code, filed_date desc, accession desc, line) where not is_holding',
  '(filed_date desc, accession desc, line) where not is_holding',
]

export const security = table(
  'ownership.security',
  'One row per line of Table I: a transaction in a non-derivative security, or a holding of one',
  ['line'],
  { ...head, ...transaction, ...holding },
  { indexes: LISTS },
)

export const derivative = table(
  'ownership.derivative',
  'One row per line of Table II: a transaction in a derivative security, or a holding of one',
  ['line'],
  {
    ...head,
    exercise_price: decimal(
      `Price of conversion or exercise; null if rounded_to_zero lists exercise_price; ${ROUNDED}`,
      {
        unit: 'USD_per_share',
      },
    ).nullable(),
    ...transaction,
    exercise_date: date('First day on which the derivative can be exercised').nullable(),
    expiration_date: date('Day on which the derivative expires').nullable(),
    underlying_title: text('Title of the underlying security').nullable(),
    underlying_shares: decimal(`Shares or units of the underlying security; ${SMALL}`, { unit: 'shares' }).nullable(),
    underlying_value: usd(
      `Value of the underlying security, if the number of shares is not stated; ${SMALL}`,
    ).nullable(),
    ...holding,
  },
  { indexes: LISTS },
)

export const footnote = table('ownership.footnote', 'One row per footnote of a filing', ['position'], {
  position: integer('Order in the filing, from 0; if source = set, in the order of the footnotes’ numbers'),
  id: text('Id of the footnote within the filing, such as F1').nullable(),
  footnote: text('Text of the footnote').nullable(),
})

export const signature = table('ownership.signature', 'One row per signature of a filing', ['position'], {
  position: integer('Order in the filing, from 0; if source = set, in the order of the signatures’ texts'),
  signature: text('Signature, as signed').nullable(),
  signed: date('Day of signing').nullable(),
})
