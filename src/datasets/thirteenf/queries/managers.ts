/** Lists managers that report holdings, by name, newest quarter and its value. */

import { meets } from '../../../names.ts'
import { alwaysCounted } from '../../../serve/count.ts'
import { type Filed, filedAs } from '../../../serve/filed.ts'
import { cut, type Key, orderBy, type Paged, rangesOf, startOf, totalOf } from '../../../serve/keyset.ts'
import { unnamed } from '../../../serve/page.ts'
import type { Sql } from '../../../store/db.ts'
import type { ManagerPage } from '../answers.ts'

export const SORTS = ['value', 'period', 'name'] as const

interface Search extends Paged, Filed {
  /** Name of the manager. */
  q?: string | undefined
  sort: (typeof SORTS)[number]
  dir: 'asc' | 'desc'
}

/**
 * The CIK makes every order total: pages neither repeat nor miss a manager. An index serves each order in both
 * directions.
 */
const COLUMNS = {
  value: { column: 'value', type: 'amount' },
  period: { column: 'period', type: 'date' },
  name: { column: 'name_key', type: 'text' },
} as const

const keysOf = ({ sort, dir }: Pick<Search, 'sort' | 'dir'>): Key[] => [
  { ...COLUMNS[sort], dir },
  { column: 'cik', dir, type: 'text' },
]

/**
 * Returns a page of managers and the number of matches from the rollup, so that the cost does not grow with the
 * reports. For 8,000 managers: 1.3 ms, 4 ms with a name, 2 ms at offset 7,900.
 */
export async function managers(sql: Sql, { q, from, to, cik, sort, dir, ...paged }: Search): Promise<ManagerPage> {
  const keys = keysOf({ sort, dir })
  const start = startOf({ list: 'thirteenf_managers', sort, dir, keys, filters: { q, from, to, cik } }, paged)
  const order = sql.unsafe(orderBy(keys, 'f.'))
  const [range] = rangesOf(sql, start, 'f.')
  const matching = () => sql`
    from thirteenf.filer f
    where ${q ? meets(sql, q, { words: sql`f.name_words`, folded: sql`f.name_key` }) : sql`true`}
      ${filedAs(sql, { from, to, cik }, 'f.')}`
  const [total, found] = await Promise.all([
    totalOf(sql, start, matching()),
    unnamed(sql<(ManagerPage['managers'][number] & { name_key: string })[]>`
      select f.cik, r.manager_name as name, r.city, r.state, r.crd, r.sec_file_number, f.period, f.value::text as value,
        f.positions, f.accession, f.filed_date, f.name_key
      from (select f.* ${matching()} and ${range!} order by ${order} limit ${start.rowsMax} offset ${start.offset}) f
      join thirteenf.report r using (accession)
      order by ${order}`),
  ])
  const { rows, next_cursor, ...totals } = cut(start, found, alwaysCounted(start, total))
  return { ...totals, managers: rows.map(({ name_key: _, ...row }) => row), next_cursor }
}
