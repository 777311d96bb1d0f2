import { z } from 'zod'
import { filedOn } from '../../declare/paging.ts'
import { crd, get, query, whole } from '../../declare/route.ts'
import { type Missing, missingOf, nothing, withMissing } from '../../serve/loaded.ts'
import { excerptOf } from '../../serve/search/excerpt.ts'
import { readQuery } from '../../serve/search/typed.ts'
import type { Sql } from '../../store/db.ts'
import { advAdviser } from '../adv/views.ts'
import { answer, searchPage, versionsAnswer } from './answers.ts'
import * as queries from './queries.ts'
import { RANKED_MAX, search as searched } from './queries-search.ts'

const BROCHURES = 'brochures of advisers are not known'
/**
 * Highest page number that can be requested. With one firm per page, it is the page of the last firm that a search can
 * find.
 */
const PAGE_MAX = RANKED_MAX + 1

const READ = { series: { BROCHURES } }
const NAMED = { series: { BROCHURES, ...advAdviser.sources.series } }

export const search = get('/brochures/search', {
  name: 'brochure_search',
  summary: 'Search the text of advisers’ brochures',
  description: `Finds advisers by what their brochures say (Form ADV Part 2), with excerpts. One row per firm with up to three excerpts, the firm with the best passage first. The newest version of each brochure is searched. \`q\` works as in /text-search, with phrases, AND, OR, NOT, word beginnings and NEAR; one passage must match the whole query.`,
  tag: 'advisers',
  // A search for common words keeps the database's processors busy for seconds.
  cost: 'heavy',
  bucket: 'search',
  scopes: ['brochures'],
  reads: ['adv'],
  input: {
    q: query('Text')
      .pipe(z.string().min(2, { error: 'must have at least two characters' }))
      .describe('Words to find in the text, at least two characters'),
    crd: crd.describe('CRD number of the firm: finds the words in its brochures only').optional(),
    from: filedOn.from.describe('Only brochures that were filed on this day or later'),
    to: filedOn.to.describe('Only brochures that were filed on this day or earlier'),
    page: whole({ min: 1, max: PAGE_MAX, describe: 'Page, from 1' }).default(1),
    size: whole({ min: 1, max: 50, describe: 'Firms in a page, at most 50' }).default(20),
  },
  examples: [
    { q: 'fees' },
    { q: '"assets under management"', page: '1', size: '5' },
    { q: 'fees', crd: '307078', from: '2020-01-01', to: '2026-12-31' },
  ],
  output: searchPage,
  rows: 'rows',
  next: ({ page }, { total, size }) => (page * size < total ? { page: page + 1 } : null),
  run: async ({ q, page, size, ...wanted }, { sql }) => {
    const tree = readQuery(q)
    const { rows, ...counts } = await searched(sql, { tree, page, size, ...wanted })
    const shown = rows.map(({ excerpts, ...row }) => ({
      ...row,
      excerpts: excerpts.map(({ text, ...place }) => ({ ...place, html: excerptOf(text, tree).html })),
    }))
    const found = { ...counts, rows: shown }
    return found.total > 0 ? found : withMissing(sql, READ, found)
  },
})

export const firm = get('/brochures/firm/{crd}', {
  name: 'brochure_versions',
  summary: 'List the brochures of a firm',
  description:
    'All versions of the brochures of a firm (Form ADV Part 2), newest first. A firm may have several brochures at a time, each with its versions. If the list is empty, `not_loaded` names the filing days for which no brochures are loaded.',
  tag: 'advisers',
  scopes: ['brochures'],
  reads: ['adv'],
  input: { crd },
  examples: [{ crd: '999000001' }],
  output: versionsAnswer,
  rows: 'versions',
  run: async (input, { sql }) => {
    const { isFirm, versions } = await queries.versions(sql, input.crd)
    if (versions.length > 0) return { versions }
    if (!isFirm) return nothing(sql, NAMED)
    return { versions, not_loaded: await othersOf(sql) }
  },
})

/** Names sources that are not loaded. These sources may have brochures of a firm whose list is empty. */
async function othersOf(sql: Sql): Promise<Missing[]> {
  const [missing, span] = await Promise.all([missingOf(sql, { ...READ, whole: true }), queries.span(sql)])
  if (missing.length > 0 || !span) return missing
  const note = `brochures filed from ${span.from} to ${span.to} have been loaded: those of other days are not known`
  return [{ source: 'BROCHURES', note }]
}

export const detail = get('/brochures/{id}', {
  name: 'brochure',
  summary: 'Read a brochure',
  description:
    'One version of a brochure (Form ADV Part 2) with its whole text as Markdown. The text is made from the PDF: headings, paragraphs across pages, and lists and tables where they can be recognised. A PDF that is encrypted, scanned, broken or too large has no text, and `problem` says why.',
  tag: 'advisers',
  scopes: ['brochures'],
  reads: ['adv'],
  input: {
    id: z
      .string()
      .regex(/^\d{1,15}$/, { error: 'must be a number of digits' })
      .describe('Number of the version, from the list of versions or the search'),
  },
  examples: [{ id: '1009900010002' }],
  statuses: [503],
  output: answer,
  run: async ({ id }, { sql, submissions }) => {
    const found = await queries.brochure(sql, id)
    if (!found) return nothing(sql, READ)
    if (found.kind !== 'text') return { ...found, markdown: '' }
    const { markdown, pages } = await submissions.pdf(found.sha256)
    const { text, images } = markdown
    return { ...found, charCount: text.length, pageCount: pages, imageCount: images, markdown: text }
  },
})
