import { z } from 'zod'
import type { StoredSubmission } from '../../archive/submissions.ts'
import { CORPORA, corpusOf, EXHIBITS, SOURCES } from '../../declare/corpora.ts'
import { badRequest, notFound } from '../../declare/errors.ts'
import { list } from '../../declare/list.ts'
import { CURSOR_LENGTH_MAX } from '../../declare/paging.ts'
import { accession, cik, get, limit, whole } from '../../declare/route.ts'
import { isExhibit, isProse } from '../../read/document-text.ts'
import type { DocumentEntry } from '../../read/sgml/submission.ts'
import { startOf } from '../../serve/keyset.ts'
import { missingOf, nothing } from '../../serve/loaded.ts'
import * as answers from './answers.ts'
import * as queries from './queries.ts'

export const docText = get('/doc-text/{source}/{accession}', {
  name: 'doc_text',
  summary: 'The text of a filing as Markdown',
  description:
    'The main document, whole unless `max_chars` says otherwise: a 10-K has a million characters. `sequence` asks for another document of the filing, an exhibit for one. The first request for a filing fetches it from EDGAR, which takes a second or two.',
  tag: 'text',
  // What it shows comes out of the archive, and from EDGAR where the archive lacks it.
  cached: false,
  input: {
    source: answers.source,
    accession,
    sequence: whole({
      max: 999_999,
      describe: 'Another document of the filing, by its sequence in the manifest',
    }).optional(),
    offset: whole({ describe: 'Where the part begins, in UTF-16 units; next_offset of the part before' }).default(0),
    max_chars: whole({
      min: 1,
      describe: 'Most UTF-16 units of text that are answered; the whole text without it',
    }).optional(),
  },
  examples: [{ source: 'x17', accession: '0001104659-24-098969' }],
  output: answers.docText,
  statuses: [503],
  run: async ({ source, accession, sequence, offset, max_chars }, { sql, submissions }) => {
    const filing = await queries.listed(sql, accession)
    if (!filing) return nothing(sql, { edgar: true })
    const corpus = corpusOf(filing.family)
    if (corpus !== source) throw notFound(isOf(accession, filing.form_type, corpus))
    const submission = await submissions.get(accession)
    if (!submission) return null
    const documents = submission.documents.filter(isProse)
    const entry = chosen(submission, documents, sequence)
    const read = await submissions.text(submission, entry)
    if (read.format === null)
      throw notFound(`document ${entry.seq} of ${accession} cannot be had as text: ${read.reason}`)
    const { text } = read.markdown
    if (offset > text.length) throw badRequest(`offset: the text has ${text.length} characters`)
    const end = endOf(text, offset, max_chars)
    return {
      accession,
      source,
      form_type: filing.form_type,
      filed_date: filing.filed_date,
      cik: filing.cik,
      company_name: filing.company_name,
      sequence: entry.seq,
      type: entry.type,
      title: entry.description,
      format: read.format,
      length: text.length,
      offset,
      next_offset: end < text.length ? end : null,
      pages: read.pages,
      text: text.slice(offset, end),
      documents: documents.map(({ seq, type, description }) => ({
        sequence: seq,
        type,
        title: description,
        url: `/v1/doc-text/${source}/${accession}?sequence=${seq}`,
      })),
    }
  },
})

const isOf = (accession: string, form: string, corpus: string | null) =>
  `${accession} is a ${form}, ${corpus === null ? 'of which no text is made' : `whose text is at /v1/doc-text/${corpus}/${accession}`}`

/** @throws HttpError 404 where the filing has no such document, or none that can be had as text */
function chosen({ accession, header }: StoredSubmission, documents: readonly DocumentEntry[], sequence?: number) {
  const why = header.cutOff ? `: as EDGAR serves it, ${header.cutOff}` : ''
  if (sequence === undefined) {
    const main = documents.find((entry) => !isExhibit(entry)) ?? documents[0]
    if (main) return main
    throw notFound(`${accession} has no document that can be had as text${why}`)
  }
  const found = documents.find(({ seq }) => seq === sequence)
  if (found) return found
  const others = documents.map(({ seq }) => seq).join(', ')
  throw notFound(
    `${accession} has no document ${sequence} that can be had as text${others ? `; it has ${others}` : why}`,
  )
}

/** Never between the two halves of a character. */
function endOf(text: string, offset: number, max: number | undefined): number {
  const end = max === undefined ? text.length : Math.min(text.length, offset + max)
  const isSplit = end < text.length && end - offset > 1 && (text.charCodeAt(end) & 0xfc00) === 0xdc00
  return isSplit ? end - 1 : end
}

export const docTextByCik = get('/doc-text/by-cik/{cik}', {
  name: 'doc_text_by_cik',
  summary: 'Every filing of a filer that can be had as text',
  description: 'Those that the index lists, the last filed first, whether they were fetched or not.',
  tag: 'text',
  input: {
    cik,
    sources: list(answers.source, 'Sources, if not all').optional(),
    limit: limit({ max: 200, default: 100 }),
    cursor: z.string().max(CURSOR_LENGTH_MAX).describe('next_cursor of the page before').optional(),
  },
  examples: [{ cik: '1318605', sources: 'x17' }],
  output: answers.byCik,
  rows: 'documents',
  run: async ({ cik, sources, limit, cursor }, { sql }) => {
    const wanted = SOURCES.filter(({ slug }) => sources === undefined || sources.includes(slug))
    const walk = {
      list: 'doc-text',
      sort: 'date',
      dir: 'desc',
      keys: [
        { column: 'filed_date', dir: 'desc', type: 'date' },
        { column: 'accession', dir: 'desc', type: 'text' },
      ],
      filters: { cik, sources: wanted.map(({ slug }) => slug) },
    } as const
    const start = startOf(walk, { limit, offset: 0, paginate: 'cursor', cursor })
    const families = wanted.flatMap((corpus) => corpus.families)
    const [{ rows, next_cursor }, missing] = await Promise.all([
      queries.readable(sql, cik, families, start),
      missingOf(sql, { edgar: true }),
    ])
    const documents = rows.map(({ accession, family, form_type, filed_date, company_name }) => {
      const source = corpusOf(family)!
      return { accession, source, form_type, filed_date, company_name, url: `/v1/doc-text/${source}/${accession}` }
    })
    return { cik, documents, next_cursor: next_cursor ?? null, ...(missing.length > 0 ? { not_loaded: missing } : {}) }
  },
})

export const corpora = get('/text-search/corpora', {
  name: 'text_search_corpora',
  summary: 'The corpora of text: which there are, and how much of each was read',
  description:
    'Documents are read for the search when an operator asks for them (`openfilings ingest documents`). What the index lists can be had as text without that.',
  tag: 'text',
  input: {},
  output: answers.corpora,
  rows: 'corpora',
  examples: [{}],
  run: async (_, { sql }) => {
    const counts = await queries.counts(sql)
    return {
      corpora: CORPORA.map(({ slug, label }) => {
        const { documents = 0, newest = null } = counts.find(({ corpus }) => corpus === slug) ?? {}
        const route = slug === EXHIBITS || slug === 'brochures' ? null : `/v1/doc-text/${slug}/{accession}`
        return { slug, label, reader: true, reader_route: route, available: documents > 0, documents, newest }
      }),
    }
  },
})
