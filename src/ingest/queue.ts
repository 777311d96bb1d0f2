/**
 * The queue: rows of edgar.task. A worker claims tasks by locking their rows, so the tasks of a killed worker are free
 * as soon as its connection ends.
 */

import type { SpineFiling } from '../archive/submissions.ts'
import { type FilingsDataset, filingTable } from '../declare/dataset.ts'
import { storable } from '../read/text.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { dataChanged } from '../store/meta.ts'
import { stoppable } from '../store/stoppable.ts'
import { holdCoverage, holdIndex, holdNoIndex } from './order.ts'

export interface Task extends SpineFiling {
  dataset: string
  /** How often the filing was read before. */
  attempts: number
}

/** Selects the tasks of a run. */
export interface Selection {
  /** Dataset slugs, and `header`. */
  datasets: readonly string[]
  /** Only filings that were filed on or after `from` and on or before `to`; `YYYY-MM-DD`. */
  from?: string | undefined
  to?: string | undefined
  /** Only filings of these filers, ten digits each. */
  ciks?: readonly string[] | undefined
  /**
   * Whether the run also reads filings that have their rows from quarterly sets. `takeUpSets` puts these filings into
   * the queue.
   */
  ofSets?: boolean | undefined
}

/**
 * The condition that the next run takes a task `t`: the task waits, or failed for a temporary reason, or, with
 * `ofSets`, is in the state `set`.
 */
export const isTakenUp = (sql: Sql | Transaction, { ofSets = false }: Pick<Selection, 'ofSets'>) =>
  sql`(t.state = 'pending' or t.state = 'failed' and t.passing ${ofSets ? sql`or t.state = 'set'` : sql``})`

/** The condition that a task `t` belongs to the selection. */
export const isSelected = (sql: Sql | Transaction, { datasets, from, to, ciks }: Selection) => sql`
  t.dataset = any(${datasets as string[]})
  ${from ? sql`and t.filed_date >= ${from}` : sql``} ${to ? sql`and t.filed_date <= ${to}` : sql``}
  ${ciks ? sql`and t.accession in (select accession from edgar.filer where cik = any(${ciks as string[]}))` : sql``}`

/** Number of filings of chosen filers that are listed at a time and then claimed. */
const PAGE = 2_000

/**
 * Waiting filings of chosen filers, newest first, page by page. The queue may have millions of other tasks, so the
 * filings are looked up once for many claims.
 */
export async function* waitingOf(
  sql: Sql,
  selection: Selection,
  { page = PAGE }: { page?: number } = {},
): AsyncGenerator<string[]> {
  let last: { filed_date: string; accession: string } | undefined
  do {
    const rows: { filed_date: string; accession: string }[] = await sql`
      select distinct t.filed_date, t.accession from edgar.task t
      where t.state = 'pending' and ${isSelected(sql, selection)}
        ${last ? sql`and (t.filed_date, t.accession) < (${last.filed_date}, ${last.accession})` : sql``}
      order by t.filed_date desc, t.accession desc limit ${page}`
    if (rows.length > 0) yield rows.map(({ accession }) => accession)
    last = rows.length < page ? undefined : rows.at(-1)
  } while (last)
}

/** The result of a task. */
export interface Outcome {
  task: Task
  /** If the task failed, one line that states document, element and reason; else null. */
  error: string | null
  /** True if the task failed for a temporary reason; the next run then tries it again. */
  passing: boolean
  unreadPaths: readonly string[]
  problems: readonly { path: string; value: string; reason: string }[]
}

/** Maximum number of paths that are kept for each task; the count of paths is always complete. */
const UNREAD_PATHS_MAX = 50

/**
 * Claims the newest pending tasks until the transaction ends. Other workers skip these tasks.
 *
 * @param max number of tasks; the claim may have more, because it has all tasks of its last filing that are free
 * @param accessions limits the claim to tasks of these filings, in place of the filings of `ciks`
 */
