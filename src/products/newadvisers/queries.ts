import { wordsFilter } from '../../names.ts'
import { containing, fold } from '../../read/fold.ts'
import { countOf } from '../../serve/count.ts'
import { filedAs } from '../../serve/filed.ts'
import { cut, type Key, merged, orderBy, type Paged, startOf } from '../../serve/keyset.ts'
import { unnamed } from '../../serve/page.ts'
import { assertStates } from '../../serve/states.ts'
import type { Sql } from '../../store/db.ts'
import type { Page } from './answers.ts'

export const FEEDS = ['IA_FIRM_SEC', 'IA_FIRM_STATE'] as const
export const TYPES = ['IA', 'ERA'] as const

/** Fields by which advisers are counted. */
export const COUNTS = ['state', 'feed', 'type', 'month'] as const

interface Search extends Paged {
  /** A name of the adviser, or a part of the name that the row shows. */
  q?: string | undefined
  /** Upper-case codes. */
  state?: readonly string[] | undefined
  city?: string | undefined
  feed?: (typeof FEEDS)[number] | undefined
  type?: (typeof TYPES)[number] | undefined
  /** Minimum regulatory assets, US dollars. */
  min_raum?: number | undefined
  /** Bounds of the day of an adviser's first filing. */
  from?: string | undefined
  to?: string | undefined
}

const KEYS: readonly Key[] = [
  { column: 'first_filing_date', dir: 'desc', type: 'date', nullable: true },
  { column: 'crd', dir: 'desc', type: 'text' },
]

/**
 * Returns a page of advisers, newest first, then those without a known first filing. The order comes from an index, so
 * the first page costs the same for any number of advisers. For a rare name or city, the query reads all advisers.
 *
 * @throws HttpError 400 if a cursor is not from this list, or is used with an offset
 */
export async function search(
  sql: Sql,
  { limit, offset, cursor, count, paginate: _, ...wanted }: Search,
): Promise<Page> {
  await assertStates(sql, wanted.state, ['pub.adv_adviser'])
  const walk = { list: 'new_advisers', sort: 'first_filing_date', dir: 'desc', keys: KEYS, filters: wanted } as const
  const start = startOf(walk, { limit, offset, cursor, count })
  const select = sql`
    select crd, firm_name, nullif(concat_ws(', ', city, coalesce(state, country)), '') as location,
      first_filing_date, adviser_type, latest_raum, has_disciplinary, primary_website
    from pub.adv_adviser where true ${filters(sql, wanted)}`
  const found = await unnamed(sql<Page['rows']>`
    select * from ${merged(sql, start, select)} merged
    order by ${sql.unsafe(orderBy(KEYS))} limit ${start.rowsMax} offset ${offset}`)
  const counted = await countOf(sql, start, sql`from pub.adv_adviser where true ${filters(sql, wanted)}`, {
    state: { value: sql`state` },
    feed: { value: sql`feed` },
    type: { value: sql`adviser_type` },
    month: { value: sql`first_filing_date`, kind: 'day' },
  })
  return cut(start, found, counted)
}

function filters(sql: Sql, { q, state, city, feed, type, min_raum, ...days }: Omit<Search, keyof Paged>) {
  const words = q && wordsFilter(q)
  // For a single state, an index has the rows in the order of the list.
  const [only, ...more] = state ?? []
  return sql`
    ${
      q
        ? sql`and crd in (
      select crd from pub.adv_adviser where name_key like ${containing(q)}
      ${words ? sql`union select crd from pub.adv_name where name_words @@ ${words}::tsquery` : sql``})`
        : sql``
    }
    ${only === undefined ? sql`` : more.length > 0 ? sql`and state = any(${state as string[]})` : sql`and state = ${only}`}
    ${city ? sql`and city_key = ${fold(city)}` : sql``}
    ${feed ? sql`and feed = ${feed}` : sql``}
    ${type ? sql`and adviser_type = ${type}` : sql``}
    ${min_raum === undefined ? sql`` : sql`and latest_raum >= ${min_raum}`}
    ${filedAs(sql, days, '', 'first_filing_date')}`
}
