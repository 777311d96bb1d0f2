/** How many rows of a list match. */
import type { Fragment, Sql } from '../store/db.ts'
import { type Counted, type Paged, type Start, totalOf } from './keyset.ts'
import { unnamed } from './page.ts'

/**
 * Counts the rows of a list as the request wants: not at all, each of them, or as the planner estimates. An exact count
 * has the time of the class `heavy` (http/costs.ts); the error after it says what to ask for instead.
 *
 * @param matching SQL from `from` on, without the range of the page
 */
export async function countOf(sql: Sql, start: Pick<Start, 'count' | 'total'>, matching: Fragment): Promise<Counted> {
  if (start.count === undefined) return {}
  if (start.count === 'exact') return { total: await totalOf(sql, start, matching), total_is: 'exact' }
  return { total: await estimateOf(sql, matching), total_is: 'estimate' }
}

/** Says how many rows a list has that knows it anyway. An estimate would not be cheaper. */
export const knownCount = ({ count }: Pick<Paged, 'count'>, total: number): Counted =>
  count === undefined ? {} : { total, total_is: 'exact' }

/** Says how many rows a list has that always says it. */
export const alwaysCounted = (start: Pick<Paged, 'count'>, total: number): Counted & { total: number } => ({
  total,
  ...knownCount(start, total),
})

/** The rows that the planner expects, from its statistics: nothing is read. */
async function estimateOf(sql: Sql, matching: Fragment): Promise<number> {
  const [row] = await unnamed(sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }[]>`
    explain (format json) select ${matching}`)
  return row!['QUERY PLAN'][0].Plan['Plan Rows']
}