export async function claim(
  tx: Transaction,
  { ciks: _, ...selection }: Selection,
  max: number,
  accessions?: readonly string[],
): Promise<Task[]> {
  const claimed = (of: readonly string[] | undefined, limit: ReturnType<Sql>) => tx<Task[]>`
    select t.accession, t.dataset, t.attempts, f.form_type, t.filed_date, f.path
    from edgar.task t join edgar.filing f using (accession)
    where t.state = 'pending' and ${isSelected(tx, selection)}
      ${of ? tx`and t.accession = any(${of as string[]})` : tx``}
    order by t.filed_date desc, t.accession desc
    ${limit}
    for update of t skip locked`
  const tasks = await claimed(accessions, tx`limit ${max}`)
  if (tasks.length < max) return tasks
  // A filing that two batches read is fetched twice. PostgreSQL has no `with ties` for rows that are skipped.
  const last = tasks.at(-1)!.accession
  return [...tasks.filter(({ accession }) => accession !== last), ...(await claimed([last], tx``))]
}

/** Records the results of claimed tasks, and counts the filings that were read. */
export async function settle(tx: Transaction, outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map(({ task, error, passing, unreadPaths, problems }) => ({
    accession: task.accession,
    dataset: task.dataset,
    state: error === null ? 'done' : 'failed',
    error: error === null ? null : storable(error),
    passing,
    unread: unreadPaths.length,
    unread_paths: unreadPaths.slice(0, UNREAD_PATHS_MAX),
    problems,
  }))
  await tx`
    update edgar.task t set state = o.state, attempts = attempts + 1, error = o.error, passing = o.passing,
      unread = o.unread, unread_paths = o.unread_paths, problems = o.problems, finished_at = now()
    from jsonb_to_recordset(${tx.json(rows as never)}) o (
      accession text, dataset text, state text, error text, passing boolean, unread int, unread_paths text[], problems jsonb)
    where t.accession = o.accession and t.dataset = o.dataset`
  const extracted = outcomes.filter(({ error, task }) => error === null && task.dataset !== 'header')
  const forms = extracted.map(({ task }) => task.form_type)
  await holdCoverage(tx, forms)
  await tx`
    update edgar.coverage v set extracted = v.extracted + d.n
    from (
      select form_type, dataset, count(*) as n
      from unnest(${forms}::text[], ${extracted.map(({ task }) => task.dataset)}::text[]) t (form_type, dataset)
      group by form_type, dataset
    ) d
    -- A dataset without a family reads forms of others, and is not counted.
    where v.form_type = d.form_type and v.task = d.dataset`
}

/**
 * Makes the tasks of a dataset that claims no family. Each listed filing of the dataset's forms gets a task, unless the
 * filing already has one for this dataset.
 *
 * @param options `families`: only filings of these families
 * @returns how many more filings wait now
 * @throws the signal's reason
 */
export async function request(
  sql: Sql,
  { slug, source }: Pick<FilingsDataset, 'slug' | 'source'>,
  { from, to, ciks, families }: Pick<Selection, 'from' | 'to' | 'ciks'> & { families?: readonly string[] | undefined },
  signal?: AbortSignal,
): Promise<number> {
  return stoppable(sql, signal, async (tx) => {
    // An index that removes one of the filings is loaded before or after this statement: a task cannot refer to a
    // filing that was removed meanwhile.
    await holdNoIndex(tx)
    const { count } = await tx`
      insert into edgar.task (accession, dataset, filed_date)
      select accession, ${slug}, filed_date from edgar.filing
      where form_type = any(${source.forms as string[]}) ${families ? tx`and family = any(${families as string[]})` : tx``}
        ${from ? tx`and filed_date >= ${from}` : tx``} ${to ? tx`and filed_date <= ${to}` : tx``}
        ${ciks ? tx`and accession in (select accession from edgar.filer where cik = any(${ciks as string[]}))` : tx``}
      order by accession
      on conflict (accession, dataset) do nothing`
    return count
  })
}

/**
 * Returns the default first day for a dataset that claims no family: the day of the newest filing that it has read.
 * Null before its first filing.
 */
export async function requestedThrough(sql: Sql, dataset: FilingsDataset): Promise<string | null> {
  const [row] = await sql<{ day: string | null }[]>`
    select max(filed_date) as day from ${sql(filingTable(dataset).id)}`
  return row!.day
}

