import { z } from 'zod'
import { brochuresVersion } from '../../datasets/brochures/views.ts'
import { apiError } from '../../declare/api-errors.ts'
import { BULK, type Catalog } from '../../declare/catalog.ts'
import { BROCHURES, CORPORA, type CorpusSlug, corpusOf, EXHIBITS } from '../../declare/corpora.ts'
import { RENAMED_FORMS } from '../../declare/mistaken.ts'
import { byCursor } from '../../declare/paging.ts'
import { choice, cik, day, get, limit, list } from '../../declare/route.ts'
import { thousands } from '../../declare/thousands.ts'
import { notKnown } from '../../misspelt.ts'
import { assertForms } from '../../serve/known.ts'
import { type Missing, missingOf } from '../../serve/loaded.ts'
import { QUERY_LENGTH_MAX } from '../../serve/search/typed.ts'
import type { Sql } from '../../store/db.ts'
import { page } from './answers.ts'
import { arrivedDocuments } from './arrived.ts'
import { answer } from './page.ts'
import { BROCHURE, isAnyRead } from './queries.ts'

const SLUGS = CORPORA.map(({ slug }) => slug) as [CorpusSlug, ...CorpusSlug[]]

const corpus = z.enum(SLUGS, {
  error: ({ input }) => notKnown(String(input), 'corpus', SLUGS),
})

export const search = get('/text-search', {
  name: 'text_search',
  summary: 'Search the text of filings and brochures',
  description: `Finds words and phrases in the text of filings and brochures, with excerpts. One row per document, with its best passages. Case, accents and plurals do not matter: \`material weaknesses\` finds "material weakness". All words must be in the document. Words that are next to each other in the query count more if they are next to each other in the document.

| typed | means |
| --- | --- |
| \`"going concern"\` | the phrase, of at most 25 words |
| \`ford OR "general motors"\` | documents with at least one of the two; AND binds tighter than OR, and parentheses group |
| \`ford -recall\`, \`ford NOT recall\` | documents without this word |
| \`restat*\` | words that begin with these letters, at least three |
| \`cyber NEAR/5 incident\`, \`NEAR(cyber incident, 5)\` | the two words at most five words apart, in either order |

Operators are in capitals. Punctuation separates words, as in a document: \`10-K\` is the phrase "10 K". Numbers match with or without commas.

Relevance measures how much a document is about the query: by its title, its headings, and how often the words occur relative to its length. Equally relevant documents are ordered by date. Pages continue to the last document.`,
  tag: 'text',
  // Common words keep the database's processors busy for seconds.
  cost: 'heavy',
  bucket: 'search',
  reads: ['documents', 'brochures', 'adv', 'filings', BULK],
  mistaken: { codes: { form: RENAMED_FORMS } },
  input: {
    q: z
      .string()
      .max(QUERY_LENGTH_MAX)
      .describe(`What to search for, at most ${thousands(QUERY_LENGTH_MAX)} characters`),
    corpora: list(
      corpus,
      'Corpora to search, from /text-search/corpora; without this parameter, all corpora',
    ).optional(),
    form: list(z.string().max(20), 'Exact form codes; 10-K does not include 10-K/A').optional(),
    cik: cik.describe('CIK of any filer of the document, with or without leading zeros').optional(),
    from: day('Only documents that were filed on this day or later').optional(),
    to: day('Only documents that were filed on this day or earlier').optional(),
    sort: choice(
      ['relevance', 'date'],
      'relevance: the most relevant documents first. date: the newest documents first',
    ).default('relevance'),
    limit: limit({ max: 50, default: 10 }),
    ...byCursor,
  },
  examples: [
    { q: '"risk factors"', limit: '3' },
    { q: 'company NEAR/5 shares', corpora: 'tenx,eightk', sort: 'date' },
    { q: 'annual report', form: '10-K', cik: '320193', from: '2020-01-01', to: '2025-12-31' },
  ],
  output: page,
  rows: 'rows',
  run: async (input, { sql, catalog }) => {
    await assertForms(
      sql,
      catalog,
      input.form?.filter((form) => form !== BROCHURE),
    )
    assertTextOf(catalog, input)
    const found = await answer(sql, catalog, input)
    const missing = found.rows.length === 0 ? await missingOfCorpora(sql, input.corpora ?? SLUGS) : []
    return missing.length > 0 ? { ...found, not_loaded: missing } : found
  },
  arrived: (input, arrival, { sql, catalog }) => arrivedDocuments(sql, catalog, input, arrival),
})

/**
 * Refuses forms and corpora of which no document can have both, such as form=8-K and corpora=tenx, and forms without
 * text.
 */
function assertTextOf(
  catalog: Catalog,
  { form: forms, corpora }: { form?: readonly string[] | undefined; corpora?: readonly CorpusSlug[] | undefined },
): void {
  if (!forms) return
  const owners = forms.map((form) =>
    form === BROCHURE ? BROCHURES : corpusOf(catalog.familyOfForm(form)?.slug ?? null),
  )
  const found = owners.filter((slug) => slug !== null)
  if (found.length === 0) {
    const reason = `no text is made of form ${forms[0]}; /v1/text-search/corpora has the corpora and their forms`
    throw apiError('invalid_parameter', { parameter: 'form', reason })
  }
  const isPossible = (slug: CorpusSlug) =>
    corpora?.includes(slug) || (slug !== BROCHURES && corpora?.includes(EXHIBITS))
  if (corpora === undefined || found.some(isPossible)) return
  const reason = `${forms[owners.indexOf(found[0]!)]} is a form of the corpus ${found[0]}, not of ${corpora.join(' or ')}: leave out one of the two`
  throw apiError('conflicting_parameters', { parameter: 'form', reason })
}

/** Names sources of these corpora that were never read. */
async function missingOfCorpora(sql: Sql, corpora: readonly CorpusSlug[]): Promise<Missing[]> {
  const ofBrochures = corpora.includes(BROCHURES) ? await missingOf(sql, brochuresVersion.sources) : []
  const isOfFilings = corpora.some((corpus) => corpus !== BROCHURES)
  if (!isOfFilings || (await isAnyRead(sql))) return ofBrochures
  return [{ source: 'documents', note: 'no document of a filing has been read for the search' }, ...ofBrochures]
}
