import type { Sql } from '../../core/db.ts'
import { badRequest } from '../../core/errors.ts'
import { fold } from '../../core/fold.ts'
import { decodeCursor, encodeCursor, unnamed } from '../../core/page.ts'
import type { Page } from './routes.ts'

export const SOURCES = ['formd', 'rega', 'crowdfunding'] as const
export type Source = (typeof SOURCES)[number]

/** The view of each source that is served; a source joins the feed by its line here. */
const VIEWS: Partial<Record<Source, string>> = {
  formd: 'pub.formd_feed',
  rega: 'pub.rega_feed',
}

export const SORTS = ['date', 'amount', 'name', 'state'] as const

export interface Search {
  sources: readonly Source[]
  /** Substring of the name. */
  q?: string | undefined
  /** Upper-case codes. */
  state?: readonly string[] | undefined
  industry?: readonly string[] | undefined
  sort: (typeof SORTS)[number]
  dir: 'asc' | 'desc'
  limit: number
  offset: number
  cursor?: string | undefined
}

/** Where a page ended: filing_date, source, accession of its last row. */
type Position = readonly [date: string, source: Source, accession: string]

/**
 * A page of the feed. Each source gives its own first rows from its own index, and these are merged: the cost does not
 * grow with the number of filings.
 *
 * @throws HttpError 400 for a cursor that is none of ours or comes with another order or an offset
 */
export async function search(sql: Sql, { sources, limit, offset, cursor, ...wanted }: Search): Promise<Page> {
  const byDate = wanted.sort === 'date' && wanted.dir === 'desc'
  if (cursor !== undefined && !byDate)
    throw badRequest('cursor: only with sort=date and dir=desc; page by offset instead')
  if (cursor !== undefined && offset > 0) throw badRequest('cursor: not together with offset')
  const after = cursor === undefined ? null : positionOf(cursor)
  const order = sql.unsafe(ORDERS[wanted.sort][wanted.dir])
  // One row more than the page tells whether another page follows.
  const rowsMax = offset + limit + 1
  const branches = [...new Set(sources)].flatMap((source) => {
    const view = VIEWS[source]
    if (view === undefined) return []
    return sql`(
      select * from ${sql(view)}
      where true ${filters(sql, wanted)} ${after ? sql`and ${beyond(sql, source, after)}` : sql``}
      order by ${order}
      limit ${rowsMax}
    )`
  })
  if (branches.length === 0) return { rows: [], next_cursor: null }
  const found = await unnamed(sql<Page['rows']>`
    select source, accession, entity_name, cik, street1, street2, city, state, zip,
      filing_date, submission_type, industry, amount, raised, website
    from (${branches.reduce((all, branch) => sql`${all} union all ${branch}`)}) merged
    order by ${order}
    limit ${limit + 1} offset ${offset}`)
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const more = found.length > limit && last !== undefined
  return { rows, next_cursor: more && byDate ? encodeCursor([last.filing_date, last.source, last.accession]) : null }
}

/**
 * Missing values last in both directions. Equal values newest first; descending names read the one index of names
 * backwards, so there oldest first.
 */
const ORDERS = {
  date: {
    asc: 'filing_date, source, accession',
    desc: 'filing_date desc, source desc, accession desc',
  },
  amount: {
    asc: 'amount nulls last, filing_date desc, accession desc, source desc',
    desc: 'amount desc nulls last, filing_date desc, accession desc, source desc',
  },
  name: {
    asc: 'name_key, filing_date desc, accession desc, source desc',
    desc: 'name_key desc, filing_date, accession, source',
  },
  state: {
    asc: 'state nulls last, filing_date desc, accession desc, source desc',
    desc: 'state desc nulls last, filing_date desc, accession desc, source desc',
  },
} as const

function filters(sql: Sql, { q, state, industry }: Pick<Search, 'q' | 'state' | 'industry'>) {
  const pattern = q && `%${fold(q).replace(/[\\%_]/g, '\\$&')}%`
  return sql`
    ${pattern ? sql`and name_key like ${pattern}` : sql``}
    ${state ? sql`and state = any(${state as string[]})` : sql``}
    ${industry ? sql`and industry_key = any(${industry.map((name) => name.toLowerCase())})` : sql``}`
}

/** Rows of one source that follow the position; the source is a constant there, so its index can be entered at the date. */
function beyond(sql: Sql, source: Source, [date, at, accession]: Position) {
  if (source === at) return sql`(filing_date, accession) < (${date}, ${accession})`
  return source < at ? sql`filing_date <= ${date}` : sql`filing_date < ${date}`
}

function positionOf(cursor: string): Position {
  const [date, source, accession] = decodeCursor(cursor, 3)
  const known = SOURCES.find((name) => name === source)
  if (!known || !accession || !/^\d{4}-\d\d-\d\d$/.test(date ?? '') || Number.isNaN(Date.parse(date!))) {
    throw badRequest('cursor: not a next_cursor of this feed')
  }
  return [date!, known, accession]
}
