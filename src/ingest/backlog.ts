/**
 * Counts loaded, waiting and failed filings and files. Most counts come from an index of the database, or from totals
 * that the loader keeps.
 */
import type { Sql } from '../store/db.ts'

export interface Backlog {
  dataset: string
  pending: number
  failed: number
  /** Filings that have their rows from quarterly sets, and whose submissions were not read. */
  of_sets: number
}

/**
 * How many tasks wait, failed, or have their rows from quarterly sets, by dataset (`header` included). Reads only the
 * partial indexes of such tasks.
 */
export async function backlog(sql: Sql): Promise<Backlog[]> {
  return sql<Backlog[]>`
    select dataset, sum(pending)::float8 as pending, sum(failed)::float8 as failed, sum(of_sets)::float8 as of_sets
    from (
      select dataset, count(*) as pending, 0 as failed, 0 as of_sets from edgar.task where state = 'pending' group by dataset
      union all
      select dataset, 0, count(*), 0 from edgar.task where state = 'failed' group by dataset
      union all
      select dataset, 0, 0, count(*) from edgar.task where state = 'set' group by dataset
    ) t group by dataset order by dataset`
}

export interface Failure {
  dataset: string
  /** The error without the parts that differ between filings. */
  reason: string
  filings: number
  /** Accession and full error of the three newest of these failures. */
  examples: { accession: string; error: string }[]
}

/**
 * Failed tasks grouped by reason, the commonest first. Errors that differ only in numbers, accessions or quoted values
 * count as one reason.
 *
 * @param among number of the newest failed tasks that are grouped; null for all failed tasks
 */
export async function failures(sql: Sql, max: number, among: number | null = null): Promise<Failure[]> {
  return sql<Failure[]>`
    with failed as (
      select dataset, accession, error, filed_date,
        regexp_replace(regexp_replace(regexp_replace(coalesce(error, ''),
          '\\d{10}-\\d{2}-\\d{6}', '<accession>', 'g'), '"[^"]*"', '"…"', 'g'), '\\d+', '#', 'g') as reason
      from edgar.task where state = 'failed' order by filed_date desc limit ${among}
    )
    select dataset, reason, count(*)::int as filings,
      (array_agg(jsonb_build_object('accession', accession, 'error', error)
        order by filed_date desc, accession desc))[1:3] as examples
    from failed group by dataset, reason order by filings desc, dataset, reason limit ${max}`
}

/** Unreadable lines of the indexes at the addresses `urls`, or of all indexes if `urls` is null. */
export async function unreadLines(
  sql: Sql,
  urls: readonly string[] | null,
  max: number,
): Promise<{ index_url: string; line: number; reason: string; content: string }[]> {
  return sql`
    select index_url, line, reason, content from edgar.index_problem
    where ${urls === null ? sql`true` : sql`index_url = any(${urls as string[]})`}
    order by index_url, line limit ${max}`
}

interface ReadCount {
  dataset: string
  /** How many filings the dataset covers, and how many of them it has read. */
  filings: number
  read: number
}

/**
 * Returns how many filings each dataset covers and has read, from counts that the loader keeps. For `header`, `read`
 * has no meaning, since the loader does not count headers that were read.
 */
export async function readCounts(sql: Sql): Promise<ReadCount[]> {
  return sql<ReadCount[]>`
    select task as dataset, sum(filings)::float8 as filings, sum(extracted)::float8 as read
    from edgar.coverage where task is not null group by task order by task`
}

/**
 * Returns, for datasets that claim no family, how many filings each has read. Counts rows, because the loader keeps no
 * counts for such datasets.
 *
 * @param datasets each with its table that has one row per filing
 */
export async function requestedCounts(
  sql: Sql,
  datasets: readonly { dataset: string; table: string }[],
): Promise<ReadCount[]> {
  return Promise.all(
    datasets.map(async ({ dataset, table }) => {
      const [row] = await sql<{ read: number }[]>`select count(*)::float8 as read from ${sql(table)}`
      return { dataset, filings: row!.read, read: row!.read }
    }),
  )
}

export interface FamilyCount {
  family: string | null
  filings: number
  extracted: number
}

/**
 * Filings of each family, and how many of them were read into rows. The family null stands for the forms that no family
 * claims.
 *
 * @param slugs only these families
 */
export const familyCounts = (sql: Sql, slugs?: readonly string[]) => sql<FamilyCount[]>`
  select family, sum(filings)::float8 as filings, sum(extracted)::float8 as extracted
  from edgar.coverage where filings > 0 ${slugs ? sql`and family = any(${slugs as string[]})` : sql``} group by family`

/**
 * For each dataset, how many filings have leaves (values in their documents) that no parser read, and how many leaves.
 */
export async function unreadLeaves(sql: Sql): Promise<{ dataset: string; filings: number; leaves: number }[]> {
  return sql`
    select dataset, count(*)::int as filings, sum(unread)::float8 as leaves
    from edgar.task where unread > 0 group by dataset order by dataset`
}

