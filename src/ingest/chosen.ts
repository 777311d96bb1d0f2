/**
 * The table edgar.chosen: the filers that an operator chose, and how far their profiles were read. The filings of a
 * chosen filer come into the spine from its profile, even if no index was read.
 */
import { SPINE } from '../declare/spine.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { dataChanged } from '../store/meta.ts'

export interface ChosenFiler {
  /** CIK of the filer, ten digits. */
  cik: string
  /** The filer as the operator wrote it: `AAPL`. */
  entry: string
  name: string | null
  /**
   * First day of the filer's filings that are in the spine; null if all filings that the profile lists are in the
   * spine.
   */
  from_day: string | null
  /** Day on which the profile was last read completely, `YYYY-MM-DD`; null before that. */
  through: string | null
  /** SHA-256 of the profile at the last complete reading. */
  digest: string | null
  /** Why the last reading failed, or was not complete. */
  problem: string | null
}

/** Returns the stored facts about these filers from earlier runs. */
export async function chosenBefore(sql: Sql, ciks: readonly string[]): Promise<Map<string, ChosenFiler>> {
  const rows = await sql<ChosenFiler[]>`
    select cik, entry, name, from_day, through, digest, problem from edgar.chosen where cik = any(${ciks as string[]})`
  return new Map(rows.map((row) => [row.cik, row]))
}

/** Returns the filer that an earlier run found for an entry; null if no run found one. */
export async function rememberedFiler(sql: Sql, entry: string): Promise<Pick<ChosenFiler, 'cik' | 'name'> | null> {
  const [row] = await sql<Pick<ChosenFiler, 'cik' | 'name'>[]>`
    select cik, name from edgar.chosen where entry = ${entry} order by read_at desc, cik limit 1`
  return row ?? null
}

/**
 * Records how the profiles of these filers were read. After a failed reading, the days of the last complete reading
 * stay. Forgets filers that were never read and that the operator no longer wants. Otherwise a typing error would count
 * as a failure even after it was corrected.
 *
 * @param wanted CIKs of all filers that the operator wants
 */
export async function recordChosen(
  tx: Transaction,
  filers: readonly ChosenFiler[],
  { now, wanted }: { now: Date; wanted: readonly string[] },
): Promise<void> {
  if (filers.length === 0) return
  const { count } = await tx`
    insert into edgar.chosen as c (cik, entry, name, from_day, through, digest, problem, read_at)
    select cik, entry, name, from_day, through, digest, problem, ${now}
    from jsonb_to_recordset(${tx.json(filers as never)}) f (
      cik text, entry text, name text, from_day date, through date, digest text, problem text)
    order by cik
    on conflict (cik) do update set entry = excluded.entry, name = coalesce(excluded.name, c.name),
      from_day = case when excluded.problem is null then excluded.from_day else c.from_day end,
      through = case when excluded.problem is null then excluded.through else c.through end,
      digest = case when excluded.problem is null then excluded.digest else c.digest end,
      problem = excluded.problem, read_at = excluded.read_at`
  const forgotten = await tx`
    delete from edgar.chosen where through is null and name is null and cik <> all(${wanted as string[]})`
  // Answers say which filers are loaded, and through which day, so cached answers must be made again.
  if (count + forgotten.count > 0) await dataChanged(tx, [SPINE])
}

export interface Chosen {
  filers: number
  /** How many of these filers could not be read completely at their last reading. */
  failed: number
  /**
   * The latest of the filers' first days: from this day on, the filings of every chosen filer are listed. Null if all
   * filings of all chosen filers are listed.
   */
  from: string | null
  /**
   * The earliest of the days on which the profiles were last read completely; null if no profile was ever read
   * completely.
   */
  through: string | null
  /** Whether filings of all filers are listed too, from an index or from the feed. */
  hasIndexes: boolean
}

/** Whether filings of all filers are listed, as an SQL condition. */
export const listsAll = (sql: Sql) => sql`(exists (select from edgar.watermark) or exists (select from edgar.feed))`

/** The operator's choice of filers; null if no filer was chosen. */
export async function chosenOf(sql: Sql): Promise<Chosen | null> {
  const [row] = await sql<Chosen[]>`
    select count(*)::int as filers, (count(*) filter (where problem is not null))::int as failed,
      max(from_day) as from, min(through) as through,
      ${listsAll(sql)} as "hasIndexes"
    from edgar.chosen`
  return row!.filers === 0 ? null : row!
}

/** Chosen filers whose last reading failed, by CIK. */
export const chosenFailures = (sql: Sql, max: number) =>
  sql<{ cik: string; entry: string; name: string | null; problem: string; read_at: string }[]>`
    select cik, entry, name, problem, read_at from edgar.chosen where problem is not null order by cik limit ${max}`

/** Whether only filings of chosen filers are listed. */
export const isChosenOnly = (chosen: Chosen | null): chosen is Chosen => chosen !== null && !chosen.hasIndexes

/** Returns a text for answers, such as `only filings of 50 chosen filers have been loaded`. */
export const chosenText = (filers: number): string =>
  `only filings of ${filers === 1 ? 'one chosen filer' : `${filers.toLocaleString('en-US')} chosen filers`} have been loaded`
