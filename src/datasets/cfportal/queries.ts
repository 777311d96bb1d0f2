import { meets } from '../../names.ts'
import { alwaysCounted, type CountField, countsBy } from '../../serve/count.ts'
import { detailOf, facts, otherFilings, rowsIn, value } from '../../serve/details.ts'
import { type Filed, filedAs } from '../../serve/filed.ts'
import {
  type Counted,
  conditionOf,
  cut,
  type Key,
  orderBy,
  type Paged,
  type Start,
  startOf,
} from '../../serve/keyset.ts'
import { unnamed } from '../../serve/page.ts'
import { assertStates } from '../../serve/states.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import { type Page, portal, type STATUSES } from './answers.ts'
import { acquisition, answer, books, disclosure, escrow, filing, foreign_registration, name, owner } from './tables.ts'
import { cfportalAmended } from './views.ts'

export const SORTS = ['date', 'name', 'first', 'filings'] as const

interface Search extends Paged, Filed {
  /** Part of a name or website. */
  q?: string | undefined
  /** Upper-case codes. */
  state?: readonly string[] | undefined
  status?: (typeof STATUSES)[number] | undefined
  sort: (typeof SORTS)[number]
  dir: 'asc' | 'desc'
}

const COLUMNS = {
  date: { column: 'latest_filed', type: 'date' },
  name: { column: 'name_key', type: 'text' },
  first: { column: 'first_filed', type: 'date' },
  filings: { column: 'filing_count', type: 'count' },
} as const

/** Among portals with equally many filings, the portal with the newest filing comes first, ascending and descending. */
function keysOf({ sort, dir }: Pick<Search, 'sort' | 'dir'>): Key[] {
  const tie = sort === 'filings' ? 'desc' : dir
  const newest: Key[] = sort === 'filings' ? [{ ...COLUMNS.date, dir: tie }] : []
  return [{ ...COLUMNS[sort], dir }, ...newest, { column: 'cik', dir: tie, type: 'text' }]
}

/**
 * Selects portals, one row for each filer. They are grouped on request, without a rollup, since there are only about a
 * thousand filings. A page with its total takes 4 ms at 1,200 filings of 300 portals, and 27 ms at 10,000 filings of
 * 3,000 portals (measured).
 *
 * @param chosen conditions in SQL on `cfportal.filing f`
 */
const portals = (sql: Sql, chosen: { where?: Fragment | undefined; having?: Fragment | undefined }) => sql`
  select latest.cik, latest.name, latest.website, latest.city, latest.state, counted.status,
    counted.filing_count, counted.registration_count, counted.amendment_count, counted.withdrawal_count,
    oldest.accession as first_accession, oldest.filed_date as first_filed, oldest.submission_type as first_type,
    latest.accession as latest_accession, latest.filed_date as latest_filed, latest.submission_type as latest_type,
    latest.name_key
  from (
    select
      count(*)::int as filing_count,
      count(*) filter (where submission_type = 'CFPORTAL')::int as registration_count,
      count(*) filter (where submission_type = 'CFPORTAL/A')::int as amendment_count,
      count(*) filter (where submission_type = 'CFPORTAL-W')::int as withdrawal_count,
      (array_agg(accession order by filed_date, accession))[1] as oldest,
      (array_agg(accession order by filed_date desc, accession desc))[1] as latest,
      -- An amendment does not undo a withdrawal: until the withdrawal takes effect after 30 days, amendments are
      -- still due.
      case (array_agg(submission_type order by filed_date desc, accession desc)
        filter (where submission_type <> 'CFPORTAL/A'))[1]
        when 'CFPORTAL-W' then 'withdrawn' else 'active' end as status
    from cfportal.filing f
    ${chosen.where ?? sql``}
    group by cik
    ${chosen.having ?? sql``}
  ) counted
  join cfportal.filing oldest on oldest.accession = counted.oldest
  join cfportal.filing latest on latest.accession = counted.latest`

/**
 * Returns a page of portals and the number of matches. A cursor saves no work, because every page groups the filings of
 * all portals.
 */
