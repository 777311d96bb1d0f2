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
  'One row per filing of Schedule 13D or 13G: the issuer, the class of securities and the largest amounts',
  [],
  {
    submission_type: text(
      'Form type: SCHEDULE 13D or SCHEDULE 13G, before December 2024 SC 13D or SC 13G, with /A for an amendment',
    ),
    source: text(
      'Source of the row. xml: an XML document. text: the cover pages of a document from before December 2024',
      {
        values: ['xml', 'text'],
      },
    ),
    schedule: text('Schedule: 13D or 13G', { values: ['13D', '13G'] }),
    is_amendment: boolean('True if the form type is that of an amendment'),
    amendment_number: integer('Number of the amendment').nullable(),
    previous_accession: accession(
      'The filing that this filing amends; null if the XML does not name it, or if `source` is `text`',
    ).nullable(),
    cik: cik('CIK of the filer').nullable(),
    issuer_cik: cik('CIK of the issuer of the securities; if `source` is `text`, the CIK in EDGAR’s header', {
      named: 'issuer_name',
    }).nullable(),
    issuer_name: text(
      'Name of the issuer; if `source` is `text` and the cover could not be read with certainty, the name in EDGAR’s header',
    ).nullable(),
    name_key: text('Name of the issuer for comparisons: lower case, without accents').nullable(),
    name_words: nameWords('Search words of the name of the issuer (names.ts)').nullable(),
    person_key: text(
      'Names of the reporting persons for comparisons: lower case, without accents, one per line',
    ).nullable(),
    person_words: nameWords('Search words of the names of the reporting persons (names.ts)').nullable(),
    cusip: cusip('First valid CUSIP of the class, in capitals; null if the filing states no valid CUSIP', {
      named: 'issuer_name',
    }).nullable(),
    title_of_class: text('Title of the class of securities').nullable(),
    event_date: date('Day of the event that requires the filing').nullable(),
    previously_filed: boolean(
      '13D: true if the filer earlier reported the acquisition on Schedule 13G and now files under Rule 13d-1(e), (f) or (g)',
    ).nullable(),
    rules: texts('13G: rules under which the schedule is filed: Rule 13d-1(b), (c) or (d)'),
    ...prefixed('issuer_', address({ of: 'the issuer' })),
    person_count: count('Number of reporting persons'),
    shares: decimal(
      'Largest number of shares that one reporting person owns; not the sum, since persons of a group report the same shares',
      {
        unit: 'shares',
      },
    ).nullable(),
    percent: percent('Largest percentage of the class that one reporting person owns').nullable(),
    exhibit_text: text('13G: text about exhibits. A 13D has such a text as its answer to Item 7').nullable(),
    signature_comment: text('Comment next to the signatures, as filed').nullable(),
    is_malformed: boolean('True if the XML is malformed and was read after repairs (see repairs)'),
    repairs: texts('Repairs that were made to read malformed XML, each with its position in the document'),
    left_out: texts(
      'If `source` is `text`: facts that the covers state but that were left out, because their text is ambiguous',
      { values: FACTS },
    ),
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
  'One row per different CIK of the filer and the reporting persons of a filing',
  ['cik'],
  {
    cik: cik('CIK of the filer or of a reporting person', { named: null }),
    filed_date: date('Date the SEC gives as the filing date'),
  },
  { indexes: ['(cik, filed_date desc, accession desc)'] },
)

export const security = table(
  'schedule13.security',
  'One row per CUSIP on the cover of a schedule',
  ['position'],
  {
    position: integer('Order in the filing, from 0'),
    cusip: cusip('CUSIP in capitals; as filed if it is not valid', { named: null }).nullable(),
    cusip_flag: text(
      'Why the text may not be a CUSIP: wrong length, placeholder, wrong check digit; null if it is valid',
      {
        values: ['length', 'placeholder', 'check_digit'],
      },
    ).nullable(),
  },
  { indexes: ['(cusip)'] },
)

export const person = table(
  'schedule13.person',
  'One row per reporting person of a filing, with the shares that the person owns',
  ['position'],
  {
    position: integer('Order in the filing, from 0'),
    name: text('Name of the person').nullable(),
    cik: cik('CIK of the person', { named: 'name' }).nullable(),
    has_no_cik: boolean('True if the filing marks the person as one without a CIK').nullable(),
    member_of_group: text('Row 2. a: the person is a member of a group. b: the person disclaims membership', {
      values: ['a', 'b'],
    }).nullable(),
    source_of_funds: texts('13D, row 4: codes of the sources of funds, such as WC, AF, OO'),
    legal_proceedings: boolean('13D, row 5: true if disclosure of legal proceedings is required').nullable(),
    citizenship: text('State or country of citizenship or organization as an EDGAR code').nullable(),
    sole_voting: decimal('Shares with sole voting power', { unit: 'shares' }).nullable(),
    shared_voting: decimal('Shares with shared voting power', { unit: 'shares' }).nullable(),
    sole_dispositive: decimal('Shares with sole power to dispose', { unit: 'shares' }).nullable(),
    shared_dispositive: decimal('Shares with shared power to dispose', { unit: 'shares' }).nullable(),
    shares: decimal('Total number of shares owned beneficially', { unit: 'shares' }).nullable(),
    excludes_shares: boolean('True if the total number of shares excludes certain shares').nullable(),
    percent: percent('Percentage of the class that the person owns').nullable(),
    types: texts('Codes of the type of person, such as IA, HC, IN, PN'),
    comment: text('Comment on the cover page of the person, as filed').nullable(),
  },
  { indexes: ['(cik) where cik is not null'] },
)

export const fact = table(
  'schedule13.fact',
  'One row per fact that was read from the text of a schedule, with the row of the cover that states it',
  ['n'],
  {
    n: integer('Number of the fact in the filing, from 1'),
    name: text('Name of the fact: the name of a field of the filing or of a person, in the singular (type for types)', {
      values: FACTS,
    }),
    value: text('Value of the fact, in the form that the field has'),
    person_position: integer(
      'Position of the person whose cover page states the fact; null for the cover of the schedule',
    ).nullable(),
    sequence: integer('Sequence of the document in the submission'),
    start: integer(
      'Offset of the first character of the row of the cover in the Markdown of the document, in UTF-16 units from 0',
    ),
    stop: integer('Offset of the end of the row (exclusive), in UTF-16 units'),
    sentence: text('Text of the row of the cover, as written: its label and its value'),
  },
)

export const contact = table(
  'schedule13.contact',
  'One row per person authorized to receive notices (13D)',
  ['position'],
  {
    position: integer('Order in the filing, from 0'),
    name: text('Name of the person').nullable(),
    phone: text('Telephone, as filed').nullable(),
    ...address({ of: 'the person' }),
  },
)

export const item = table('schedule13.item', 'One row per answer to an item of the schedule', ['position'], {
  position: integer('Order in the form, from 0'),
  item: text('Number of the item in the schedule'),
  what: text('Part of the item that the answer is about, as the name of its XML element'),
  answer: text('Text of the answer, as filed'),
})

export const signature = table('schedule13.signature', 'One row per signature of a schedule', ['position'], {
  position: integer('Order in the filing, from 0'),
  person_name: text('Name of the reporting person on whose behalf the schedule is signed').nullable(),
  signature: text('Signature, as signed').nullable(),
  title: text('Title of the signer').nullable(),
  signed: date('Day of signing').nullable(),
})
