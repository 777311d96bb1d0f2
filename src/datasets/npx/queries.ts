/** Queries reports, one report, and the votes on a security or by a person or series. */
import { amendedColumn, amendmentsOf } from '../../serve/amended.ts'
import { countOf } from '../../serve/count.ts'
import { cut, type Key, merged, orderBy, type Paged, rangesOf, startOf } from '../../serve/keyset.ts'
import { filingsWhere, rowsOf } from '../../serve/lists.ts'
import { unnamed } from '../../serve/page.ts'
import type { Sql } from '../../store/db.ts'
import { type Detail, listed, type Votes } from './answers.ts'
import { report } from './tables.ts'
import { npxAmended } from './views.ts'

export const rows = rowsOf({ of: report, row: listed, amended: npxAmended })

const LINES: Key[] = [{ column: 'line', dir: 'asc', type: 'count' }]

/** Returns one report with a page of its votes; null if unknown. */
export async function detail(
  sql: Sql,
  { accession, limit, cursor }: { accession: string; limit: number; cursor?: string | undefined },
): Promise<Detail | null> {
  const walk = { list: 'npx_table', sort: 'line', dir: 'asc' as const, keys: LINES, filters: { accession } }
  const start = startOf(walk, { limit, offset: 0, cursor })
  const [range] = rangesOf(sql, start)
  const [[row], managers, series, cosigners, lines] = await Promise.all([
    sql<[(Detail['filing'] & { name_key: string | null; name_words: string | null })?]>`
      select r.*, ${amendedColumn(sql, npxAmended, 'r')} from npx.report r where accession = ${accession}`,
    sql<Detail['managers']>`
      select position, list, number, name, file_number, other_file_number, sec_file_number, crd, lei
      from npx.manager where accession = ${accession} order by position`,
    sql<Detail['series']>`
      select position, series_id, name, lei from npx.series where accession = ${accession} order by position`,
    sql<Detail['cosigners']>`
      select position, signature, name, title, signed from npx.cosigner where accession = ${accession} order by position`,
    sql<Detail['votes']>`
      select line, issuer_name, cusip, isin, figi, meeting_date, description, categories, other_category, proposed_by,
        shares_voted::text as shares_voted, shares_on_loan::text as shares_on_loan, votes, managers, series_id, other_info
      from npx.vote where accession = ${accession} and ${range!} order by line limit ${start.rowsMax}`,
  ])
  if (!row) return null
  const { name_key: _, name_words: __, ...filing } = row
  const { rows: votes, next_cursor } = cut(start, lines)
  const other_filings = await filingsWhere(sql, rows, sql`t.cik = ${filing.cik} and t.accession <> ${accession}`)
  return { filing, managers, series, cosigners, votes, next_cursor, other_filings }
}

interface WantedVotes extends Paged {
  cusip?: string | undefined
  /** CIK of the reporting person. */
  cik?: string | undefined
  series?: string | undefined
  how?: string | undefined
  management?: 'for' | 'against' | undefined
  /** First and last day of the meeting. */
  from?: string | undefined
  to?: string | undefined
}

const MEETINGS: Key[] = [
  { column: 'listed_day', dir: 'desc', type: 'date' },
  { column: 'accession', dir: 'desc', type: 'text' },
  { column: 'line', dir: 'asc', type: 'count' },
]

/** Returns a page of votes, the newest meeting first: each filter reads a range of its own index. */
export async function votes(
  sql: Sql,
  { limit, offset, paginate: _, cursor, count, ...wanted }: WantedVotes,
): Promise<Votes> {
  const walk = { list: 'npx_votes', sort: 'meeting', dir: 'desc' as const, keys: MEETINGS, filters: wanted }
  const start = startOf(walk, { limit, offset, cursor, count })
  const { cusip, cik, series, how, management, from, to } = wanted
  const matching = sql`
    from npx.vote where true
      ${cusip ? sql`and cusip = ${cusip}` : sql``}
      ${cik ? sql`and cik = ${cik}` : sql``}
      ${series ? sql`and series_id = ${series}` : sql``}
      ${how ? sql`and ${how} = any(how)` : sql``}
      ${management ? sql`and votes @> jsonb_build_array(jsonb_build_object('management', ${management.toUpperCase()}::text))` : sql``}
      ${from ? sql`and listed_day >= ${from}` : sql``}
      ${to ? sql`and listed_day <= ${to}` : sql``}`
  const select = sql`select * ${matching}`
  const found = await unnamed(sql<(Omit<Votes['rows'][number], 'amended_by'> & { listed_day: string })[]>`
    select v.accession, v.line, r.filed_date, v.cik, r.person_name, r.is_amendment, r.amendment_type, v.issuer_name, v.cusip,
      v.isin, v.figi, v.meeting_date, v.description, v.categories, v.other_category, v.proposed_by,
      v.shares_voted::text as shares_voted, v.shares_on_loan::text as shares_on_loan, v.votes, v.managers, v.series_id,
      (select s.name from npx.series s where s.accession = v.accession and s.series_id = v.series_id limit 1) as series_name,
      v.other_info, v.listed_day
    from (select * from ${merged(sql, start, select)} m order by ${sql.unsafe(orderBy(MEETINGS))}
      limit ${start.rowsMax} offset ${offset}) v
    join npx.report r using (accession)
    order by ${sql.unsafe(orderBy(MEETINGS, 'v.'))}`)
  const { rows, ...next } = cut(start, found, await countOf(sql, start, matching))
  const amended = await votesAmended(sql, rows)
  return { rows: rows.map(({ listed_day: _, ...row }) => ({ ...row, amended_by: amended(row) })), ...next }
}

interface OfSeries {
  accession: string
  series_id: string | null
}

/** Finds the restatements of votes: one that names series replaces only the votes of these series. */
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
