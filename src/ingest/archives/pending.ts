/** Finds filings that wait in the queue and are not in our archive, by filing date. */
import type { SpineFiling } from '../../archive/submissions.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { isSelected, isTakenUp, type Selection } from '../queue.ts'

/**
 * An archive may have filings whose dates are up to this many days before its own day. EDGAR backdates some filings, by
 * a business day or two.
 */
const BACK_DAYS = 10

const waiting = (sql: Sql, selection: Selection) => sql`
  ${isTakenUp(sql, selection)} and ${isSelected(sql, selection)}
  and not exists (select from edgar.submission s where s.accession = t.accession)`

/**
 * Days with at least `least` filings that wait to be fetched, newest first. `forms`: the number of these filings by
 * form.
 */
export async function daysToFetch(
  sql: Sql,
  selection: Selection,
  least: number,
): Promise<{ day: string; filings: number; forms: Record<string, number> }[]> {
  return sql`
    select filed_date as day, sum(n)::int as filings, jsonb_object_agg(form_type, n) as forms
    from (
      select t.filed_date, f.form_type, count(distinct t.accession)::int as n
      from edgar.task t join edgar.filing f using (accession) where ${waiting(sql, selection)}
      group by t.filed_date, f.form_type
    ) forms
    group by filed_date having sum(n) >= ${least} order by filed_date desc`
}

/** Returns the number of listed filings of a day by form, including the forms that no dataset reads. */
export async function listedForms(sql: Sql, day: string): Promise<Record<string, number>> {
  const [row] = await sql<{ forms: Record<string, number> | null }[]>`
    select jsonb_object_agg(form_type, n) as forms
    from (select form_type, count(*)::int as n from edgar.filing where filed_date = ${day} group by form_type) f`
  return row?.forms ?? {}
}

export interface WantedFiling extends SpineFiling {
  /** The datasets that wait for the filing. */
  datasets: string[]
}

/** Filings that may be in the archive of a day. */
export async function wantedOn(sql: Sql, selection: Selection, day: string): Promise<Map<string, WantedFiling>> {
  const rows = await sql<WantedFiling[]>`
    select t.accession, f.form_type, t.filed_date, f.path, array_agg(t.dataset order by t.dataset) as datasets
    from edgar.task t join edgar.filing f using (accession)
    where ${waiting(sql, selection)} and t.filed_date between ${day}::date - ${BACK_DAYS}::int and ${day}
    group by t.accession, f.form_type, t.filed_date, f.path`
  return new Map(rows.map((row) => [row.accession, row]))
}

/**
 * Selects the filings that still wait and that no other process is reading or has archived. Locks the tasks of these
 * filings until the transaction ends.
 */
export async function hold(tx: Transaction, accessions: readonly string[]): Promise<Set<string>> {
  const rows = await tx<{ accession: string }[]>`
    select t.accession from edgar.task t
    where t.accession = any(${accessions as string[]}) and ${isTakenUp(tx, {})}
      and not exists (select from edgar.submission s where s.accession = t.accession)
    order by t.accession, t.dataset for update of t skip locked`
  return new Set(rows.map(({ accession }) => accession))
}

/**
 * Removes the submissions that an archive supplied for filings that still wait. Each of these filings is then fetched
 * separately.
 */
export async function takeBack(tx: Transaction, accessions: readonly string[]): Promise<void> {
  await tx`
    delete from edgar.submission s where s.accession = any(${accessions as string[]})
      and not exists (select from edgar.task t where t.accession = s.accession and t.state = 'done')`
}
