/** Registration statements and prospectuses of funds: the series that they announce, fees, and prose. */
import { z } from 'zod'
import { boolean, cik, count, date, integer, json, percent, table, text, texts } from '../../declare/table.ts'
import { BLOCKS, ITEMS, ROLES, STATUSES } from './tables-words.ts'

export const filing = table(
  'fundreg.filing',
  'One row per filing about the registration of a fund',
  [],
  {
    form: text('Form code in the index'),
    kind: text(
      'What it does: registration, amendment that is reviewed before it is effective, update that is effective by itself, delay of an amendment, summary prospectus',
      { values: ['registration', 'amendment', 'update', 'delay', 'summary'] },
    ),
    cik: cik('First filer of the header', { named: 'trust_name' }).nullable(),
    trust_name: text('Name of that filer: the trust, or the closed-end fund').nullable(),
    file_numbers: texts('Its file numbers under the Securities Act', { entity: 'file_number' }),
    effective_date: date('Day of effectiveness, from EDGAR’s header').nullable(),
    series_count: count('Series that the header names'),
    new_series_count: count('Series among these that this filing announces'),
    has_fees: boolean('A fee table was read'),
  },
  { indexes: ['(cik, filed_date, accession) where cik is not null'] },
)

const shareClass = z
  .object({
    class_id: z.string().nullable().describe('C and nine digits'),
    name: z.string().nullable().describe('Its name'),
    ticker: z.string().nullable().describe('Ticker symbol; null while it has none'),
  })
  .meta({ id: 'FundClassAnnounced' })

export const series = table(
  'fundreg.series',
  'One row per series that the header of a filing names',
  ['n'],
  {
    n: integer('Order in the header, from 1'),
    filed_date: date('Date the SEC gives as the filing date'),
    status: text('new: this filing announces it; new classes: it announces classes of it', { values: STATUSES }),
    owner_cik: cik('CIK of the trust that it is a series of', { named: 'owner_name' }).nullable(),
    owner_name: text('Name of that trust').nullable(),
    series_id: text('S and nine digits').nullable(),
    name: text('Its name').nullable(),
    classes: json(z.array(shareClass), 'Its classes'),
  },
  { indexes: ['(series_id, filed_date, accession) where series_id is not null', '(owner_cik)'] },
)

const place = {
  sequence: integer('Sequence of the document in the submission'),
  start: integer(
    'Where the line or section begins in the Markdown of the document, in UTF-16 units from 0; null if tagged',
  ).nullable(),
  stop: integer('Where it ends, exclusive').nullable(),
}

export const fee = table(
  'fundreg.fee',
  'One row per line and class of a fee table (Form N-1A, Item 3; Form N-2, Item 3)',
  ['n'],
  {
    n: integer('Number of the fee in the filing, from 1'),
    table_number: integer('Which table of the document, from 1'),
    column_number: integer('Column of the table, from 1: a class'),
    item: text(
      'management fee, distribution (12b-1) fee, incentive fee and interest on what is borrowed (closed-end funds), acquired_funds fees, other expenses, total, waiver or reimbursement (recoupment is above zero), and the total after it',
      { values: ITEMS },
    ),
    series_id: text('Series; null if the document has several and does not tag them').nullable(),
    class_id: text('Class; null if it is neither tagged nor known by its name').nullable(),
    class_name: text('Heading of the column').nullable(),
    value: percent('Percent of net assets a year; a waiver is below zero. A stated "none" is 0').nullable(),
    stated: text('As written in the table, or as tagged'),
    reason: text('Why there is no value').nullable(),
    source: text('xbrl: as tagged; text: read from the table', { values: ['xbrl', 'text'] }),
    ...place,
    sentence: text('The row of the table, as it stands; null of what is tagged').nullable(),
  },
  { indexes: ['(series_id) where series_id is not null'] },
)

export const block = table('fundreg.block', 'One row per block of prose of a prospectus', ['n'], {
  n: integer('Number of the block in the filing, from 1'),
  kind: text('What it is about', { values: BLOCKS }),
  series_id: text('Series; null if the document has several and does not tag them').nullable(),
  title: text('Its heading; null if tagged').nullable(),
  text: text('Markdown', { isMarkdown: true }),
  is_cut: boolean('The text is cut off here; /doc-text has the whole'),
  source: text('xbrl: as tagged; text: a section by its heading', { values: ['xbrl', 'text'] }),
  ...place,
})

export const adviser = table('fundreg.adviser', 'One row per adviser that a prospectus names', ['n'], {
  n: integer('Order in the document, from 1'),
  role: text('adviser or subadviser', { values: ROLES }),
  name: text('Name, as written'),
  ...place,
  sentence: text('The words that say it'),
})
