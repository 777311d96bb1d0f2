/** Shapes of the answer. */
import { z } from 'zod'
import { documentsDocument } from '../../datasets/documents/views.ts'
import { nextCursor } from '../../declare/paging.ts'
import { crd } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'

const { accession, sequence, corpus, form, filed_date, cik, company_name, type, title } = documentsDocument.columns

const excerpt = z
  .object({
    html: z
      .string()
      .describe(
        'Part of the Markdown with the words found in `<mark>`. Other HTML characters are escaped, so nothing else is markup',
      ),
    section_id: z.string().nullable().describe('Id of the section that contains the passage'),
    offset: z.int().describe('Start of the passage in the Markdown of the document, in UTF-16 units'),
    length: z.int().describe('Length of the shown part of the Markdown, in UTF-16 units'),
  })
  .meta({ id: 'TextExcerpt' })

export const row = z
  .object({
    corpus,
    accession: accession.nullable().describe('Accession of the filing; null for a brochure'),
    sequence: sequence.nullable().describe('Sequence of the document in its submission; null for a brochure'),
    brochure: z.string().nullable().describe('Number of the brochure, for /brochures/{id}; null for a filing'),
    form,
    type: type.nullable(),
    title,
    filed_date,
    cik,
    crd: crd('CRD number of the adviser of a brochure; null for a filing').nullable(),
    company_name: company_name.describe('Name of the filer, or of the adviser'),
    url: z.string().describe('Address of the whole text'),
    excerpts: z
      .array(excerpt)
      .describe('The best passages, the best first; for a document found only by its title, its beginning'),
  })
  .meta({ id: 'TextFound' })

const count = z.int().describe('Number of documents')

const documentCounts = z
  .object({
    by_form: z
      .array(z.object({ form: z.string().describe('Form code'), count }).meta({ id: 'TextSearchForm' }))
      .describe('Number of documents by form, the most common form first'),
    by_year: z
      .array(z.object({ year: z.int().describe('Year of filing'), count }).meta({ id: 'TextSearchYear' }))
      .describe('Number of documents by year of filing, the newest year first'),
  })
  .meta({ id: 'TextSearchCounts' })

export const page = z
  .object({
    rows: z.array(row),
    total: z
      .int()
      .nullable()
      .describe('Number of documents found, counted as `total_is` says; null on pages after the first'),
    total_is: z
      .enum(['exact', 'at_most', 'about'])
      .nullable()
      .describe(
        'exact: all counted documents match. at_most: in some counted documents the words of a phrase or of NEAR may be too far apart. about: the number is estimated from a sample of documents. Null on pages after the first',
      ),
    ranked_since: z
      .string()
      .nullable()
      .describe(
        'Documents filed before this day are ranked separately, after all newer documents, because too many match to rank all together. Null if all were ranked together',
      ),
    document_counts: documentCounts
      .nullable()
      .describe('Number of documents of each form and year, counted as `total_is` says; null on pages after the first'),
    next_cursor: nextCursor.describe(
      'The cursor of the next page; null on the last page. A cursor means that the list continues, even if this page is not full',
    ),
    ...notLoaded,
  })
  .meta({ id: 'TextSearchPage' })

export type Row = z.infer<typeof row>
export type Page = z.infer<typeof page>