/**
 * Returns the default first day for chosen filers: the day of the earliest filing of any of them that was requested for
 * the dataset. It is the earliest day of all filers, since some filers may have been chosen later, or their profiles
 * may have failed. If no filing was requested, returns the earliest first day of the chosen filers; null if none of
 * them has a first day.
 */
export async function requestedFrom(
  sql: Sql,
  { slug }: Pick<FilingsDataset, 'slug'>,
  ciks: readonly string[],
): Promise<string | null> {
  const [row] = await sql<{ day: string | null }[]>`
    select coalesce(
      (
        select min(t.filed_date) from edgar.filer r join edgar.task t using (accession)
        where r.cik = any(${ciks as string[]}) and t.dataset = ${slug}
      ),
      (select min(from_day) from edgar.chosen where cik = any(${ciks as string[]}))
    ) as day`
  return row!.day
}

/** Whether any task waits. */
export async function hasPending(sql: Sql, { datasets, from, ciks }: Selection): Promise<boolean> {
  const rows = await sql`
    select from edgar.task t where t.state = 'pending' and ${isSelected(sql, { datasets, from, ciks })} limit 1`
  return rows.length > 0
}

/** Puts every failed task back into the queue; returns their number. @throws the signal's reason */
export const retryFailed = (sql: Sql, selection: Selection, signal?: AbortSignal) =>
  putBack(sql, selection, sql``, signal)

/**
 * Puts the tasks that failed for a temporary reason back into the queue; returns their number.
 *
 * @throws the signal's reason
 */
export const retryPassing = (sql: Sql, selection: Selection, signal?: AbortSignal) =>
  putBack(sql, selection, sql`and passing`, signal)

/**
 * Puts tasks that failed for a temporary reason back into the queue, each after a wait since its last attempt. The wait
 * doubles with every attempt, up to an hour, so that a long-running command does not repeat the request at every turn.
 *
 * @throws the signal's reason
 */
export const retryDue = (sql: Sql, selection: Selection, afterMs: number, signal?: AbortSignal) =>
  putBack(
    sql,
    selection,
    // If the time of a failure is in the future, the clock was set back since then, and the task is tried again at
    // once.
    sql`and passing and (finished_at > now() or finished_at < now()
      - least(${afterMs}::float8 * power(2, least(attempts, 20) - 1), 3600000) * interval '1 millisecond')`,
    signal,
  )

/** Number of filings of the selection that have their rows from quarterly sets and are not fetched. */
export async function countOfSets(sql: Sql, selection: Selection): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::float8 as n from edgar.task t where t.state = 'set' and ${isSelected(sql, selection)}`
  return row!.n
}

/**
 * Puts into the queue those filings of the selection that have their rows from quarterly sets, so that their
 * submissions are read.
 *
 * @throws the signal's reason
 */
export async function takeUpSets(sql: Sql, selection: Selection, signal?: AbortSignal): Promise<void> {
  await stoppable(sql, signal, async (tx) => {
    // Loads of indexes and of sets lock tasks in several steps, so no order of these tasks would prevent a deadlock.
    await holdIndex(tx)
    const { count } = await tx`
      update edgar.task t set state = 'pending' where t.state = 'set' and ${isSelected(tx, selection)}`
    // Cached answers count the filings of sets, so they must be made again.
    if (count > 0) await dataChanged(tx, selection.datasets)
  })
}

async function putBack(
  sql: Sql,
  selection: Selection,
  those: ReturnType<Sql>,
  signal: AbortSignal | undefined,
): Promise<number> {
  const isTaken = (tx: Sql | Transaction) => tx`t.state = 'failed' ${those} and ${isSelected(tx, selection)}`
  // A long-running command calls this at every turn, and should wait for the lock only if there is something to do.
  const [found] = await sql`select from edgar.task t where ${isTaken(sql)} limit 1`
  if (!found) return 0
  return stoppable(sql, signal, async (tx) => {
    // The lock is taken for the reason in `takeUpSets`.
    await holdIndex(tx)
    const { count } = await tx`update edgar.task t set state = 'pending' where ${isTaken(tx)}`
    return count
  })
}
