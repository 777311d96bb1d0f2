/** Documents of filings as text: what there is, its sections, and the passages that are searched. */
import { CORPORA } from '../../declare/corpora.ts'
import { cik, count, date, integer, nameWords, ratio, table, text } from '../../declare/table.ts'

const sequence = integer('Sequence of the document in its submission, as the manifest has it')
const corpus = text('Corpus that it is searched in', { values: CORPORA.map(({ slug }) => slug) })
const start = integer('Where it begins in the Markdown of the document: UTF-16 units from 0')

export const filing = table(
  'documents.filing',
  'One row a filing of which text was made',
  [],
  {
    form: text('Form code in the index'),
    corpus: text('Corpus of its main documents', { values: CORPORA.map(({ slug }) => slug) }),
    cik: cik('First filer of the header').nullable(),
    company_name: text('Name of that filer').nullable(),
    documents: count('Documents of which text was made'),
    length: integer('UTF-16 units of their Markdown together'),
  },
  { indexes: ['(cik, filed_date desc, accession desc)', '(corpus, filed_date desc, accession desc)'] },
)

export const document = table(
  'documents.document',
  'One row a document that has text',
  ['sequence'],
  {
    sequence,
    corpus,
    form: text('Form code of the filing'),
    filed_date: date('Date the SEC gives as the filing date'),
    cik: cik('First filer of the header').nullable(),
    company_name: text('Name of that filer').nullable(),
    type: text('EDGAR’s type of the document: 10-K, EX-99.1'),
    filename: text('Name of its file').nullable(),
    title: text('What the filer calls it, else its first heading').nullable(),
    pages: count('Pages of a PDF').nullable(),
    length: integer('UTF-16 units of its Markdown'),
    search: nameWords('Words and pairs of words by how much the document is about them'),
  },
  {
    indexes: [
      '(cik, filed_date desc, accession desc, sequence)',
      '(filed_date desc, accession desc, sequence)',
      'using gin (search) with (fastupdate = off)',
    ],
  },
)

export const section = table('documents.section', 'One row a section that was found in a document', ['sequence', 'n'], {
  sequence,
  n: integer('Number of the section in the document, from 1'),
  id: text('Which section of its form: 1A, II-1A, 5.02, risk-factors'),
  title: text('Its heading, as filed'),
  start,
  stop: integer('Where it ends, exclusive'),
  confidence: ratio('How sure it is that this is the section'),
})

export const passage = table(
  'documents.passage',
  'One row a passage: some paragraphs of a document, as they are searched and shown',
  ['sequence', 'n'],
  {
    sequence,
    n: integer('Number of the passage in the document, from 1'),
    corpus,
    section: text('Section that it lies in, by its id').nullable(),
    start,
    text: text('The Markdown of the passage'),
    search: nameWords('Its words with their places, and the name of its document'),
  },
  { indexes: ['using gin (search) with (fastupdate = off)'] },
)
