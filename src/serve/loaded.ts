/**
 * Reports sources of an answer that were never loaded, and sources of which only a part was loaded: the part in the
 * bundled sample, or the filings of chosen filers. Zeros, nulls and empty lists then mean "unknown". An answer that is
 * an object reports this in its member `not_loaded`, which is otherwise absent. If a thing is requested by its
 * identifier and not found, the error 404 reports the sources that were not loaded.
 */
import { z } from 'zod'
import { apiError } from '../declare/api-errors.ts'
import type { Sources } from '../declare/view.ts'
import { type FamilyCount, familyCounts } from '../ingest/backlog.ts'
import { chosenText, listsAll } from '../ingest/chosen.ts'
import type { Origin } from '../ingest/origin.ts'
import type { Sql } from '../store/db.ts'

const missing = z
  .object({
    source: z
      .string()
      .describe('Bulk series (IA_FIRM_SEC), family of filings (x17a5), edgar for all filings, or a form'),
    note: z.string().describe('What is unknown because the source was not loaded'),
  })
  .meta({ id: 'NotLoaded' })

export type Missing = z.infer<typeof missing>

/** The member `not_loaded`, for answers that are objects. */
export const notLoaded = {
  not_loaded: z
    .array(missing)
    .optional()
    .describe(
      'Present if data that the answer needs was never loaded, or was loaded only in part (the bundled sample, or filers that the operator chose). Zeros, nulls and empty lists from such data mean "unknown"',
    ),
}

