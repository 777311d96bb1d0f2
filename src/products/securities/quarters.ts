/**
 * Finds the quarters whose rows are computed next. Each quarter has a separate statement that names the quarter. So a
 * sort covers at most one quarter, and even a bad plan reads no other partition.
 */
import { NO_QUARTER } from '../../declare/quarter.ts'
import type { Fragment, Transaction } from '../../store/db.ts'
import type { Source } from './sources.ts'

/** Published tables that list the quarters with reports. */
const REPORTS: Record<Source, string> = {
  f13: 'pub.thirteenf_counted',
  nport: 'pub.nport_standing',
  nmfp: 'pub.nmfp_standing',
}

/** Returns the quarters for which a source has reports that are used. Reads one entry of an index for each quarter. */
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

/** Returns the quarters of the source in `touched_security`, or all quarters with reports. */
export async function quartersToMake(tx: Transaction, source: Source, of: 'touched' | null): Promise<string[]> {
  if (of === null) return quartersOf(tx, source)
  const rows = await tx<{ quarter: string }[]>`
    select distinct quarter from touched_security where source = ${source} and quarter is not null order by quarter`
  return rows.map(({ quarter }) => quarter)
}

/**
 * Fills the temporary table `asked` with the ids of a statement. Lines are joined with this table, which has a key and
 * is analyzed. With a subquery instead, the planner would have no statistics on a new quarter's lines, and would go
 * through all 12,000 ids for each line.
 */
export async function requestIds(tx: Transaction, ids: Fragment): Promise<void> {
  await tx`create temporary table if not exists asked (sec_id text collate "C" primary key) on commit drop`
  await tx`truncate asked`
  await tx`insert into asked select distinct sec_id from (${ids}) i`
  await tx`analyze asked`
}

/** Fills `asked` with the securities of a source that are touched in a quarter. */
export const requestTouched = (tx: Transaction, source: Source, quarter: string): Promise<void> =>
  requestIds(tx, tx`select sec_id from touched_security where source = ${source} and quarter = ${quarter}`)
