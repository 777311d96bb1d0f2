/** Documents of filings as text: the documents, their sections, and the searchable passages. */
import { CORPORA } from '../../declare/corpora.ts'
import { cik, count, date, integer, nameWords, ratio, table, text } from '../../declare/table.ts'

const SLUGS = CORPORA.map(({ slug }) => slug)
const sequence = integer('Sequence number of the document in its submission, as in the manifest of /filing/{accession}')
const start = integer('Offset in the document’s Markdown at which the text begins, in UTF-16 units from 0')
const form = text('Form code of the filing in EDGAR’s index')
const filer = {
  cik: cik('CIK of the first filer in EDGAR’s header', { named: 'company_name' }).nullable(),
  company_name: text('Name of the first filer in EDGAR’s header').nullable(),
}

export const filing = table(
  'documents.filing',
  'One row per filing whose documents were read as text',
  [],
  {
    form,
    corpus: text('Corpus of the filing’s main documents; exhibits have a corpus of their own', { values: SLUGS }),
    ...filer,
    period: date('Period of report, from EDGAR’s header').nullable(),
    documents: count('Number of documents of the filing that have text'),
    length: integer('Total length of the text of these documents, in UTF-16 units'),
  },
  { indexes: ['(cik, filed_date desc, accession desc)'] },
)

export const document = table(
  'documents.document',
  'One row per document that has text',
  ['sequence'],
  {
    sequence,
    corpus: text('Corpus in which a search finds the document; exhibits have a corpus of their own', { values: SLUGS }),
    form,
    filed_date: date('Date the SEC gives as the filing date'),
    ...filer,
    type: text('EDGAR’s type of the document: 10-K, EX-99.1'),
    filename: text('File name of the document').nullable(),
    title: text('Title that the filer gave the document; for an exhibit, its first heading').nullable(),
    length: integer('Length of the document’s text, in UTF-16 units'),
    pages: count('Number of pages of a PDF; null for other formats').nullable(),
    tables: count('Number of tables in the text'),
    images: count('Number of images that the text refers to'),
    search: nameWords('Lexemes by which a search finds the document: read/lexemes.ts'),
  },
  {
    indexes: [
      '(cik, filed_date desc, accession desc, sequence)',
      '(filed_date desc, accession desc, sequence)',
      '(corpus, filed_date desc)',
      'using gin (search) with (fastupdate = off)',
    ],
  },
)

export const section = table(
  'documents.section',
  'One row per section that was found in a document',
  ['sequence', 'n'],
  {
    sequence,
    n: integer('Number of the section in the document, from 1'),
    id: text(
      'Id of the section within the form: 1A, II-1A, 5.02, 3.D, proposal-2, risk-factors, risk-factors-2 (of a base prospectus)',
    ),
    title: text('Heading of the section, as filed'),
    start,
    stop: integer('Offset at which the section ends, exclusive'),
    confidence: ratio('Confidence that the text is this section, from 0 to 1'),
    doubt: text(
      'Reason why the section may contain text of another section or end too early; null if there is none',
    ).nullable(),
  },
)

export const passage = table(
  'documents.passage',
  'One row per passage: some 1,500 characters of a document, ending with a paragraph',
  ['sequence', 'n'],
  {
    sequence,
    n: integer('Number of the passage in the document, from 1'),
    corpus: text('Corpus of the document', { values: SLUGS }),
    section: text('Id of the innermost section that contains the passage').nullable(),
    start,
    text: text('The passage as Markdown; it overlaps the next passage by some words, so that no phrase is cut in both'),
    search: nameWords('Words of the passage with their positions, for the search: read/lexemes.ts'),
  },
  { indexes: ['using gin (search) with (fastupdate = off)'] },
)
