/** Counts how many rows of a list match. */
import type { Fragment, Sql } from '../store/db.ts'
import { type Counted, type Paged, type Start, totalOf, type ValueCount } from './keyset.ts'
import { unnamed } from './page.ts'

/** A field by which rows are counted, as SQL over the rows. */
export interface CountField {
  value: Fragment
  /**
   * `list`: a row counts under each of its values, or under null if it has no value. `day`: rows are counted by month.
   */
  kind?: 'list' | 'day'
}

/**
 * Counts the rows of a list in the way that the request selects: not at all, exactly, by a field, or as an estimate of
 * the planner. An exact count has the time limit of the class `heavy` (http/costs.ts). The error after that time
 * suggests another request.
 *
 * @param matching SQL from `from` on, without the range of the page
 * @param fields the fields by which rows can be counted; the parameter `count` takes the keys of this object
 */
export async function countOf(
  sql: Sql,
  start: Pick<Start, 'count' | 'total'> & Partial<Pick<Start, 'after'>>,
  matching: Fragment,
  fields: Readonly<Record<string, CountField>> = {},
): Promise<Counted> {
  if (start.count === undefined) return {}
  if (start.count === 'estimate') return { total: await estimateOf(sql, matching), total_is: 'estimate' }
  const field = start.after ? undefined : fields[start.count]
  if (!field || field.kind === 'list') {
    const total = await totalOf(sql, start, matching)
    return { total, total_is: 'exact', ...(field && { value_counts: await countsBy(sql, matching, field) }) }
  }
  const counts = await countsBy(sql, matching, field)
  return { total: sumOf(counts), total_is: 'exact', value_counts: counts }
}

export const sumOf = (counts: readonly ValueCount[]): number => counts.reduce((sum, { count }) => sum + count, 0)

/**
 * Counts the rows by a field. A field of kind `day` is grouped by day first and then by month. A field of kind `list`
 * is grouped by whole list first and then by single value. Rows share few distinct days and lists, so grouping them
 * first leaves few values to convert. Converting the day of each row would take longer than reading the row.
 */
export async function countsBy(sql: Sql, matching: Fragment, { value, kind }: CountField): Promise<ValueCount[]> {
  const stored = sql`
    select value, count(*)::int as rows from (select ${value} as value ${matching}) m group by value`
  const found = await unnamed(
    kind === 'day'
      ? sql<ValueCount[]>`
        select to_char(value, 'YYYY-MM') as value, sum(rows)::int as count
        from (${stored}) d group by 1 order by 1 desc nulls last`
      : kind === 'list'
        ? sql<ValueCount[]>`
        select one.value, sum(l.rows)::int as count
        from (${stored}) l
        left join lateral (select distinct v.value from unnest(l.value) v (value) where v.value is not null) one on true
        group by 1 order by 2 desc, 1`
        : sql<ValueCount[]>`select value, rows as count from (${stored}) v order by 2 desc, 1`,
  )
  return [...found]
}

/**
 * The count of a list whose number of rows is already known. The count is always exact, since an estimate would not be
 * cheaper.
 */
export const knownCount = ({ count }: Pick<Paged, 'count'>, total: number): Counted =>
  count === undefined ? {} : { total, total_is: 'exact' }

/** The count of a list whose answers always state the number of rows. */
export const alwaysCounted = (start: Pick<Paged, 'count'>, total: number): Counted & { total: number } => ({
  total,
  ...knownCount(start, total),
})

/** The number of rows that the planner expects from its statistics; no row is read. */
async function estimateOf(sql: Sql, matching: Fragment): Promise<number> {
  const [row] = await unnamed(sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }[]>`
    explain (format json) select ${matching}`)
  return row!['QUERY PLAN'][0].Plan['Plan Rows']
}
