import { z } from 'zod'
import { apiError, errorAgain, type HttpError } from '../../declare/api-errors.ts'
import { BULK } from '../../declare/catalog.ts'
import { BROCHURES, CORPORA, type CorpusSlug, corpusOf, SOURCES } from '../../declare/corpora.ts'
import { byCursor, counted, filedOn } from '../../declare/paging.ts'
import type { ReadSubmissions } from '../../declare/ports.ts'
import { accession, cik, get, limit, list, Made, whole } from '../../declare/route.ts'
import { Thrown } from '../../read/apart/process.ts'
import { wantsMarkdown } from '../../serve/files/format.ts'
import { startOf } from '../../serve/keyset.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import * as answers from './answers.ts'
import { choose, sectionOf } from './choice.ts'
import { kindOf } from './filing.ts'
import { type LargeAnswer, type ToAnswer, textOf } from './large.ts'
import * as queries from './queries.ts'

const LARGE = new URL('large.ts', import.meta.url)

export const docText = get('/doc-text/{source}/{accession}', {
  name: 'doc_text',
  summary: 'Read the text of a filing',
  description:
    'The text of a filing as Markdown. Returns the main document, complete unless a part is requested: a 10-K has about 300,000 characters, a few have millions. `section` returns one item of it, or 404 if the item was not found. `sequence` names another document of the filing, such as an exhibit. `Accept: text/markdown` returns only the text. The first request for a filing fetches it from EDGAR, which takes a second or two.',
  tag: 'text',
  input: {
    source: answers.source,
    accession,
    sequence: whole({
      max: 999_999,
      describe: 'Sequence of another document of the filing, which is returned instead of the main document',
    }).optional(),
    section: z
      .string()
      .trim()
      .min(1)
      .max(60)
      .describe(
        'Returns only the section with this id, in upper or lower case: 1A, II-1A, 5.02, 3.D, proposal-2, risk-factors, risk-factors-2 (of a base prospectus after its supplement). If several sections have this id, the first of them is returned',
      )
      .optional(),
    offset: whole({ describe: 'Offset at which the part begins, in UTF-16 units of the whole text' }).optional(),
    max_chars: whole({
      min: 1,
      describe: 'Maximum number of UTF-16 units of text in the answer; without this parameter, the whole text',
    }).optional(),
  },
  examples: [
    { source: 'tenx', accession: '0000320193-24-000123', section: '1A' },
    { source: 'tenx', accession: '0000320193-24-000123', max_chars: '600' },
    { source: 'tenx', accession: '0000320193-24-000123', offset: '600' },
    { source: 'eightk', accession: '0001104659-24-076827', sequence: '2' },
  ],
  output: answers.docText,
  markdown: ({ text }) => text,
  statuses: [503],
  run: async ({ source, accession, sequence, section: wanted, offset, max_chars }, { sql, submissions, headers }) => {
    const filing = await queries.listed(sql, accession)
    if (!filing) return nothing(sql, { edgar: true })
    const corpus = corpusOf(filing.family)
    if (corpus !== source) throw belongsTo(filing, corpus)
    const submission = await submissions.get(accession)
    if (!submission) return null
    const { entry, read, others } = await choose(submissions, submission, sequence)
    const kind = kindOf(filing.form_type, entry)
    const sections = kind === null ? [] : await submissions.sections(submission, entry, read, kind)
    const section = wanted === undefined ? null : sectionOf(sections, wanted, accession)
    const { family: _, ...listed } = filing
    const answer = {
      ...listed,
      source,
      sequence: entry.seq,
      type: entry.type,
      title: entry.description,
      format: 'markdown' as const,
      text: '',
      length: 0,
      offset: 0,
      next_offset: null,
      section,
      sections,
      pages: null,
      documents: others.map(({ seq, type, description }) => {
        const url = `${addressOf(source, accession)}?sequence=${seq}`
        return { sequence: seq, type, title: description, url }
      }),
    }
    const part = { offset, max: max_chars }
    if (read.format === 'packed') {
      const isMarkdown = wantsMarkdown(headers.accept)
      return ofLarge(submissions, { packed: read.packed, section, part, isMarkdown, answer })
    }
    return { ...answer, ...textOf(read, section, part) }
  },
})

