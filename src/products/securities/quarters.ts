/**
 * Quarters whose rows are made. Each is made by a statement of its own, which names it: so what is sorted is one quarter at
 * most, and no plan, however bad, reads the partition of another one.
 */
import { NO_QUARTER } from '../../declare/quarter.ts'
import type { Fragment, Transaction } from '../../store/db.ts'
import type { Source } from './sources.ts'

/** Published tables that say of which quarters there are reports. */
const REPORTS: Record<Source, string> = {
  f13: 'pub.thirteenf_counted',
  nport: 'pub.nport_standing',
  nmfp: 'pub.nmfp_standing',
}

/** Those of which a source has reports that count; each takes one step through an index. */
export async function quartersOf(tx: Transaction, source: Source): Promise<string[]> {
  const reports = tx.unsafe(REPORTS[source])
  const rows = await tx<{ quarter: string }[]>`
    with recursive q as (
      select min(quarter) as quarter from ${reports} where quarter > ${NO_QUARTER}
      union all
      select (select min(quarter) from ${reports} r where r.quarter > q.quarter) from q where q.quarter is not null
    )
    select quarter from q where quarter is not null`
  return rows.map(({ quarter }) => quarter)
}

/** Those in `touched_security`, or all. */
export async function quartersToMake(tx: Transaction, source: Source, of: 'touched' | null): Promise<string[]> {
  if (of === null) return quartersOf(tx, source)
  const rows = await tx<{ quarter: string }[]>`
    select distinct quarter from touched_security where source = ${source} and quarter is not null order by quarter`
  return rows.map(({ quarter }) => quarter)
}

/**
 * Fills the temporary table `asked` with the ids of a statement. Lines are joined with a table that has a key and is counted: with
 * a subquery in its place the planner, where it knew nothing yet of a quarter's lines, went through all 12,000 ids for each.
 */
export async function ask(tx: Transaction, ids: Fragment): Promise<void> {
  await tx`create temporary table if not exists asked (sec_id text collate "C" primary key) on commit drop`
  await tx`truncate asked`
  await tx`insert into asked ${ids} on conflict do nothing`
  await tx`analyze asked`
}

/** The same with those of a source that are touched in a quarter. */
export const askTouched = (tx: Transaction, source: Source, quarter: string): Promise<void> =>
  ask(tx, tx`select sec_id from touched_security where source = ${source} and quarter = ${quarter}`)
