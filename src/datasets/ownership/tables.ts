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
  'One row per filing: the insiders and the issuer that it is about',
  [],
  {
    submission_type: text('3, 4 or 5, with /A for an amendment'),
    form: text('3, 4 or 5', { values: ['3', '4', '5'] }),
    is_amendment: boolean('The filing amends an earlier one, by its form type'),
    source: text(
      'xml; set if the rows are from a quarterly data set: amounts are then rounded to two decimals, and a price that is rounded to 0 is null, except that of a gift; transactions stand before holdings, each in the order of the set’s numbers; owners are in the order of their CIKs and signatures in that of their texts, and owner_name is null if there are several owners; the version of the schema, the first filer, the foreign symbol and countries of owners are unknown; text if the filing has no XML (before 2003-06-30): then only this row is known',
      { values: ['xml', 'set', 'text'] },
    ),
    schema_version: text('Version of the schema, such as X0508').nullable(),
    cik: cik('CIK of the first filer in EDGAR’s header').nullable(),
    period: date('Day of the event or of the earliest transaction; of Form 5 the end of the fiscal year').nullable(),
    original_date: date('Amendments: day on which the original was filed, as the filer states it').nullable(),
    issuer_cik: cik('CIK of the issuer', { named: 'issuer_name' }).nullable(),
    issuer_name: text('Name of the issuer').nullable(),
    name_key: text('Name of the issuer as it is compared: accents stripped, lower case').nullable(),
    name_words: nameWords('The words by which that name is found: names.ts').nullable(),
    ticker: text('Trading symbol, as filed; null if the filer says that there is none').nullable(),
    foreign_ticker: text('Trading symbol on a foreign exchange, as filed').nullable(),
    owner_name: text(
      'Name of the first reporting owner; null if source is set and there are several owners, since a set does not say who is the first',
    ).nullable(),
    owner_key: text('Names of the owners as they are compared, one below the other').nullable(),
    owner_words: nameWords('The words by which these names are found').nullable(),
    owner_ciks: texts('CIKs of all reporting owners, in ascending order'),
    owner_count: count('Number of reporting owners'),
    plan_10b5_1: boolean(
      'A transaction was made under a plan that is meant to meet Rule 10b5-1(c); null before 2023, where the form has no such box',
    ).nullable(),
    not_subject_to_section_16: boolean('The person is no longer subject to Section 16').nullable(),
    no_securities_owned: boolean('Form 3: no securities are owned beneficially').nullable(),
    form3_holdings_reported: boolean('Form 5: holdings are reported that a Form 3 should have had').nullable(),
    form4_transactions_reported: boolean('Form 5: transactions are reported that a Form 4 should have had').nullable(),
    remarks: text('Remarks').nullable(),
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
    position: integer('Order in the filing, from 0; if source is set, the order of the owners’ CIKs'),
    ...filed,
    cik: cik('CIK of the owner', { named: 'name' }).nullable(),
    name: text('Name of the owner; of a person the last name comes first').nullable(),
    ...address({ of: 'the owner' }),
    state_description: text('State or country in words, as filed').nullable(),
    country: text('Country, as filed; schemas of 2025 and later').nullable(),
    is_director: boolean('The owner is a director of the issuer'),
    is_officer: boolean('The owner is an officer of the issuer'),
    is_ten_percent_owner: boolean('The owner has more than 10% of a class of its equity'),
    is_other: boolean('The owner has another relationship to it'),
    officer_title: text('Title of the officer').nullable(),
    other_relationship: text('The other relationship').nullable(),
  },
  { indexes: ['(cik, filed_date desc, accession desc)'] },
)

/** The values of a line that have footnotes, with the ids of rows in `footnote`. */
const references = z
  .array(
    z.object({
      column: z.string().describe('Column of the line that the footnotes are about'),
      ids: z.array(z.string()).describe('Footnotes, as the filing numbers them'),
    }),
  )
  .meta({ id: 'OwnershipReference' })