export async function search(
  sql: Sql,
  { q, state, status, cik, from, to, sort, dir, ...paged }: Search,
): Promise<Page> {
  await assertStates(sql, state, ['cfportal.filing'])
  const { limit, offset } = paged
  const keys = keysOf({ sort, dir })
  const start = startOf({ list: 'cfportal', sort, dir, keys, filters: { q, state, status, cik, from, to } }, paged)
  const named = q && meets(sql, q, { words: sql`name_words`, folded: sql`search_key` })
  const having = named ? sql`having bool_or(${named})` : undefined
  const where = cik ? sql`where f.cik = ${cik}` : undefined
  const matched = sql`
      from (${portals(sql, { where, having })}) portal
      where true
        ${state ? sql`and state = any(${state as string[]})` : sql``}
        ${status ? sql`and status = ${status}` : sql``}
        ${filedAs(sql, { from, to }, '', 'latest_filed')}`
  const [found] = await unnamed(sql<
    [{ total: number; found: (Record<string, unknown> & { portal: Page['rows'][number] })[] }]
  >`
    with matched as materialized (
      select * ${matched}
    ),
    page as (
      select * from matched where ${conditionOf(sql, start)}
      order by ${sql.unsafe(orderBy(keys))} limit ${start.rowsMax} offset ${offset}
    )
    select
      (select count(*)::int from matched) as total,
      (
        select coalesce(json_agg(json_build_object('portal', ${served(sql)}, 'latest_filed', latest_filed,
          'first_filed', first_filed, 'name_key', name_key, 'filing_count', filing_count, 'cik', cik)), '[]')
        from page
      ) as found`)
  const total = start.total ?? found.total
  const { rows, next_cursor, ...totals } = cut(start, found.found, {
    ...alwaysCounted(start, total),
    ...(await valuesOf(sql, start, matched)),
  })
  return { rows: rows.map(({ portal }) => portal), ...totals, limit, offset, next_cursor }
}

/** The number of portals by each value of the requested field, on the first page only. */
async function valuesOf(sql: Sql, { count, after }: Start, matched: Fragment): Promise<Pick<Counted, 'value_counts'>> {
  const fields: Record<string, CountField> = {
    state: { value: sql`state` },
    status: { value: sql`status` },
    month: { value: sql`latest_filed`, kind: 'day' },
  }
  const field = after || count === undefined ? undefined : fields[count]
  return field ? { value_counts: await countsBy(sql, matched, field) } : {}
}

/** A row of `portals` in the form of answers. */
const served = (sql: Sql) => sql`json_build_object(
  'cik', cik, 'name', name, 'website', website, 'city', city, 'state', state, 'status', status,
  'filing_count', filing_count, 'registration_count', registration_count, 'amendment_count', amendment_count, 'withdrawal_count', withdrawal_count,
  'first_filing', json_build_object(
    'accession', first_accession, 'filed_date', first_filed, 'submission_type', first_type),
  'latest_filing', json_build_object(
    'accession', latest_accession, 'filed_date', latest_filed, 'submission_type', latest_type))`

export const detail = detailOf(filing, 'PortalDetail', {
  filing: facts(filing, {
    id: 'PortalFiling',
    amended: cfportalAmended,
    parts: {
      names: rowsIn(name, { id: 'PortalName', says: 'Other names and websites, present and previous' }),
      foreign_registrations: rowsIn(foreign_registration, { id: 'PortalForeignRegistration' }),
      acquisitions: rowsIn(acquisition, {
        id: 'PortalAcquisition',
        says: 'Funding portals to whose business the portal succeeds',
      }),
      owners: rowsIn(owner, {
        id: 'PortalOwner',
        says: 'Schedules A and B: direct owners and executive officers, and changes',
      }),
      escrow: rowsIn(escrow, { id: 'PortalEscrow', says: 'Who holds the funds of investors' }),
      books: rowsIn(books, { id: 'PortalBooks', says: 'Who keeps the books and records after a withdrawal' }),
      answers: rowsIn(answer, { id: 'PortalAnswer', says: 'The questions on disciplinary history' }),
      disclosures: rowsIn(disclosure, {
        id: 'PortalDisclosure',
        says: 'Disclosure pages, which explain the questions that are answered yes',
      }),
    },
  }),
  portal: value(
    portal,
    (sql) => sql`(select ${served(sql)} from (${portals(sql, { where: sql`where f.cik = filing.cik` })}) page)`,
  ),
  filings: otherFilings(filing, {
    id: 'PortalFilingRow',
    says: 'Up to 200 filings of the portal, newest first, including the requested filing',
    amended: cfportalAmended,
    own: true,
    facts: ['submission_type', 'name', 'amendment_explanation'],
  }),
})
