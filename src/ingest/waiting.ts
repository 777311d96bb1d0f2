/** Counts the tasks of a selection that the next run takes up, and estimates their size. */
import type { Sql } from '../store/db.ts'
import type { Selection } from './queue.ts'

/** How many tasks of a selection the next run takes up: waiting tasks, and tasks that failed for a temporary reason. */
export async function pendingOf(sql: Sql, { datasets, from, to }: Selection): Promise<number> {
  const [row] = await sql<{ pending: number }[]>`
    select count(*)::float8 as pending from edgar.task
    where (state = 'pending' or state = 'failed' and passing) and dataset = any(${datasets as string[]})
      ${from ? sql`and filed_date >= ${from}` : sql``} ${to ? sql`and filed_date <= ${to}` : sql``}`
  return row!.pending
}

/**
 * Tasks that the next run takes up, by dataset and form, and how many of their filings must be fetched: by one request each
 * or, for some days, from an archive.
 */
export async function pendingForms(
  sql: Sql,
  { datasets, from, to }: Selection,
  days: readonly string[] = [],
): Promise<{ dataset: string; form_type: string; filings: number; requests: number; archived: number }[]> {
  const archived = sql`t.filed_date = any(${days as string[]}::date[])`
  return sql`
    select t.dataset, f.form_type, count(*)::float8 as filings,
      count(*) filter (where s.accession is null and not ${archived})::float8 as requests,
      count(*) filter (where s.accession is null and ${archived})::float8 as archived
    from edgar.task t join edgar.filing f using (accession) left join edgar.submission s using (accession)
    where (t.state = 'pending' or t.state = 'failed' and t.passing) and t.dataset = any(${datasets as string[]})
      ${from ? sql`and t.filed_date >= ${from}` : sql``} ${to ? sql`and t.filed_date <= ${to}` : sql``}
    group by t.dataset, f.form_type order by t.dataset, f.form_type`
}

/**
 * The mean size of submissions by form. It is taken from the archived ones among the newest 500 filings of each form.
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
