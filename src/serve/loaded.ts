/**
 * Reports which sources of an answer were never loaded, or only as far as the bundled sample has them. Zeros, nulls and
 * empty lists mean nothing then. An object says so in its member `not_loaded`, which is absent otherwise; for a thing
 * that is requested by its number, the 404 says so.
 */
import { z } from 'zod'
import { apiError } from '../declare/api-errors.ts'
import type { Sources } from '../declare/view.ts'
import { familyCounts } from '../ingest/backlog.ts'
import { originOf } from '../ingest/origin.ts'
import type { Sql } from '../store/db.ts'

const missing = z
  .object({
    source: z
      .string()
      .describe('Bulk series (IA_FIRM_SEC), family of filings (x17a5), edgar for all filings, or a form'),
    note: z.string().describe('What is not known without it'),
  })
  .meta({ id: 'NotLoaded' })

export type Missing = z.infer<typeof missing>

/** Member of an answer that is an object. */
export const notLoaded = {
  not_loaded: z
    .array(missing)
    .optional()
    .describe(
      'Present where something that the answer is made of has never been loaded, or is the selection of the bundled sample: zeros, nulls and empty lists that come of it say nothing',
    ),
}

/** The sources that were never loaded, or that must be complete and are not, in the order given. */
export async function missingOf(sql: Sql, sources: Sources): Promise<Missing[]> {
  const { series = {}, families = {}, listed = [], edgar = false, whole = false } = sources
  const slugs = [...Object.keys(families), ...listed]
  const [loaded, counts, ofSets, origin] = await Promise.all([
    seriesLoaded(sql, Object.keys(series)),
    slugs.length > 0 || edgar ? familyCounts(sql, edgar ? undefined : slugs) : [],
    withSets(sql, Object.keys(families)),
    whole ? originOf(sql) : null,
  ])
  const there = new Set(loaded.map(({ name }) => name))
  const found: Missing[] = Object.entries(series)
    .filter(([name]) => origin === 'sample' || !there.has(name))
    .map(([source, note]) => ({
      source,
      note: `${there.has(source) ? SELECTED : 'nothing'} of ${source} has been loaded: ${note}`,
    }))
  for (const [source, what] of Object.entries(families)) {
    // Sets add rows of filings, but they neither list filings nor complete their tasks.
    if (ofSets.has(source)) continue
    const count = counts.find(({ family }) => family === source)
    if (!count) found.push({ source, note: `no ${what} have been loaded` })
    else if (count.extracted === 0) {
      found.push({ source, note: `${count.filings} ${what} are listed and none of them has been read` })
    }
  }
  for (const source of listed) {
    const isListed = counts.some(({ family }) => family === source)
    if (!isListed) found.push({ source, note: 'no filings of this family have been loaded' })
  }
  if (edgar && counts.length === 0) found.push({ source: 'edgar', note: 'no filing of EDGAR has been loaded' })
  else if (edgar && origin === 'sample') found.push({ source: 'edgar', note: `${SELECTED} of EDGAR has been loaded` })
  return found
}

const SELECTED = 'only the selection in the bundled sample'

async function seriesLoaded(sql: Sql, names: readonly string[]): Promise<{ name: string }[]> {
  if (names.length === 0) return []
  return sql<{ name: string }[]>`
    select asked.name from unnest(${names as string[]}::text[]) asked(name)
    where exists (select from bulk.edition e where e.series = asked.name and e.records > 0)`
}

/** Datasets that hold rows loaded from a quarterly set. */
async function withSets(sql: Sql, slugs: readonly string[]): Promise<Set<string>> {
  if (slugs.length === 0) return new Set()
  const rows = await sql<{ slug: string }[]>`
    select slug from unnest(${slugs as string[]}::text[]) slug
    where exists (select from bulk.set_filing s where s.dataset = slug)`
  return new Set(rows.map(({ slug }) => slug))
}

/** Adds to the answer the sources that were never loaded, if there are any. */
export async function withMissing<T extends object>(
  sql: Sql,
  sources: Sources,
  answer: T,
): Promise<T & { not_loaded?: Missing[] }> {
  const not_loaded = await missingOf(sql, sources)
  return not_loaded.length > 0 ? { ...answer, not_loaded } : answer
}

/**
 * Answers a request for one thing by its number if that thing does not exist: returns null, which becomes a 404.
 *
 * @param accession the requested filing
 * @throws HttpError 404 with a reason, if none of the sources was ever loaded, or if the filing is listed but was not
 *   read yet or could not be read
 */
export async function nothing(sql: Sql, sources: Sources, accession?: string): Promise<null> {
  if (accession !== undefined) await assertRead(sql, accession, Object.keys(sources.families ?? {}))
  const missing = await missingOf(sql, sources)
  if (missing.length < sizeOf(sources)) return null
  throw apiError('not_loaded', { notes: notesOf(missing) })
}

async function assertRead(sql: Sql, accession: string, slugs: readonly string[]): Promise<void> {
  const [task] = await sql<{ error: string | null }[]>`
    select case when state = 'failed' then error end as error from edgar.task
    where accession = ${accession} and dataset = any(${slugs as string[]}) and state <> 'done'`
  if (!task) return
  if (task.error === null) throw apiError('filing_waits', { accession })
  throw apiError('filing_unreadable', { accession, reason: task.error })
}

/**
 * Returns an empty array, which has no member that could name the missing sources.
 *
 * @throws HttpError 503 if none of the sources was ever loaded
 */
export async function noRows(sql: Sql, sources: Sources): Promise<never[]> {
  const missing = await missingOf(sql, sources)
  if (missing.length < sizeOf(sources)) return []
  throw apiError('list_not_loaded', { notes: notesOf(missing) })
}

const sizeOf = ({ series = {}, families = {}, listed = [], edgar = false }: Sources) =>
  Object.keys(series).length + Object.keys(families).length + listed.length + Number(edgar)

const notesOf = (missing: readonly Missing[]) => missing.map(({ note }) => note).join('; ')