const head = {
  line: integer(
    'Number of the line in its table, from 1, in the order of the form; if source is set, transactions come first, each kind in the order of the set’s numbers',
  ),
  ...filed,
  is_holding: boolean('The line states a holding without a transaction'),
  issuer_cik: cik('CIK of the issuer').nullable(),
  security_title: text('Title of the security').nullable(),
}

/** Describes how quarterly sets round an amount. */
const ROUNDED = 'rounded to two decimals if source is set'
const SMALL = `${ROUNDED}: a 0 may then be less than 0.005`

const transaction = {
  transaction_date: date('Day of the transaction').nullable(),
  deemed_date: date('Day on which it is deemed executed, if another').nullable(),
  form_type: text('Form on which it is to be reported: 4, or 5').nullable(),
  code: text('Transaction code: P purchase, S sale, A award, M exercise …').nullable(),
  equity_swap: boolean('An equity swap is involved').nullable(),
  timeliness: text('E: reported early; L: reported late; null: in time', { values: ['E', 'L'] }).nullable(),
  shares: decimal(`Shares or other units acquired or disposed of; ${SMALL}`, { unit: 'shares' }).nullable(),
  total_value: usd(`Value of what was acquired or disposed of, if shares are not stated; ${SMALL}`).nullable(),
  price: decimal(
    `Price of a share or unit; null if only a footnote gives it, and if rounded_to_zero names it; ${ROUNDED}`,
    { unit: 'USD_per_share' },
  ).nullable(),
  acquired_disposed: text('A: acquired; D: disposed of', { values: ['A', 'D'] }).nullable(),
}

const holding = {
  shares_after: decimal(`Shares or units owned after the transaction, or held; ${SMALL}`, {
    unit: 'shares',
  }).nullable(),
  value_after: usd(`Value of what is owned after it, if shares are not stated; ${SMALL}`).nullable(),
  ownership: text('D: owned directly; I: indirectly', { values: ['D', 'I'] }).nullable(),
  nature: text('Nature of indirect ownership').nullable(),
  footnote_refs: json(references, 'Footnotes of each value'),
  rounded_to_zero: texts(
    'Prices that are null because the quarterly set has 0 for them: price, exercise_price. A set rounds to cents, so the price is 0 or less than half a cent. Empty if source is xml',
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
  'One row per line of Table I: a transaction in, or a holding of, a security that is not a derivative',
  ['line'],
  { ...head, ...transaction, ...holding },
  { indexes: LISTS },
)

export const derivative = table(
  'ownership.derivative',
  'One row per line of Table II: a transaction in, or a holding of, a derivative security',
  ['line'],
  {
    ...head,
    exercise_price: decimal(`Price of conversion or exercise; null if rounded_to_zero names it; ${ROUNDED}`, {
      unit: 'USD_per_share',
    }).nullable(),
    ...transaction,
    exercise_date: date('First day on which it can be exercised').nullable(),
    expiration_date: date('Day on which it expires').nullable(),
    underlying_title: text('Title of the underlying security').nullable(),
    underlying_shares: decimal(`Shares or units of the underlying security; ${SMALL}`, { unit: 'shares' }).nullable(),
    underlying_value: usd(`Value of the underlying security, if shares are not stated; ${SMALL}`).nullable(),
    ...holding,
  },
  { indexes: LISTS },
)

export const footnote = table('ownership.footnote', 'One row per footnote', ['position'], {
  position: integer('Order in the filing, from 0; if source is set, the order of their numbers'),
  id: text('Number of the footnote, such as F1').nullable(),
  footnote: text('What it says').nullable(),
})

export const signature = table('ownership.signature', 'One row per signature', ['position'], {
  position: integer('Order in the filing, from 0; if source is set, the order of their texts'),
  signature: text('Signature, as signed').nullable(),
  signed: date('Day of signing').nullable(),
})
