/** Shapes of answers about documents as text. */
import { z } from 'zod'
import { CORPORA, SOURCES } from '../../declare/corpora.ts'
import { countedTotal, nextCursor } from '../../declare/paging.ts'
import { accession, cik, count, date, text } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'

const slugs = SOURCES.map(({ slug }) => slug) as [string, ...string[]]

export const source = z
  .enum(slugs)
  .describe('Source of the text: the corpus that the form of the filing belongs to, as /text-search/corpora has them')

const address = (meaning: string) => z.string().meta({ format: 'uri-reference', description: meaning })
const sequence = z.int().describe('Sequence of the document in its submission')
const type = z.string().describe('EDGAR’s type of the document: 10-K, EX-99.1')
const title = z.string().nullable().describe('What the filer calls it')
const place = (what: string) => z.int().min(0).describe(`${what}, in UTF-16 units of the whole text`)

const filing = {
  accession: accession('SEC accession number of the filing'),
  source,
  form_type: text('Form code in the index'),
  filed_date: date('Date the SEC gives as the filing date'),
  cik: cik('Filer of the filing'),
  company_name: text('Name of that filer as the filing was indexed'),
}

const readable = z
  .object({ sequence, type, title, url: address('Its text, if it has one: the bytes decide') })
  .meta({ id: 'ReadableDocument' })

const section = z
  .object({
    id: z.string().describe('Which section of its form it is: 1A, II-1A, 5.02, risk-factors'),
    title: z.string().describe('Its heading, as filed'),
    start: place('Where it begins'),
    end: place('Where it ends, exclusive'),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .describe('How sure it is that this is the section')
      .meta({ 'x-unit': 'ratio' }),
    doubt: z
      .string()
      .nullable()
      .describe('Why text of another section may stand in it, which lowers the confidence; null where nothing says so'),
  })
  .meta({ id: 'DocumentSection' })

export const docText = z
  .object({
    ...filing,
    sequence,
    type,
    title,
    format: z.enum(['markdown']).describe('Markdown of GitHub’s kind, without HTML'),
    text: z
      .string()
      .meta({ description: 'The text, whole or the part that was asked for', contentMediaType: 'text/markdown' }),
    length: z.int().min(0).describe('UTF-16 units of the whole text'),
    offset: place('Where the part begins that is answered'),
    next_offset: place('Where the next part begins, of the text or of the section').nullable(),
    section: section.nullable().describe('The section that was asked for'),
    sections: z
      .array(section)
      .describe(
        'Sections that were found, in the order of the text; what is not here was not found, or the form has none',
      ),
    pages: count('Pages of a PDF').nullable(),
    documents: z.array(readable).describe('Documents of the filing that may be had as text, exhibits too'),
  })
  .meta({ id: 'DocumentText' })

export const readableFiling = z.object({ ...filing, url: address('Its text') }).meta({ id: 'ReadableFiling' })

export const byCik = z
  .object({
    cik: cik('The filer asked for'),
    documents: z.array(readableFiling).describe('Filings that can be had as text, the last filed first'),
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
          label: z.string().describe('Name for people'),
          reader: z.boolean().describe('Whether its documents can be had as Markdown'),
          reader_route: z.string().nullable().describe('Path by which one is had, with its parameters in braces'),
          form_types: z.array(z.string()).describe('Exact form codes of its filings; none where it is made otherwise'),
          is_available: z.boolean().describe('Whether documents of it were read, so that words are found in them'),
          document_count: count('Documents of it that were read'),
          newest: z.iso
            .date()
            .nullable()
            .describe('Filing date of the newest of them; of brochures the last day of the newest file'),
        })
        .meta({ id: 'Corpus' }),
    ),
  })
  .meta({ id: 'Corpora' })