/** Makes the answer in another process. */
async function ofLarge(submissions: Pick<ReadSubmissions, 'call'>, input: ToAnswer): Promise<Made> {
  try {
    const { body, type, etag } = await submissions.call<LargeAnswer>({ module: LARGE, name: 'makeAnswer', input })
    return new Made(Buffer.from(body.buffer, body.byteOffset, body.length), type, etag)
  } catch (error) {
    throw (error instanceof Thrown && errorAgain(error.code, error.message)) || error
  }
}

const addressOf = (source: string, accession: string) => `/v1/doc-text/${source}/${accession}`

function belongsTo({ accession, form_type }: queries.Listed, corpus: string | null): HttpError {
  const place =
    corpus === null ? 'and no text is made of such filings' : `and its text is at ${addressOf(corpus, accession)}`
  return apiError('other_source', { accession, form: form_type, place })
}

export const docTextByCik = get('/doc-text/by-cik/{cik}', {
  name: 'doc_text_by_cik',
  summary: 'List filings of a filer with text',
  description:
    'Every filing of a filer whose text can be read. Lists the filings in the index, newest first, even if they were not fetched yet.',
  tag: 'text',
  cost: 'list',
  leads: {
    found: {
      cik: {
        ...{ in: 'edgar.filer', by: 'cik', newest: 1_000, isCounted: false },
        where: 'exists (select from edgar.filing f where f.accession = t.accession and f.has_text)',
      },
    },
  },
  input: {
    cik,
    sources: list(answers.source, 'Sources; without this parameter, all sources').optional(),
    ...filedOn,
    limit: limit({ max: 200, default: 100 }),
    ...byCursor,
    ...counted,
  },
  examples: [{ cik: '320193' }, { cik: '320193', sources: 'tenx,s1', from: '2020-01-01', to: '2026-12-31' }],
  output: answers.byCik,
  rows: 'documents',
  run: async ({ cik, sources, from, to, limit, cursor, count }, { sql }) => {
    const wanted = SOURCES.filter(({ slug }) => sources === undefined || sources.includes(slug))
    const walk = {
      list: 'doc-text',
      sort: 'date',
      dir: 'desc',
      keys: [
        { column: 'filed_date', dir: 'desc', type: 'date' },
        { column: 'accession', dir: 'desc', type: 'text' },
      ],
      filters: { cik, sources: wanted.map(({ slug }) => slug), from, to },
    } as const
    const start = startOf(walk, { limit, offset: 0, cursor, count })
    const families = wanted.flatMap((corpus) => corpus.families)
    const { rows, ...next } = await queries.readable(sql, { cik, from, to, families }, start)
    if (rows.length === 0 && !(await queries.isFiler(sql, cik))) return nothing(sql, { edgar: true })
    const documents = rows.map(({ family, ...filing }) => {
      const source = corpusOf(family)!
      return { ...filing, source, url: addressOf(source, filing.accession) }
    })
    return withMissing(sql, { edgar: true }, { cik, documents, ...next })
  },
})

export const corpora = get('/text-search/corpora', {
  name: 'text_search_corpora',
  summary: 'List what can be searched as text',
  description:
    'The corpora of text, and how many documents of each were read. Documents are read for the search when the operator asks for them. A filing that the index lists can be read as text even if the search does not include it.',
  tag: 'text',
  reads: [BULK],
  input: {},
  output: answers.corpora,
  rows: 'corpora',
  examples: [{}],
  run: async (_, { sql, catalog }) => {
    const tallies = await queries.tallies(sql)
    return {
      corpora: CORPORA.map(({ slug, label, families }) => {
        const { documents = 0, newest = null } = tallies.find(({ corpus }) => corpus === slug) ?? {}
        return {
          slug,
          label,
          reader: true,
          reader_route: readerRoute(slug, families),
          form_types: families.flatMap((family: string) => catalog.family(family)?.forms ?? []),
          is_available: documents > 0,
          document_count: documents,
          newest,
        }
      }),
    }
  },
})

/**
 * Returns the route that serves a document of the corpus. The corpus of exhibits has no such route: exhibits belong to
 * filings of other corpora, whose routes serve them.
 */
function readerRoute(slug: CorpusSlug, families: readonly string[]): string | null {
  if (slug === BROCHURES) return '/v1/brochures/{id}'
  return families.length > 0 ? `/v1/doc-text/${slug}/{accession}` : null
}
