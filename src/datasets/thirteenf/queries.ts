import type { DetailParams } from '../../declare/details.ts'
import { storedQuarter } from '../../declare/quarter.ts'
import { amendedColumn, withAmended } from '../../serve/amended.ts'
import { lineAfter, pageOf } from '../../serve/details.ts'
import { otherFilings } from '../../serve/filings-of.ts'
import { rowsOf } from '../../serve/lists.ts'
import type { Sql } from '../../store/db.ts'
import { type Detail, managerRow } from './answers.ts'
import { compose } from './compose.ts'
import { decidedByOthers, reportsOf } from './queries/composed.ts'
import { DOLLARS_SINCE } from './report/scale.ts'
import { filer } from './rollups.ts'
import { report } from './tables.ts'
import { thirteenfAmended } from './views.ts'

/**
 * The list of managers, from the rollup: with 8,000 managers, a page takes 1.3 ms, 4 ms with a name, and 2 ms at offset
 * 7,900.
 */
export const managers = rowsOf({
  of: filer,
  row: managerRow,
  filing: report,
  shown: { name: (sql) => sql`f.manager_name` },
})

/**
 * Returns one filing with its quality, its part among the filings about its quarter, and a page of its lines. Returns
 * null if the filing is unknown. The query is written out and not declared, because the prices of other managers can
 * change the scale of the filing, its quality and its lines.
 */
export async function detail(sql: Sql, params: DetailParams & { limit: number }): Promise<Detail | null> {
  const { accession, limit } = params
  const after = lineAfter(params)
  const [row] = await sql<[DetailRow?]>`
    select r.*, ${amendedColumn(sql, thirteenfAmended, 'r')},
      to_jsonb(q) - '{accession,filed_date,parsed_value,declared_value,value_differs}'::text[]
        || jsonb_build_object('parsed_value', q.parsed_value::text, 'declared_value', q.declared_value::text,
          'value_differs', q.value_differs::text) as quality,
      (select coalesce(json_agg(to_jsonb(m) - 'accession' order by position), '[]')
        from thirteenf.manager m where m.accession = r.accession) as managers,
      ${otherFilings(sql, 'r', {
        slug: 'thirteenf',
        table: 'thirteenf.report',
        amended: thirteenfAmended,
        facts: sql`t.submission_type, t.period, t.amendment_type, t.position_count, coalesce((
          select trunc(t.value / d.stored * d.scale) from ${decidedByOthers(sql)} where d.accession = t.accession
        ), t.value)::text as value`,
      })} as other_filings,
      to_jsonb(d) || jsonb_build_object('value', trunc(r.value / d.stored * d.scale)::text) as by_others
    from thirteenf.report r join thirteenf.quality q using (accession)
    left join ${decidedByOthers(sql)} using (accession) where r.accession = ${accession}`
  if (!row) return null
  const rows = await sql<Detail['positions']>`
    select p.n, p.cusip, p.cusip_flag, s.issuer_name, s.title_of_class, s.figi,
      p.value / ${row.by_others?.stored ?? 1} * ${row.by_others?.scale ?? 1} as value, p.amount, p.kind, p.put_call, p.discretion,
      p.manager_numbers, p.votes_sole, p.votes_shared, p.votes_none
    from thirteenf.position p join thirteenf.security s using (security)
    where p.accession = ${accession} and p.quarter = ${storedQuarter(row.period)} and p.n > ${after}
    order by p.n limit ${limit + 1}`
  const { name_key: _, name_words: __, number_key: ___, managers, other_filings, ...rest } = row
  const { filing, quality } = decided(rest)
  const { lines: positions, next_cursor } = pageOf(params, rows, 'n')
  const chain = await chainOf(sql, filing)
  return { filing, quality, managers, chain, positions, next_cursor, other_filings }
}

type DetailRow = Detail['filing'] & { name_key: string; name_words: string; number_key: string | null } & Pick<
    Detail,
    'quality' | 'managers' | 'other_filings'
  > & { by_others: ByOthers | null }

/** A row of `rescaled`, and the filing's value at that scale. */
interface ByOthers {
  scale: number
  stored: number
  compared: number
  agreed: number
  value: string
}

/** Applies the final scale of a filing: by its own prices, or by those of other managers. */
function decided({
  by_others: others,
  quality,
  ...filing
}: Omit<DetailRow, 'name_key' | 'name_words' | 'number_key' | 'managers' | 'other_filings'>): Pick<
  Detail,
  'filing' | 'quality'
> {
  if (others === null) return { filing, quality }
  const { scale, compared, agreed, value } = others
  const isOfDay = scale === (filing.filed_date < DOLLARS_SINCE ? 1000 : 1)
  // `agreed` is 0 if the prices of other managers contradict both units.
  const isAgainst = agreed === 0
  const notes = [
    ...quality.notes.filter((note) => !note.startsWith('scale_')),
    ...(isOfDay ? [] : ['scale_unusual']),
    ...(isAgainst ? ['scale_unsure'] : []),
  ]
  const scale_reason = isAgainst
    ? 'filing date, prices of other managers are against both units'
    : 'prices of other managers'
  return {
    filing: { ...filing, value, scale, scale_reason },
    quality: { ...quality, scale_compared: compared, scale_agreed: agreed, notes },
  }
}

async function chainOf(sql: Sql, { cik, period }: Detail['filing']): Promise<Detail['chain']> {
  if (cik === null || period === null) return []
  const reports = await reportsOf(sql, cik, period)
  const chain = compose(reports).map(({ accession, part, flags }) => {
    const report = reports.find((one) => one.accession === accession)!
    const { filedDate, submissionType, amendmentNumber, amendmentType, positions: position_count, value } = report
    return {
      accession,
      filed_date: filedDate,
      submission_type: submissionType,
      amendment_number: amendmentNumber,
      amendment_type: amendmentType,
      part,
      flags,
      position_count,
      value,
    }
  })
  return (await withAmended(sql, thirteenfAmended, { rows: chain })).rows
}
