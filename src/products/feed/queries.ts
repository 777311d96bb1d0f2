import { crowdfundingAmended, crowdfundingFeed } from '../../datasets/crowdfunding/views.ts'
import { formdAmended, formdFeed } from '../../datasets/formd/views.ts'
import { regaAmended, regaFeed } from '../../datasets/rega/views.ts'
import { apiError } from '../../declare/api-errors.ts'
import type { RowOf, View } from '../../declare/view.ts'
import { notKnown } from '../../misspelt.ts'
import { meets } from '../../names.ts'
import { FORM_D_INDUSTRIES, SIC_INDUSTRIES } from '../../read/industry.ts'
import { amendmentsOf } from '../../serve/amended.ts'
import { countOf } from '../../serve/count.ts'
import { type Filed, filedAs } from '../../serve/filed.ts'
import { type Counted, cut, orderBy, type Paged, type Start, startOf } from '../../serve/keyset.ts'
import { unnamed } from '../../serve/page.ts'
import { assertStates } from '../../serve/states.ts'
import type { Sql } from '../../store/db.ts'
import type { Page } from './answers.ts'
import { keysOf, type Order, rangesAfter, SOURCES, type Source } from './queries-keyset.ts'
import type { feedColumns } from './views.ts'

/** The view of each source; to add a new source to the feed, add a line here. */
const VIEWS: Record<Source, View<typeof feedColumns>> = {
  formd: formdFeed,
  rega: regaFeed,
  crowdfunding: crowdfundingFeed,
}

export interface Search extends Order, Paged, Filed {
  sources: readonly Source[]
  /** Name of the company. */
  q?: string | undefined
  /** Upper-case codes. */
  state?: readonly string[] | undefined
  industry?: readonly string[] | undefined
  /** Minimum amount offered, US dollars. */
  min_amount?: number | undefined
}

/**
 * Maximum number of rows, from the first row to the end of the page, for which an unfiltered page by date uses a
 * prepared statement. Such pages have few different statement texts, so the server keeps the plan of each: planning
 * takes 0.5 ms, and running the statement takes 0.2 ms. This number is written into the text as the limit of each
 * branch. If the limit were a parameter, the kept plan would expect a tenth of the table.
 */
const PLAIN_ROWS_MAX = 200

/**
 * Returns a page of the feed; `marked` then completes its rows. Merges the first rows that each source's own index
 * returns, so that the cost does not grow with the number of filings.
 *
 * @throws HttpError 400 for a cursor that is not from this list, or is used with another order, other filters or an
 *   offset
 */
export async function search(
  sql: Sql,
  { sources, limit, offset, paginate, cursor, count, ...wanted }: Search,
): Promise<Unmarked> {
  const byCursor = paginate === 'cursor' || (wanted.sort === 'date' && wanted.dir === 'desc')
  if (cursor !== undefined && !byCursor) {
    const reason = 'only with sort=date and dir=desc, or with paginate=cursor; otherwise page by offset'
    throw apiError('conflicting_parameters', { parameter: 'cursor', reason })
  }
  const { sort, dir, q, state, industry, min_amount, from, to, cik } = wanted
  const given = { q, state, industry, min_amount, from, to, cik }
  await assertStates(
    sql,
    state,
    SOURCES.map((source) => VIEWS[source].id),
  )
  const wantedSources = SOURCES.filter((source) => sources.includes(source))
  const keys = keysOf(wanted)
  const walk = {
    list: 'feed',
    sort,
    dir,
    keys,
    filters: { sources: wantedSources, ...given },
  }
  const start = startOf(walk, { limit, offset, cursor, count })
  const order = sql.unsafe(orderBy(keys))
  const rowsMax = offset + start.rowsMax
  const isPlain =
    sort === 'date' && rowsMax <= PLAIN_ROWS_MAX && Object.values(given).every((filter) => filter === undefined)
  const branches = wantedSources.flatMap((source) => {
    const ranges = start.after ? rangesAfter(sql, wanted, source, start.after) : [sql`true`]
    return ranges.map(
      (range) => sql`(
        select * from ${sql(VIEWS[source].id)}
        where ${range} ${filters(sql, wanted)}
        order by ${order}
        limit ${isPlain ? sql.unsafe(String(PLAIN_ROWS_MAX)) : sql`${rowsMax}`}
      )`,
    )
  })
  const counted = await countMatching(sql, start, wantedSources, wanted)
  if (branches.length === 0) return cut(start, [], counted)
  // The key is needed only for the cursor of an order by name. Removing the key from each row of a large page costs a
  // tenth of the page's processor time.
  const hasKey = sort === 'name'
  const query = sql<(Row & Pick<RowOf<typeof formdFeed>, 'name_key'>)[]>`
    select source, accession, entity_name, cik, street1, street2, city, state, zip,
      filing_date, submission_type, industry, amount, raised, website, may_be_amended as amended_by ${hasKey ? sql`, name_key` : sql``}
    from (${branches.reduce((all, branch) => sql`${all} union all ${branch}`)}) merged
    order by ${order}
    limit ${start.rowsMax} offset ${offset}`
  const { rows, ...next } = cut(start, await (isPlain ? query : unnamed(query)), counted)
  const shown = hasKey ? rows.map(({ name_key: _, ...row }) => row) : rows
  return { rows: shown, ...next }
}

