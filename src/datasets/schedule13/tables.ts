/** Schedules 13D and 13G, in XML since 2024-12-18 and in text before: owners of more than 5% of a class of equity. */
import {
  accession,
  address,
  boolean,
  cik,
  count,
  cusip,
  date,
  decimal,
  integer,
  nameWords,
  percent,
  prefixed,
  table,
  text,
  texts,
} from '../../declare/table.ts'
import { FACTS } from './tables-words.ts'

export const report = table(
  'schedule13.report',
  'One row per filing: the class of securities that it is about',
  [],
  {
    submission_type: text(
      'SCHEDULE 13D or SCHEDULE 13G, before December 2024 SC 13D or SC 13G, with /A for an amendment',
    ),
    source: text('Source: xml; or text, the cover pages of a document from before December 2024', {
      values: ['xml', 'text'],
    }),
    schedule: text('13D or 13G', { values: ['13D', '13G'] }),
    is_amendment: boolean('The filing amends an earlier one, by its form type'),
    amendment_number: integer('Number of the amendment').nullable(),
    previous_accession: accession('The filing that this one amends, where the XML names it').nullable(),
    cik: cik('CIK of the filer').nullable(),
    issuer_cik: cik('CIK of the issuer of the securities; for text, that of EDGAR’s header', {
      named: 'issuer_name',
    }).nullable(),
    issuer_name: text('Name of the issuer; for text whose cover is not certain, that of EDGAR’s header').nullable(),
    name_key: text('Name of the issuer as it is compared: accents stripped, lower case').nullable(),
    name_words: nameWords('The words by which that name is found: names.ts').nullable(),
    person_key: text('Names of who reports as they are compared, one below the other').nullable(),
    person_words: nameWords('The words by which these names are found').nullable(),
    cusip: cusip('First CUSIP of the class in capitals; null if no valid one is stated', {
      named: 'issuer_name',
    }).nullable(),
    title_of_class: text('Title of the class').nullable(),
    event_date: date('Day of the event that requires the filing').nullable(),
    previously_filed: boolean(
      '13D: the filer reported the acquisition on Schedule 13G before, and files under Rule 13d-1(e), (f) or (g)',
    ).nullable(),
    rules: texts('13G: rules under which it is filed, Rule 13d-1(b), (c) or (d)'),
    ...prefixed('issuer_', address({ of: 'the issuer' })),
    person_count: count('Number of persons that report'),
    shares: decimal(
      'Shares: the largest number that one of its persons owns, since persons of a group report the same shares',
      {
        unit: 'shares',
      },
    ).nullable(),
    percent: percent('The largest percentage of the class that one of its persons reports').nullable(),
    exhibit_text: text('13G: what the filing says about its exhibits; in a 13D that is item 7').nullable(),
    signature_comment: text('Comment next to the signatures').nullable(),
    is_malformed: boolean('The XML is malformed, and was read after repairs (see repairs)'),
    repairs: texts('What was repaired to read malformed XML, with its position'),
    left_out: texts('Text: facts about which it says something that was not certain', { values: FACTS }),
  },
  {
    indexes: [
      // Large percentages are rare. With percent in the index, a search for them skips other rows without reading the
      // table. Without percent in the index, reading the table cost 97 ms at five million rows.
      '(filed_date desc, accession desc, percent)',
      '(previous_accession) where previous_accession is not null',
      '(issuer_cik, cik) where is_amendment',
      'using gin (name_words)',
      'using gin (name_key public.gin_trgm_ops)',
      'using gin (person_words)',
      'using gin (person_key public.gin_trgm_ops)',
    ],
  },
)

export const filer = table(
  'schedule13.filer',
  'One row per CIK of who filed it or reports in it',
  ['cik'],
  { cik: cik('CIK of the filer, or of a person that reports', { named: null }), filed_date: date('Day of filing') },
  { indexes: ['(cik, filed_date desc, accession desc)'] },
)

export const security = table(
  'schedule13.security',
  'One row per CUSIP that the cover states',
  ['position'],
  {
    position: integer('Order in the filing, from 0'),
    cusip: cusip('CUSIP in capitals; as filed if it is not valid', { named: null }).nullable(),
    cusip_flag: text('Why it may not be a CUSIP: length, placeholder, check_digit', {
      values: ['length', 'placeholder', 'check_digit'],
    }).nullable(),
  },
  { indexes: ['(cusip)'] },
)

export const person = table(
  'schedule13.person',
  'One row per person that reports, with what it owns',
  ['position'],
  {
    position: integer('Order in the filing, from 0'),
    name: text('Name of the person').nullable(),
    cik: cik('CIK of the person', { named: 'name' }).nullable(),
    has_no_cik: boolean('The person is not registered with EDGAR').nullable(),
    member_of_group: text('Row 2: a, a member of a group; b, membership is disclaimed', {
      values: ['a', 'b'],
    }).nullable(),
    source_of_funds: texts('13D, row 4: codes of the source of funds, such as WC, AF, OO'),
    legal_proceedings: boolean('13D, row 5: disclosure of legal proceedings is required').nullable(),
    citizenship: text('State or country of citizenship or organization as an EDGAR code').nullable(),
    sole_voting: decimal('Shares with sole voting power', { unit: 'shares' }).nullable(),
    shared_voting: decimal('Shares with shared voting power', { unit: 'shares' }).nullable(),
    sole_dispositive: decimal('Shares with sole power to dispose', { unit: 'shares' }).nullable(),
    shared_dispositive: decimal('Shares with shared power to dispose', { unit: 'shares' }).nullable(),
    shares: decimal('Shares owned beneficially, in total', { unit: 'shares' }).nullable(),
    excludes_shares: boolean('The amount excludes certain shares').nullable(),
    percent: percent('Percentage of the class').nullable(),
    types: texts('Codes of the type of person, such as IA, HC, IN, PN'),
    comment: text('Comment of the cover page').nullable(),
  },
  { indexes: ['(cik) where cik is not null'] },
)

export const fact = table(
  'schedule13.fact',
  'One row per fact that the text of a schedule says, with its evidence',
  ['n'],
  {
    n: integer('Number of the fact in the filing, from 1'),
    name: text('Which fact: the column that has it, in the singular', { values: FACTS }),
    value: text('Its value, as that column has it'),
    person_position: integer(
      'Position of the person whose cover page has it; null for the cover of the schedule',
    ).nullable(),
    sequence: integer('Sequence of the document in the submission'),
    start: integer('Where the row of the cover begins in the Markdown of the document, in UTF-16 units from 0'),
    stop: integer('Where it ends, exclusive'),
    sentence: text('The row, as written: its label and its value'),
  },
)

export const contact = table(
  'schedule13.contact',
  'One row per person authorised to receive notices (13D)',
  ['position'],
  {
    position: integer('Order in the filing, from 0'),
    name: text('Name of the person').nullable(),
    phone: text('Telephone, as filed').nullable(),
    ...address({ of: 'the person' }),
  },
)

export const item = table('schedule13.item', 'One row per answer to an item', ['position'], {
  position: integer('Order in the form, from 0'),
  item: text('Number of the item'),
  what: text('Which part of the item, by the name of its element'),
  answer: text('The answer in the words of the filing'),
})

export const signature = table('schedule13.signature', 'One row per signature', ['position'], {
  position: integer('Order in the filing, from 0'),
  person_name: text('Reporting person for which it is signed').nullable(),
  signature: text('Signature, as signed').nullable(),
  title: text('Title of the signer').nullable(),
  signed: date('Day of signing').nullable(),
})
