/** Lists funds that report their holdings, by name and net assets. */

import { meets } from '../../../names.ts'
import { alwaysCounted } from '../../../serve/count.ts'
import { type Filed, filedAs } from '../../../serve/filed.ts'
import { fundCondition } from '../../../serve/funds.ts'
import { cut, type Key, orderBy, type Paged, rangesOf, startOf, totalOf } from '../../../serve/keyset.ts'
import { unnamed } from '../../../serve/page.ts'
import type { Fragment, Sql } from '../../../store/db.ts'
import type { FundPage } from '../answers.ts'

export const SORTS = ['net_assets', 'period', 'name'] as const

interface Search extends Paged, Filed {
  q?: string | undefined
  sort: (typeof SORTS)[number]
  dir: 'asc' | 'desc'
}

/** The key of the fund makes every order total. */
const COLUMNS = {
  net_assets: { column: 'net_assets', type: 'amount', nullable: true },
  period: { column: 'period', type: 'date' },
  name: { column: 'name_key', type: 'text' },
} as const

const keysOf = ({ sort, dir }: Pick<Search, 'sort' | 'dir'>): Key[] => [
  { ...COLUMNS[sort], dir },
  { column: 'fund', dir, type: 'text' },
]

/**
 * Returns a page of funds and the number of matches from the rollup, so that the cost does not grow with the reports.
 */
export async function funds(sql: Sql, { q, from, to, cik, sort, dir, ...paged }: Search): Promise<FundPage> {
  const keys = keysOf({ sort, dir })
  const start = startOf({ list: 'funds', sort, dir, keys, filters: { q, from, to, cik } }, paged)
  const order = sql.unsafe(orderBy(keys, 'f.'))
  const named = (typed: string) => meets(sql, typed, { words: sql`f.name_words`, folded: sql`f.name_key` })
  const anyNamed = (typed: string) => sql`from pub.nport_fund f where ${named(typed)}`
  const { wanted } = await fundCondition(sql, q, { named, anyNamed })
  // The index of reports by registrant has the keys of its funds.
  const matching = () => sql`
    from pub.nport_fund f
    where ${wanted}
      ${cik ? sql`and f.fund in (select r.fund from nport.report r where r.cik = ${cik})` : sql``}
      ${filedAs(sql, { from, to }, 'f.')}`
  const page = (range: Fragment) => sql`
    (select f.* ${matching()} and ${range} order by ${order} limit ${start.rowsMax + start.offset})`
  const pages = rangesOf(sql, start, 'f.').map((range, at) => (at > 0 ? sql` union all ${page(range)}` : page(range)))
  const [total, found] = await Promise.all([
    totalOf(sql, start, matching()),
    unnamed(sql<(FundPage['rows'][number] & { name_key: string })[]>`
      select f.fund, f.cik, f.series_id, f.fund_name, f.registrant_name, f.period, f.net_assets::text as net_assets,
        f.accession, f.filed_date, f.is_final, f.is_current, f.name_key
      from (${pages}) f
      order by ${order} limit ${start.rowsMax} offset ${start.offset}`),
  ])
  const { rows, next_cursor, ...totals } = cut(start, found, alwaysCounted(start, total))
  return { ...totals, rows: rows.map(({ name_key: _, ...row }) => row), next_cursor }
}
