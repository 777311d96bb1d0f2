/**
 * What an answer is made of and was never loaded, or only as far as the bundled sample has it. Its zeros, nulls and empty lists then say nothing: an object has the
 * member `not_loaded`, which is absent otherwise; of one thing that is asked for by its number the 404 says so.
 */
import { z } from 'zod'
import type { Sql } from './db.ts'
import { notFound, unavailable } from './errors.ts'
import { originOf } from './origin.ts'

const missing = z.object({
  source: z.string().describe('Bulk series (IA_FIRM_SEC), family of filings (x17a5), edgar for all filings, or a form'),
  note: z.string().describe('What is not known without it'),
})

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

/** What an answer is made of. */
export interface Sources {
  /** Bulk series by name, each with what is not known without it. */
  series?: Readonly<Record<string, string>>
  /** Families of filings that datasets read, by slug, with what the filings are called. */
  families?: Readonly<Record<string, string>>
  /** Families of which the index is shown, by slug. */
  listed?: readonly string[]
  /** The index of EDGAR's filings. */
  edgar?: boolean
  /** The answer says that there is no more than it has: nobody can, of the selection in the bundled sample. */
  whole?: boolean
}

/** Those of the sources that were never loaded, or must be there as a whole and are not, in the order given. */
export async function missingOf(sql: Sql, sources: Sources): Promise<Missing[]> {
  const { series = {}, families = {}, listed = [], edgar = false, whole = false } = sources
  const slugs = [...Object.keys(families), ...listed]
  const [loaded, counts, origin] = await Promise.all([
    seriesLoaded(sql, Object.keys(series)),
    slugs.length > 0 || edgar ? counted(sql, slugs, edgar) : [],
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

const counted = (sql: Sql, slugs: readonly string[], all: boolean) => sql<Count[]>`
  select family, sum(filings)::float8 as filings, sum(extracted)::float8 as extracted
  from edgar.coverage where filings > 0 and (${all} or family = any(${slugs as string[]})) group by family`

interface Count {
  family: string | null
  filings: number
  extracted: number
}

/** The answer with what is missing of it, if anything is. */
export async function withMissing<T extends object>(
  sql: Sql,
  sources: Sources,
  answer: T,
): Promise<T & { not_loaded?: Missing[] }> {
  const not_loaded = await missingOf(sql, sources)
  return not_loaded.length > 0 ? { ...answer, not_loaded } : answer
}

/**
 * Of something that is asked for by its number and not there: null, which is a 404.
 *
 * @throws HttpError 404 that says so, where none of the sources was ever loaded
 */
export async function nothing(sql: Sql, sources: Sources): Promise<null> {
  const missing = await missingOf(sql, sources)
  if (missing.length < sizeOf(sources)) return null
  throw notFound(`not found: ${notesOf(missing)}`)
}

/**
 * An empty array, which has no place for what is missing.
 *
 * @throws HttpError 503 where none of the sources was ever loaded
 */
export async function nobody(sql: Sql, sources: Sources): Promise<never[]> {
  const missing = await missingOf(sql, sources)
  if (missing.length < sizeOf(sources)) return []
  throw unavailable(notesOf(missing), RETRY_SECONDS)
}

/** Loading takes an operator, and minutes. */
const RETRY_SECONDS = 600

const sizeOf = ({ series = {}, families = {}, listed = [], edgar = false }: Sources) =>
  Object.keys(series).length + Object.keys(families).length + listed.length + Number(edgar)

const notesOf = (missing: readonly Missing[]) => missing.map(({ note }) => note).join('; ')
