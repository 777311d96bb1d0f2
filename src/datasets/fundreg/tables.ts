/** Registration statements and prospectuses of funds: the series that they announce, their fees, prose and advisers. */
import { z } from 'zod'
import { boolean, cik, count, date, integer, json, percent, table, text, texts, usd } from '../../declare/table.ts'
import { BLOCKS, ITEMS, LEFT_OUT, ROLES, STATUSES } from './tables-words.ts'

export const filing = table(
  'fundreg.filing',
  'One row per filing about the registration of a fund',
  [],
  {
    form: text('Form code of the filing in EDGAR’s index'),
    kind: text(
      'Effect of the filing. registration: registration statement. amendment: effective only after a review. update: effective at once, or on the day that it names. delay: new day on which an amendment becomes effective. summary: summary prospectus',
      { values: ['registration', 'amendment', 'update', 'delay', 'summary'] },
    ),
    cik: cik('CIK of the first filer in EDGAR’s header', { named: 'trust_name' }).nullable(),
    trust_name: text('Name of the first filer in EDGAR’s header: the trust, or the closed-end fund').nullable(),
    file_numbers: texts('File numbers under the Securities Act of the filers in EDGAR’s header', {
      entity: 'file_number',
    }),
    effective_date: date('Day of effectiveness, from EDGAR’s header').nullable(),
    series_count: count('Number of series that EDGAR’s header names'),
    new_series_count: count('Number of series that this filing announces as new'),
    has_fees: boolean('Whether a fee table was read from the filing'),
    left_out: texts(
      'What the filing states but could not be read with certainty. fee: a fee table; expense_example: amounts of an expense example',
      { values: LEFT_OUT },
    ),
  },
  { indexes: ['(cik, filed_date, accession) where cik is not null'] },
)

const shareClass = z
  .object({
    class_id: z.string().nullable().describe('Class identifier of EDGAR, C and nine digits'),
    name: z.string().nullable().describe('Name of the class'),
    ticker: z.string().nullable().describe('Ticker symbol of the class; null while it has none'),
  })
  .meta({ id: 'FundClassAnnounced' })

export const series = table(
  'fundreg.series',
  'One row per series that EDGAR’s header of a filing names',
  ['n'],
  {
    n: integer('Order in the header, from 1'),
    filed_date: date('Date the SEC gives as the filing date'),
    status: text(
      'Role of the series in the filing. new: the filing announces the series. new classes: it announces classes of the series. existing: neither. acquiring, target: role of the series in a merger',
      { values: STATUSES },
    ),
    owner_cik: cik('CIK of the trust to which the series belongs', { named: 'owner_name' }).nullable(),
    owner_name: text('Name of the trust to which the series belongs').nullable(),
    series_id: text('Series identifier of EDGAR, S and nine digits').nullable(),
    name: text('Name of the series').nullable(),
    classes: json(z.array(shareClass), 'Classes of the series that the header names'),
  },
  { indexes: ['(series_id, filed_date, accession) where series_id is not null', '(owner_cik)'] },
)

const place = {
  sequence: integer('Sequence number of the document in the submission'),
  start: integer(
    'Offset in the document’s Markdown at which the source text begins, in UTF-16 units from 0; null if the source is an XBRL tag',
  ).nullable(),
  stop: integer('Offset at which the source text ends, exclusive; null if the source is an XBRL tag').nullable(),
}

export const fee = table(
  'fundreg.fee',
  'One row per line and class of a fee table (Form N-1A, Item 3; Form N-2, Item 3)',
  ['n'],
  {
    n: integer('Number of the fee in the filing, from 1'),
    table_number: integer('Number of the fee table in the document, from 1'),
    column_number: integer('Number of the table’s column, from 1; each column is a class'),
    item: text(
      'Line of the fee table. management: management fee. distribution: distribution (12b-1) fee. incentive, interest: incentive fee, and interest on borrowings (closed-end funds). acquired_funds: fees of acquired funds. other: other expenses. total: total before waivers. waiver: waiver or reimbursement (recoupment is above zero). net: total after waivers',
      { values: ITEMS },
    ),
    series_id: text(
      'Series identifier; null if the document is about several series and it is unknown to which of them the row belongs',
    ).nullable(),
    class_id: text('Class identifier; null if the class is neither tagged nor known by its name').nullable(),
    class_name: text('Heading of the column, which names the class').nullable(),
    value: percent(
      'Fee in per cent of net assets a year; a waiver is below zero, and "none" is 0. Null if it cannot be read',
    ).nullable(),
    stated: text('Value as written in the table, or as tagged'),
    reason: text('Reason why there is no value').nullable(),
    source: text('Source of the value. xbrl: XBRL tags. text: the words of the table', { values: ['xbrl', 'text'] }),
    ...place,
    sentence: text('Row of the table, as written; null if the value is tagged in XBRL').nullable(),
  },
  { indexes: ['(series_id) where series_id is not null'] },
)

export const expense_example = table(
  'fundreg.expense_example',
  'One row per amount of an expense example: what an investor pays in expenses over 1, 3, 5 and 10 years, by class (Form N-1A, Item 3; Form N-2, Item 3)',
  ['n'],
  {
    n: integer('Number of the row in the filing, from 1'),
    table_number: integer('Number of the example in the document, from 1; tagged examples are numbered by series'),
    series_id: text(
      'Series identifier; null if the document is about several series and it is unknown to which one the row belongs',
    ).nullable(),
    class_id: text('Class identifier; null if the class is neither tagged nor known by its name').nullable(),
    class_name: text('Name of the class, as the example states it').nullable(),
    is_redeemed: boolean(
      'Whether the investor redeems all shares at the end of the period. If one amount applies in both cases, it has two rows, one with true and one with false; null if the prospectus does not say',
    ).nullable(),
    years: integer('Length of the period: 1, 3, 5 or 10 years; a new fund states only 1 and 3', { unit: 'years' }),
    value: usd('Expenses over the period, whole US dollars; null if the amount cannot be read').nullable(),
    stated: text('Amount as written in the example, or as tagged'),
    reason: text('Reason why there is no amount').nullable(),
    investment: usd(
      'Amount that the example invests, US dollars: 10,000 by Form N-1A, often 1,000 by Form N-2; null if unknown',
    ).nullable(),
    source: text('Source of the amount. xbrl: XBRL tags. text: the words of the example', {
      values: ['xbrl', 'text'],
    }),
    ...place,
    sentence: text('Row or sentence with the amount, as written; null if the amount is tagged in XBRL').nullable(),
  },
  { indexes: ['(series_id) where series_id is not null'] },
)

export const block = table('fundreg.block', 'One row per block of prose of a prospectus', ['n'], {
  n: integer('Number of the block in the filing, from 1'),
  kind: text('Subject of the block', { values: BLOCKS }),
  series_id: text(
    'Series identifier; null if the document is about several series and it is unknown to which of them the row belongs',
  ).nullable(),
  title: text('Heading of the block; null if the block is tagged in XBRL').nullable(),
  text: text('Text of the block, as Markdown', { isMarkdown: true }),
  is_cut: boolean('Whether the stored text is cut off; /doc-text has the whole text'),
  source: text('Source of the block. xbrl: XBRL tags. text: a section with a known heading', {
    values: ['xbrl', 'text'],
  }),
  ...place,
})

export const adviser = table('fundreg.adviser', 'One row per adviser that a prospectus names', ['n'], {
  n: integer('Order in the document, from 1'),
  role: text('Role of the firm: adviser or subadviser', { values: ROLES }),
  name: text('Name of the adviser, as written'),
  ...place,
  sentence: text('Words of the prospectus that name the adviser'),
})
