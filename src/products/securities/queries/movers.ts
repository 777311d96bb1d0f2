/** Lists the securities that managers bought and sold most in a quarter. */
import { isQuarterEnd } from '../../../declare/quarter.ts'
import { countOf, knownCount } from '../../../serve/count.ts'
import { chosenIn, cut, type Key, orderBy, type Paged, rangesOf, startOf } from '../../../serve/keyset.ts'
import { unnamed } from '../../../serve/page.ts'
import type { Sql } from '../../../store/db.ts'
import type { MoverPage } from '../answers.ts'

export const SORTS = ['bought', 'sold', 'net_bought', 'net_sold'] as const

interface MoversParams extends Paged {
  /** Last day of a quarter; undefined selects the newest reported quarter. */
  period?: string | undefined
  sort: (typeof SORTS)[number]
}

const COLUMNS = {
  bought: ['bought_value', 'desc'],
  sold: ['sold_value', 'desc'],
  net_bought: ['net_value', 'desc'],
  net_sold: ['net_value', 'asc'],
} as const

/** Returns a page of the securities that managers bought or sold most, from an index of the quarter. */
export async function movers(sql: Sql, { period, sort, ...paged }: MoversParams): Promise<MoverPage> {
  const [column, dir] = COLUMNS[sort]
  const keys: Key[] = [
    { column, dir, type: 'amount' },
    { column: 'sec_id', dir, type: 'text' },
  ]
  const [span] = await sql<{ newest: string }[]>`select newest from securities.span where source = 'f13'`
  const newest = chosenIn(paged.cursor, isQuarterEnd) ?? span?.newest ?? null
  const quarter = period ?? newest
  const chosen = period === undefined ? newest : null
  const start = startOf({ list: 'thirteenf_movers', sort, dir, keys, filters: { quarter }, chosen }, paged)
  if (quarter === null) {
    return { period: null, managers_compared: 0, rows: [], ...knownCount(start, 0), next_cursor: null }
  }
  const order = sql.unsafe(orderBy(keys, 'f.'))
  const [range] = rangesOf(sql, start, 'f.')
  const ofQuarter = sql`from securities.flow f where f.quarter = ${quarter}`
  const [[compared], counted, found] = await Promise.all([
    sql<{ managers: number }[]>`
      select count(*)::int as managers from (
        select cik from pub.thirteenf_counted where quarter = ${quarter} and part = 'whole'
        intersect
        select cik from pub.thirteenf_counted
        where quarter = (date_trunc('quarter', ${quarter}::date) - interval '1 day')::date and part = 'whole'
      ) managers`,
    countOf(sql, start, ofQuarter),
    unnamed(sql<MoverPage['rows']>`
      select f.sec_id, s.cusip, s.issuer_name, s.title_of_class, s.ticker, f.buyer_count, f.seller_count, f.opened_count, f.closed_count,
        f.bought::text as bought, f.sold::text as sold, f.bought_value::text as bought_value,
        f.sold_value::text as sold_value, f.net_value::text as net_value
      from (
        select * ${ofQuarter} and ${range!}
        order by ${order} limit ${start.rowsMax} offset ${start.offset}
      ) f
      join securities.security s using (sec_id)
      order by ${order}`),
  ])
  return { period: quarter, managers_compared: compared!.managers, ...cut(start, found, counted) }
}
