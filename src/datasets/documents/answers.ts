/** Shapes of answers about documents as text. */
import { z } from 'zod'
import { CORPORA, SOURCES } from '../../declare/corpora.ts'
import { countedTotal, nextCursor } from '../../declare/paging.ts'
import { accession, cik, count, date, text } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'

const slugs = SOURCES.map(({ slug }) => slug) as [string, ...string[]]

export const source = z
  .enum(slugs)
  .describe('Source of the text: the corpus to which the form of the filing belongs, one of /text-search/corpora')

const address = (meaning: string) => z.string().meta({ format: 'uri-reference', description: meaning })
const sequence = z.int().describe('Sequence of the document in its submission')
const type = z.string().describe('EDGAR’s type of the document: 10-K, EX-99.1')
const title = z.string().nullable().describe('Title that the filer gave the document')
const place = (what: string) => z.int().min(0).describe(`${what}, in UTF-16 units of the whole text`)

const filing = {
  accession: accession('SEC accession number of the filing'),
  source,
  form_type: text('Form code in the index'),
  filed_date: date('Date the SEC gives as the filing date'),
  cik: cik('CIK of a filer of the filing'),
  company_name: text('Name of this filer as the filing was indexed'),
}

const readable = z
  .object({
    sequence,
    type,
    title,
    url: address('Address of the text of the document; the answer there is an error if the document has no text'),
  })
  .meta({ id: 'ReadableDocument' })

const section = z
  .object({
    id: z
      .string()
      .describe(
        'Id of the section within the form: 1A, II-1A, 5.02, 3.D (a part of item 3 of a 20-F), proposal-2, risk-factors. The sections of a second prospectus in the document, such as a base prospectus after its supplement, end in -2: risk-factors-2',
      ),
    title: z.string().describe('Heading of the section, as filed'),
    start: place('Where it begins'),
    end: place('Where it ends, exclusive'),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .describe('How certain it is that the text is this section')
      .meta({ 'x-unit': 'ratio' }),
    doubt: z
      .string()
      .nullable()
      .describe(
        'Reason why the text may contain parts of another section or end too early, which lowers the confidence; null without such a reason',
      ),
  })
  .meta({ id: 'DocumentSection' })

export const docText = z
  .object({
    ...filing,
    sequence,
    type,
    title,
    format: z.enum(['markdown']).describe('GitHub-flavored Markdown, without HTML'),
    text: z.string().meta({ description: 'The text, whole or the requested part', contentMediaType: 'text/markdown' }),
    length: z.int().min(0).describe('Length of the whole text in UTF-16 units'),
    offset: place('Where this part begins'),
    next_offset: place('Where the next part of the text, or of the requested section, begins').nullable(),
    section: section.nullable().describe('The requested section'),
    sections: z
      .array(section)
      .describe(
        'Sections that were found, in the order of the text; one may be a part of another. Empty if none was found or the form has no sections',
      ),
    pages: count('Number of pages of a PDF; null for other formats').nullable(),
    documents: z.array(readable).describe('Documents of the filing that may have text, including exhibits'),
  })
  .meta({ id: 'DocumentText' })

export const readableFiling = z
  .object({ ...filing, url: address('Address of the text of the filing') })
  .meta({ id: 'ReadableFiling' })

export const byCik = z
  .object({
    cik: cik('The requested filer'),
    documents: z.array(readableFiling).describe('Filings that can be read as text, newest first'),
    ...countedTotal,
    next_cursor: nextCursor,
    ...notLoaded,
  })
  .meta({ id: 'ReadableFilings' })

export const corpora = z
  .object({
    corpora: z.array(
      z
        .object({
          slug: z.enum(CORPORA.map(({ slug }) => slug)).describe('Name of the corpus in parameters'),
          label: z.string().describe('Name of the corpus, to be shown to people'),
          reader: z.boolean().describe('Whether documents of the corpus can be read as Markdown'),
          reader_route: z
            .string()
            .nullable()
            .describe('Path of the route that returns one document, with parameters in braces'),
          form_types: z
            .array(z.string())
            .describe('Form codes of the filings in the corpus; empty if forms do not define the corpus'),
          is_available: z.boolean().describe('Whether documents of the corpus were read, so that a search finds them'),
          document_count: count('Number of documents of the corpus that were read'),
          newest: z.iso
            .date()
            .nullable()
            .describe(
              'Filing date of the newest document that was read; for brochures, the last day of the newest file',
            ),
        })
        .meta({ id: 'Corpus' }),
    ),
  })
  .meta({ id: 'Corpora' })
