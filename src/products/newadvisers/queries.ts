import { badRequest } from '../../declare/errors.ts'
import { wordsFilter } from '../../names.ts'
import { containing, fold } from '../../read/fold.ts'
import { decodeCursor, encodeCursor, isDay, unnamed } from '../../serve/page.ts'
import type { Sql } from '../../store/db.ts'
import type { Page } from './answers.ts'

export const FEEDS = ['IA_FIRM_SEC', 'IA_FIRM_STATE'] as const
export const TYPES = ['IA', 'ERA'] as const

interface Search {
  /** A name of the adviser, or part of the one shown. */
  q?: string | undefined
  /** Upper-case codes. */
  state?: readonly string[] | undefined
  city?: string | undefined
  feed?: (typeof FEEDS)[number] | undefined
  type?: (typeof TYPES)[number] | undefined
  limit: number
  offset: number
  cursor?: string | undefined
}

/**
 * A page of advisers, the newest first, then those of whom no first filing is known. The order is read from an index, so
 * the first page costs the same at any number of advisers; a rare name or city is looked for among all of them.
 *
 * @throws HttpError 400 for a cursor that is none of ours, or comes with an offset
 */
export async function search(sql: Sql, { limit, offset, cursor, ...wanted }: Search): Promise<Page> {
  if (cursor !== undefined && offset > 0) throw badRequest('cursor: not together with offset')
  const order = sql`order by first_filing_date desc nulls last, crd desc`
  // Each range is one of an index, in its order: a condition with `or` would be read from the start.
  const ranges = cursor === undefined ? [sql`true`] : followers(sql, cursor)
  const parts = ranges.map(
    (range) => sql`(
      select crd, firm_name, nullif(concat_ws(', ', city, coalesce(state, country)), '') as location,
        first_filing_date, adviser_type, latest_raum, has_disciplinary, primary_website
      from pub.adv_adviser where ${range} ${filters(sql, wanted)} ${order} limit ${offset + limit + 1})`,
  )
  const rows = await unnamed(sql<Page['rows']>`
    select * from (${parts.reduce((all, part) => sql`${all} union all ${part}`)}) merged
    ${order} limit ${limit + 1} offset ${offset}`)
  const last = rows.length > limit ? rows[limit - 1]! : null
  return {
    rows: rows.slice(0, limit),
    next_cursor: last && encodeCursor([last.first_filing_date, last.crd]),
  }
}

/** What comes after the last adviser of a page: later of the dated, then those without a date. */
function followers(sql: Sql, cursor: string) {
  const [day, crd] = decodeCursor(cursor, 2)
  if ((day !== null && !isDay(day)) || !crd) throw badRequest('cursor: not a next_cursor of this list')
  if (day === null) return [sql`first_filing_date is null and crd < ${crd}`]
  return [sql`(first_filing_date, crd) < (${day!}, ${crd})`, sql`first_filing_date is null`]
}

function filters(sql: Sql, { q, state, city, feed, type }: Omit<Search, 'limit' | 'offset' | 'cursor'>) {
  const words = q && wordsFilter(q)
  // A single state has an index in the order of the list.
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
    ${type ? sql`and adviser_type = ${type}` : sql``}`
}
