/** Counts the tasks of a selection that the next run takes, and estimates their size. */
import type { Sql } from '../store/db.ts'
import { isSelected, isTakenUp, type Selection } from './queue.ts'

/**
 * Returns the number of tasks of a selection that the next run takes: waiting tasks, tasks that failed for a temporary
 * reason and, with `ofSets`, tasks in the state `set`.
 */
export async function pendingOf(sql: Sql, selection: Selection): Promise<number> {
  const [row] = await sql<{ pending: number }[]>`
    select count(*)::float8 as pending from edgar.task t
    where ${isTakenUp(sql, selection)} and ${isSelected(sql, selection)}`
  return row!.pending
}

/**
 * Tasks that the next run takes, by dataset and form. `requests`: how many of their filings must be fetched one by one,
 * with a request for each. `archived`: how many must be fetched and are in the archives of `days`. `in_sets`: how many
 * of the requests are for filings that already have rows from a quarterly set.
 */
export async function pendingForms(
  sql: Sql,
  selection: Selection,
  days: readonly string[] = [],
): Promise<
  { dataset: string; form_type: string; filings: number; requests: number; archived: number; in_sets: number }[]
> {
  const archived = sql`t.filed_date = any(${days as string[]}::date[])`
  return sql`
    select t.dataset, f.form_type, count(*)::float8 as filings,
      count(*) filter (where s.accession is null and not ${archived})::float8 as requests,
      count(*) filter (where s.accession is null and ${archived})::float8 as archived,
      count(b.accession) filter (where s.accession is null and not ${archived})::float8 as in_sets
    from edgar.task t join edgar.filing f using (accession) left join edgar.submission s using (accession)
      left join bulk.set_filing b on b.dataset = t.dataset and b.accession = t.accession
    where ${isTakenUp(sql, selection)} and ${isSelected(sql, selection)}
    group by t.dataset, f.form_type order by t.dataset, f.form_type`
}

/**
 * The mean size of submissions by form. The mean is taken over the archived submissions among the newest 500 filings of
 * each form.
 */
export async function ownSizes(
  sql: Sql,
  forms: readonly string[],
): Promise<{ form_type: string; filings: number; mean: number }[]> {
  return sql`
    select form_type, n.filings, n.mean
    from unnest(${forms as string[]}::text[]) form_type, lateral (
      select count(*)::int as filings, avg(s.bytes)::float8 as mean
      from (
        select f.accession from edgar.filing f where f.form_type = form_type.form_type
        order by f.filed_date desc, f.accession desc limit 500
      ) newest join edgar.submission s using (accession)
    ) n where n.filings > 0`
}