/** Returns, in the declared order, the sources that were never loaded, and those that must be complete but are not. */
export async function missingOf(sql: Sql, sources: Sources): Promise<Missing[]> {
  const { series = {}, families = {}, listed = [], edgar = false, whole = false } = sources
  const slugs = [...Object.keys(families), ...listed]
  const isOfFilings = slugs.length > 0 || edgar
  const counted = isOfFilings ? { slugs: edgar ? undefined : slugs } : null
  const loaded = await loadedOf(sql, { series: Object.keys(series), slugs: Object.keys(families), counted })
  const { counts } = loaded
  const isSelection = whole && loaded.origin === 'sample'
  // Without an index, families have only the filings of filers that the operator chose.
  const selected = isOfFilings && loaded.chosen > 0 ? chosenText(loaded.chosen) : null
  const there = new Set(loaded.series)
  const found: Missing[] = Object.entries(series)
    .filter(([name]) => isSelection || !there.has(name))
    .map(([source, note]) => ({
      source,
      note: `${there.has(source) ? SELECTED : 'nothing'} of ${source} has been loaded: ${note}`,
    }))
  // Quarterly sets add rows of filings. But they add no filings to the index, and filings in a set are not treated as
  // read. So families with rows from a set are left out here.
  const ofFilings = Object.entries(families).filter(([source]) => !loaded.sets.includes(source))
  if (selected !== null) {
    const ofOthers = [...ofFilings, ...listed.map((source) => [source, 'filings'] as const)]
    found.push(...ofOthers.map(([source, what]) => ({ source, note: `${selected}: ${what} of others are not known` })))
    return edgar ? [...found, { source: 'edgar', note: selected }] : found
  }
  for (const [source, what] of ofFilings) {
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
  else if (edgar && isSelection) found.push({ source: 'edgar', note: `${SELECTED} of EDGAR has been loaded` })
  return found
}

const SELECTED = 'only the selection in the bundled sample'

interface Loaded {
  /** The requested series that have records. */
  series: string[]
  /** The requested datasets that hold rows loaded from a quarterly set. */
  sets: string[]
  origin: Origin
  /** Number of filers that the operator chose, if only their filings are listed; else 0. */
  chosen: number
  counts: FamilyCount[]
}

/**
 * Reads which of the sources are loaded. Uses only one statement, since many answers need these facts, for example each
 * answer without rows. Reads only tables of the requested sources, so that loading other sources does not change the
 * answer.
 */
async function loadedOf(
  sql: Sql,
  { series, slugs, counted }: { series: string[]; slugs: string[]; counted: { slugs: string[] | undefined } | null },
): Promise<Loaded> {
  const nothing = sql`array[]::text[]`
  const [row] = await sql<[Loaded]>`
    select ${series.length === 0 ? nothing : seriesLoaded(sql, series)} as series,
      ${slugs.length === 0 ? nothing : setsLoaded(sql, slugs)} as sets,
      (select value from core.meta where name = 'origin') as origin,
      ${counted ? onlyChosen(sql) : sql`0`} as chosen,
      ${counted ? countsOf(sql, counted.slugs) : sql`'[]'::json`} as counts`
  return row
}

const seriesLoaded = (sql: Sql, series: string[]) => sql`array(
  select asked.name from unnest(${series}::text[]) asked(name)
  where exists (select from bulk.edition e where e.series = asked.name and e.records > 0))`

const setsLoaded = (sql: Sql, slugs: string[]) => sql`array(
  select asked.slug from unnest(${slugs}::text[]) asked(slug)
  where exists (select from bulk.set_filing s where s.dataset = asked.slug))`

const countsOf = (sql: Sql, slugs?: readonly string[]) =>
  sql`(select coalesce(json_agg(c), '[]') from (${familyCounts(sql, slugs)}) c)`

const onlyChosen = (sql: Sql) =>
  sql`case when ${listsAll(sql)} then 0 else (select count(*)::int from edgar.chosen) end`

/**
 * Returns a note about what is unknown because the rows of a filing come from a data set of the SEC. The result has no
 * members if the submission was read.
 *
 * @param source source of the rows, from the table of filings
 * @param note says what the sets lack: `its co-issuers are not known`
 */
export const notInSets = (slug: string, source: string, note: string): { not_loaded?: Missing[] } =>
  source === 'set' ? { not_loaded: [{ source: slug, note: `${OF_SET}: ${note}` }] } : {}

const OF_SET = 'this filing comes from a data set of the SEC, and its submission has not been read'

/**
 * Adds `not_loaded` to the answer, if any of its sources was never loaded, or must be complete but is not.
 *
 * @param made the answer. If the answer is still being made, it and `not_loaded` are read from the database at the same
 * time
 */
export async function withMissing<T extends object>(
  sql: Sql,
  sources: Sources,
  made: T | Promise<T>,
): Promise<T & { not_loaded?: Missing[] }> {
  const [answer, not_loaded] = await Promise.all([made, missingOf(sql, sources)])
  return not_loaded.length > 0 ? { ...answer, not_loaded } : answer
}

/**
 * Makes the answer to a request for one thing by its identifier, if that thing does not exist. The answer is null,
 * which becomes a 404.
 *
 * @param accession the requested filing
 * @throws HttpError 404 with a reason, if none of the sources was ever loaded. The same if the filing is listed but was
 * not read yet, could not be read, or belongs to another family
 */
export async function nothing(sql: Sql, sources: Sources, accession?: string): Promise<null> {
  if (accession !== undefined) await assertRead(sql, accession, Object.keys(sources.families ?? {}))
  const missing = await missingOf(sql, sources)
  if (missing.length < sizeOf(sources)) return null
  throw apiError('not_loaded', { notes: notesOf(missing) })
}

async function assertRead(sql: Sql, accession: string, slugs: readonly string[]): Promise<void> {
  const [filing] = await sql<{ form: string; isOther: boolean; state: string | null; error: string | null }[]>`
    select f.form_type as form, (f.family = any(${slugs as string[]})) is not true as "isOther", t.state, t.error
    from edgar.filing f
    left join edgar.task t
      on t.accession = f.accession and t.dataset = any(${slugs as string[]}) and t.state in ('pending', 'failed')
    where f.accession = ${accession}`
  if (filing?.state === 'pending') throw apiError('filing_waits', { accession })
  if (filing?.state === 'failed')
    throw apiError('filing_unreadable', { accession, reason: filing.error ?? 'it failed' })
  if (filing?.isOther && slugs.length > 0) throw apiError('other_family', { accession, form: filing.form })
}

/**
 * Returns an empty array: an answer that is an array cannot name missing sources.
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