/** The date of the newest filing of each family that has filings. Takes one index look-up per family. */
export async function newestOfFamilies(sql: Sql): Promise<{ family: string; filed: string }[]> {
  return sql`
    select c.family, f.filed
    from (select distinct family from edgar.coverage where family is not null and filings > 0) c,
      lateral (select max(filed_date) as filed from edgar.filing where filing.family = c.family) f
    where f.filed is not null order by c.family`
}

/** The newest loaded edition of each series, and the time of the last load of any edition of the series. */
export async function newestEditions(
  sql: Sql,
): Promise<{ series: string; name: string; through: string; records: number; loaded_at: string }[]> {
  return sql`
    select distinct on (series) series, name, to_day as through, records, max(finished_at) over (partition by series) as loaded_at
    from bulk.edition where state = 'done' order by series, to_day desc, name desc`
}

/**
 * How many records each of these series has. Needed for series with partial editions: the newest edition of such a
 * series may have only one company, so the count of that edition alone says little.
 */
export async function recordCounts(
  sql: Sql,
  series: readonly string[],
): Promise<{ series: string; records: number }[]> {
  return sql`
    select series, count(*)::float8 as records from bulk.record
    where series = any(${series as string[]}) and gone_day is null group by series`
}

/** How many editions of each series failed when they were last loaded; series without a failed edition are absent. */
export async function failedEditions(sql: Sql): Promise<{ series: string; failed: number }[]> {
  return sql`
    select series, count(*)::int as failed from bulk.edition where state = 'failed' group by series`
}

interface EditionLine {
  series: string
  name: string
  through: string
  state: 'done' | 'failed'
  records: number
  refused: number
  problems: number
  error: string | null
}

/** The last load of each edition: first the editions that failed, then the others, latest first. */
export async function editionLines(sql: Sql, max: number): Promise<EditionLine[]> {
  return sql<EditionLine[]>`
    select series, name, to_day as through, state, records, refused, problem_count as problems, error from bulk.edition
    order by state = 'failed' desc, finished_at desc limit ${max}`
}

interface SetLine {
  dataset: string
  name: string
  through: string
  state: 'begun' | 'done' | 'failed'
  /** Number of filings of the set. */
  filings: number
  refused: number
  error: string | null
}

/**
 * The last load of each quarterly data set: first the sets that failed or were cut off, then the others, newest first.
 */
export async function setLines(sql: Sql, max: number): Promise<SetLine[]> {
  return sql<SetLine[]>`
    select dataset, name, to_day as through, state, filings, refused, error from bulk.filing_set
    order by state <> 'done' desc, to_day desc, dataset, name limit ${max}`
}

/**
 * Quarterly data sets by dataset: how many are loaded, how many failed or were cut off, and how many filings the loaded
 * sets have.
 */
export async function setCounts(
  sql: Sql,
): Promise<{ dataset: string; done: number; failed: number; filings: number; through: string | null }[]> {
  return sql`
    select dataset, count(*) filter (where state = 'done')::int as done,
      count(*) filter (where state <> 'done')::int as failed,
      coalesce(sum(filings) filter (where state = 'done'), 0)::float8 as filings,
      max(to_day) filter (where state = 'done') as through
    from bulk.filing_set group by dataset order by dataset`
}

/** The indexes that reach furthest, each with its last day. */
export async function watermarks(
  sql: Sql,
  max: number,
): Promise<{ host: string; source: string; through: string; moved_at: string }[]> {
  return sql`
    select host, source, through, moved_at from edgar.watermark order by through desc, source desc, host limit ${max}`
}

/** How many indexes were read. */
export async function watermarkCount(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from edgar.watermark`
  return row!.n
}

/** Last day of the indexes that were read; null if none was read. */
export const readThrough = async (sql: Sql): Promise<string | null> => (await indexesRead(sql))?.through ?? null

/** Last day of the indexes that were read, and when an index was last read; null if none was read. */
export async function indexesRead(sql: Sql): Promise<{ through: string; at: string } | null> {
  const [row] = await sql<{ through: string; at: string }[]>`
    select through, at from (select max(through) as through, max(moved_at) as at from edgar.watermark) w
    where through is not null`
  return row ?? null
}

export interface Loaded {
  /** Number of filings in the spine. */
  filings: number
  forms: number
  /** Day of the newest filing. */
  newest: string | null
  /** The last day that a loaded bulk file covers. */
  through: string | null
}

/** A few figures that summarise the loaded data. */
export async function loaded(sql: Sql): Promise<Loaded> {
  const [row] = await sql<Loaded[]>`
    select coalesce(sum(filings), 0)::float8 as filings, count(*) filter (where filings > 0)::int as forms,
      (select max(filed_date) from edgar.filing) as newest,
      (select max(to_day) from bulk.edition where state = 'done') as through
    from edgar.coverage`
  return row!
}

interface ListedRebuild {
  slug: string
  /** `fill`: rows are being made; `make`: rollups are being made; `made`: the swap comes next. */
  step: 'fill' | 'make' | 'made'
  /** The last accession or file that was read; empty at the start. */
  through: string
}

/** Rebuilds that are running, or were killed and will be resumed. */
export const rebuilds = (sql: Sql): Promise<ListedRebuild[]> =>
  sql<ListedRebuild[]>`select slug, step, through from core.shadow order by slug`
