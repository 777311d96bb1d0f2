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
        'Part of the Markdown with the words found in `<mark>`. Signs of HTML in it are references, so nothing else is markup',
      ),
    section_id: z.string().nullable().describe('Section of the document that it lies in, by its id'),
    offset: z.int().describe('Where it begins in the Markdown of the document, in UTF-16 units'),
    length: z.int().describe('UTF-16 units of the Markdown that it shows'),
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
    crd: crd('CRD number of the adviser of a brochure').nullable(),
    company_name: company_name.describe('Name of the filer, or of the adviser'),
    url: z.string().describe('Address of the whole text'),
    excerpts: z
      .array(excerpt)
      .describe('The best passages, the best first; of a document found by its title alone, its beginning'),
  })
  .meta({ id: 'TextFound' })

const count = z.int().describe('How many documents')

const documentCounts = z
  .object({
    by_form: z
      .array(z.object({ form: z.string().describe('Form code'), count }).meta({ id: 'TextSearchForm' }))
      .describe('By form, the most common first'),
    by_year: z
      .array(z.object({ year: z.int().describe('Year of filing'), count }).meta({ id: 'TextSearchYear' }))
      .describe('By year of filing, the newest first'),
  })
  .meta({ id: 'TextSearchCounts' })

export const page = z
  .object({
    rows: z.array(row),
    total: z.int().nullable().describe('Documents found, as `total_is` says; null on pages behind the first'),
    total_is: z
      .enum(['exact', 'at_most', 'about'])
      .nullable()
      .describe(
        'exact; at_most where some may have the words of a phrase or of NEAR apart; about where a sample of documents was counted',
      ),
    ranked_since: z
      .string()
      .nullable()
      .describe(
        'Documents filed before this day are ranked behind these, by themselves: so many match that only those most about the query were put in one order. Null where all were',
      ),
    document_counts: documentCounts
      .nullable()
      .describe('How many documents are of each form and year, as `total_is` says; null on pages behind the first'),
    next_cursor: nextCursor.describe(
      'The cursor of the next page; null on the last. Where it is given the list goes on, also if the page is not full',
    ),
    ...notLoaded,
  })
  .meta({ id: 'TextSearchPage' })

export type Row = z.infer<typeof row>
export type Page = z.infer<typeof page>
