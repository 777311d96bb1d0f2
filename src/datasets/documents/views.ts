/** Views of documents that other slices may read. */
import { accession } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'
import { document, filing, passage, section } from './tables.ts'

const of = { accession: accession('SEC accession number of the filing') }

export const documentsFiling = view(
  'pub.documents_filing',
  'One row per filing whose documents were read as text',
  { ...of, ...filing.columns },
  'select accession, form, corpus, cik, company_name, period, documents, length from filing',
)

export const documentsDocument = view(
  'pub.documents_document',
  'One row per document that has text',
  { ...of, ...document.columns },
  `
select accession, sequence, corpus, form, filed_date, cik, company_name, type, filename, title, length, pages,
  tables, images, search
from document`,
)

export const documentsPassage = view(
  'pub.documents_passage',
  'One row per passage of a document',
  { ...of, ...passage.columns },
  'select accession, sequence, n, corpus, section, start, text, search from passage',
)

export const documentsSection = view(
  'pub.documents_section',
  'One row per section of a document',
  { ...of, ...section.columns },
  'select accession, sequence, n, id, title, start, stop, confidence, doubt from section',
)
