/** Shapes of answers about documents as text. */
import { z } from 'zod'
import { CORPORA, SOURCES } from '../../declare/corpora.ts'
import { accession, cik, date, text } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'

const slugs = SOURCES.map(({ slug }) => slug) as [string, ...string[]]

export const source = z.enum(slugs).describe('Source of the text: a corpus of filings, as /text-search/corpora has it')

const sequence = z.int().describe('Sequence of the document in its submission')

const readable = z
  .object({
    sequence,
    type: z.string().describe('EDGAR’s type of the document'),
    title: z.string().nullable().describe('What the filer calls it'),
    url: z.string().describe('Its text'),
  })
  .meta({ id: 'ReadableDocument' })

export const docText = z
  .object({
    accession: accession('SEC accession number of the filing'),
    source,
    form_type: text('Form code in the index'),
    filed_date: date('Date the SEC gives as the filing date'),
    cik: cik('First filer of the filing'),
    company_name: text('Name of that filer as the filing was indexed'),
    sequence,
    type: z.string().describe('EDGAR’s type of the document'),
    title: z.string().nullable().describe('What the filer calls it'),
    format: z.enum(['markdown']).describe('How the text is written: Markdown of GitHub’s kind, without HTML'),
    length: z.int().describe('Length of the whole text in UTF-16 units, by which offsets count'),
    offset: z.int().describe('Where the part begins that is answered'),
    next_offset: z.int().nullable().describe('Where the next part begins; null at the end of the text'),
    pages: z.int().nullable().describe('Pages of a PDF'),
    text: z.string().describe('The text, whole or in the part asked for'),
    documents: z.array(readable).describe('Every document of the filing that can be had as text, exhibits too'),
  })
  .meta({ id: 'DocumentText' })

export const readableFiling = z
  .object({
    accession: accession('SEC accession number of the filing'),
    source,
    form_type: text('Form code in the index'),
    filed_date: date('Date the SEC gives as the filing date'),
    company_name: text('Name of the filer as the filing was indexed'),
    url: z.string().describe('Its text'),
  })
  .meta({ id: 'ReadableFiling' })

export const byCik = z
  .object({
    cik: cik('The filer asked for'),
    documents: z.array(readableFiling).describe('Filings that can be had as text, the last filed first'),
    next_cursor: z.string().nullable().describe('The cursor of the next page; null on the last page'),
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
          reader_route: z.string().nullable().describe('Path by which one is had'),
          available: z.boolean().describe('Whether documents of it were read, so that a search finds them'),
          documents: z.int().describe('How many documents were read').meta({ 'x-unit': 'count' }),
          newest: z.iso.date().nullable().describe('Filing date of the newest one'),
        })
        .meta({ id: 'Corpus' }),
    ),
  })
  .meta({ id: 'Corpora' })