async function countMatching(sql: Sql, start: Start, sources: readonly Source[], wanted: Wanted): Promise<Counted> {
  if (start.count === undefined) return {}
  const matching = sources.map(
    (source) =>
      sql`select source, state, industry, filing_date from ${sql(VIEWS[source].id)} where true ${filters(sql, wanted)}`,
  )
  return countOf(sql, start, sql`from (${matching.reduce((all, one) => sql`${all} union all ${one}`)}) m`, {
    type: { value: sql`source` },
    state: { value: sql`state` },
    industry: { value: sql`industry` },
    month: { value: sql`filing_date`, kind: 'day' },
  })
}

const AMENDED: Record<Source, View> = {
  formd: formdAmended,
  rega: regaAmended,
  crowdfunding: crowdfundingAmended,
}

/**
 * A row of the page. Until the amendments of its filing were looked up, `amended_by` is a boolean: whether there may be
 * any.
 */
type Row = Omit<Page['rows'][number], 'amended_by'> & { amended_by: boolean | string[] }
type Unmarked = Omit<Page, 'rows'> & { rows: Row[] }

/**
 * Marks filings that a later filing restates, so that clients do not add up the amounts of both filings. Fills in the
 * existing row objects, since copying the rows takes longer than looking up their amendments.
 */
export async function marked(sql: Sql, { rows, ...next }: Unmarked): Promise<Page> {
  const doubtful = rows.filter((row) => row.amended_by === true)
  const of = await Promise.all(
    SOURCES.map((source) =>
      amendmentsOf(
        sql,
        AMENDED[source],
        doubtful.filter((row) => row.source === source),
      ),
    ),
  )
  for (const row of rows)
    row.amended_by = row.amended_by === true ? of[SOURCES.indexOf(row.source)]!(row.accession) : []
  return { rows: rows as Page['rows'], ...next }
}

type Wanted = Pick<Search, 'q' | 'state' | 'industry' | 'min_amount' | keyof Filed>

function filters(sql: Sql, { q, state, industry, min_amount, ...filed }: Wanted) {
  return sql`
    ${q ? sql`and ${meets(sql, q, { words: sql`name_words`, folded: sql`name_key` })}` : sql``}
    ${state ? sql`and state = any(${state as string[]})` : sql``}
    ${industry ? sql`and industry_key = any(${industry.map((name) => name.toLowerCase())})` : sql``}
    ${min_amount === undefined ? sql`` : sql`and amount >= ${min_amount}`}
    ${filedAs(sql, filed, '', 'filing_date')}`
}

const INDUSTRIES = [...new Set([...FORM_D_INDUSTRIES, ...SIC_INDUSTRIES])]
const KNOWN_INDUSTRIES: ReadonlySet<string> = new Set(INDUSTRIES.map((name) => name.toLowerCase()))

/**
 * Rejects industries that no row can have. If several industries are requested, a row needs to match only one of them,
 * so one known industry suffices.
 */
export async function assertIndustries(sql: Sql, given: readonly string[] = []): Promise<void> {
  if (given.length === 0 || given.some((name) => KNOWN_INDUSTRIES.has(name.toLowerCase()))) return
  for (const name of given) {
    const rows = SOURCES.map(
      (source) => sql`
      (select from ${sql(VIEWS[source].id)} where industry_key = ${name.toLowerCase()} limit 1)`,
    )
    const found = await sql`${rows.reduce((all, row) => sql`${all} union all ${row}`)}`
    if (found.length > 0) return
  }
  // For a text with commas, `given` has the parts of the text first, and the whole text last. The message names the
  // first value.
  throw apiError('invalid_parameter', { parameter: 'industry', reason: notKnown(given[0]!, 'industry', INDUSTRIES) })
}
