/** Queries reports, one report, and the votes on a security or by a person or series. */
import type { Arrival, Arrived } from '../../declare/route.ts'
import { amendmentsOf } from '../../serve/amended.ts'
import { countOf } from '../../serve/count.ts'
import { detailOf, facts, filings, nextLines, rowsIn } from '../../serve/details.ts'
import { cut, type Key, merged, orderBy, type Paged, startOf } from '../../serve/keyset.ts'
import { rowsOf } from '../../serve/lists.ts'
import { unnamed } from '../../serve/page.ts'
import type { Sql } from '../../store/db.ts'
import { listed, NOT_SHOWN, type Votes } from './answers.ts'
import { reportKept, voteKept } from './queries-kept.ts'
import { cosigner, manager, report, series, vote } from './tables.ts'
import { npxAmended } from './views.ts'

export const rows = rowsOf({ of: report, row: listed, amended: npxAmended, kept: reportKept })

export const detail = detailOf(report, 'NpxDetail', {
  filing: facts(report, { id: 'NpxReport', amended: npxAmended }),
  managers: rowsIn(manager, {
    id: 'NpxManager',
    says: 'Managers and funds that the report names. If the report includes the votes of one of them, it has a `number`, by which votes refer to it',
  }),
  series: rowsIn(series, { id: 'NpxSeries', says: 'Series that the report is about' }),
  cosigners: rowsIn(cosigner, {
    id: 'NpxCosigner',
    says: 'Further signers, in addition to the person who signs the report',
  }),
  votes: rowsIn(vote, {
    id: 'NpxVote',
    says: 'A page of the table of votes, in the order of the form',
    omit: NOT_SHOWN,
    paged: true,
  }),
  next_cursor: nextLines('Cursor of the next page of votes; null on the last page'),
  other_filings: filings(rows, {
    same: 'cik',
    says: 'Up to 200 other reports of the same person, newest first',
  }),
})

interface WantedVotes extends Paged {
  cusip?: string | undefined
  /** CIK of the reporting person. */
  cik?: string | undefined
  series?: string | undefined
  how?: string | undefined
  management?: 'for' | 'against' | undefined
  amended?: 'all' | 'latest' | undefined
  /** Only votes of these reports. */
  only?: readonly string[] | undefined
  /** Earliest and latest day of the meeting, or of filing if the day of the meeting is unknown. */
  from?: string | undefined
  to?: string | undefined
}

const MEETINGS: Key[] = [
  { column: 'listed_day', dir: 'desc', type: 'date' },
  { column: 'accession', dir: 'desc', type: 'text' },
  { column: 'line', dir: 'asc', type: 'count' },
]

/** Returns a page of votes, the newest meeting first. Each filter reads a range of its own index. */
export async function votes(
  sql: Sql,
  { limit, offset, paginate: _, cursor, count, ...wanted }: WantedVotes,
): Promise<Votes> {
  const walk = { list: 'npx_votes', sort: 'meeting', dir: 'desc' as const, keys: MEETINGS, filters: wanted }
  const start = startOf(walk, { limit, offset, cursor, count })
  const { cusip, cik, series, how, management, amended: amendments, only, from, to } = wanted
  const matching = sql`
    from npx.vote where true
      ${cusip ? sql`and cusip = ${cusip}` : sql``}
      ${cik ? sql`and cik = ${cik}` : sql``}
      ${series ? sql`and series_id = ${series}` : sql``}
      ${how ? sql`and ${how} = any(how)` : sql``}
      ${management ? sql`and votes @> jsonb_build_array(jsonb_build_object('management', ${management.toUpperCase()}::text))` : sql``}
      ${only ? sql`and accession = any(${only as string[]})` : sql``}
      ${from ? sql`and listed_day >= ${from}` : sql``}
      ${to ? sql`and listed_day <= ${to}` : sql``}`
  const select = sql`select * ${matching}`
  const kept = amendments === 'latest' ? voteKept(sql) : null
  const found = await unnamed(sql<(Omit<Votes['rows'][number], 'amended_by'> & { listed_day: string })[]>`
    select v.accession, v.line, r.filed_date, v.cik, r.person_name, r.is_amendment, r.amendment_type, v.issuer_name, v.cusip,
      v.isin, v.figi, v.meeting_date, v.description, v.categories, v.other_category, v.proposed_by,
      v.shares_voted::text as shares_voted, v.shares_on_loan::text as shares_on_loan, v.votes, v.managers, v.series_id,
      (select s.name from npx.series s where s.accession = v.accession and s.series_id = v.series_id limit 1) as series_name,
      v.other_info, v.listed_day
    from (select * from ${merged(sql, start, select, '', kept)} m order by ${sql.unsafe(orderBy(MEETINGS))}
      limit ${start.rowsMax} offset ${offset}) v
    join npx.report r using (accession)
    order by ${sql.unsafe(orderBy(MEETINGS, 'v.'))}`)
  const { rows, ...next } = cut(
    start,
    found,
    await countOf(sql, start, kept ? sql`from (${select}) t where ${kept}` : matching),
  )
  const amended = await votesAmended(sql, rows)
  return { rows: rows.map(({ listed_day: _, ...row }) => ({ ...row, amended_by: amended(row) })), ...next }
}

/** Number of votes that are read at a time. */
const VOTES = 1_000

/** Returns the votes of reports that arrived. A report has votes at meetings of up to a year before the report. */
export async function arrived(
  sql: Sql,
  { cursor: _, offset: __, count: ___, ...wanted }: WantedVotes,
  arrival: Arrival,
): Promise<Arrived[]> {
  const reports = await sql<{ accession: string }[]>`
    select accession from npx.report
    where ${'keys' in arrival ? sql`accession = any(${arrival.keys as string[]})` : sql`filed_date >= ${arrival.since}`}`
  const asked = { ...wanted, only: reports.map(({ accession }) => accession), limit: VOTES, offset: 0 }
  const found: Arrived[] = []
  let next: string | null | undefined = reports.length === 0 ? null : undefined
  while (next !== null) {
    const page: Votes = await votes(sql, { ...asked, ...(next && { cursor: next }) })
    found.push(...page.rows.map((row) => ({ row, key: row.accession, day: row.filed_date })))
    next = page.next_cursor ?? null
  }
  return found
}

interface OfSeries {
  accession: string
  series_id: string | null
}

/** Finds the restatements of votes. A restatement that names series replaces only the votes of these series. */
async function votesAmended(sql: Sql, rows: readonly OfSeries[]): Promise<(row: OfSeries) => string[]> {
  const of = await amendmentsOf(sql, npxAmended, rows)
  const by = [...new Set(rows.flatMap(({ accession }) => of(accession)))]
  if (by.length === 0) return () => []
  const named = await sql<{ accession: string; series_id: string }[]>`
    select accession, series_id from npx.series where accession = any(${by}) and series_id is not null`
  const seriesOf = Map.groupBy(named, ({ accession }) => accession)
  return ({ accession, series_id }) =>
    of(accession).filter((one) => {
      const own = seriesOf.get(one)
      return series_id === null || own === undefined || own.some((each) => each.series_id === series_id)
    })
}
