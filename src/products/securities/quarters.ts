/**
 * Quarters whose rows are made. Each is made by a statement of its own, which names it: so what is sorted is one quarter at
 * most, and no plan, however bad, reads the partition of another one.
 */
import { NO_QUARTER } from '../../declare/quarter.ts'
import type { Transaction } from '../../store/db.ts'
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
