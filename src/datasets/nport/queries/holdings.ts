/** Queries a fund's holdings at the end of a period, and the changes since the period before. */
import { apiError } from '../../../declare/api-errors.ts'
import { storedQuarter } from '../../../declare/quarter.ts'
import { amendmentsOf } from '../../../serve/amended.ts'
import { countOf, knownCount } from '../../../serve/count.ts'
import type { Paged } from '../../../serve/keyset.ts'
import { decodeCursor, encodeCursor, isAmount } from '../../../serve/page.ts'
import type { Fragment, Sql } from '../../../store/db.ts'
import { CLOSED_MAX, type FundHoldings } from '../answers.ts'
import { lineColumns } from '../queries.ts'
import { nportAmended } from '../views.ts'
import { standingOf } from './period.ts'

export interface HoldingsParams extends Pick<Paged, 'limit' | 'cursor' | 'count'> {
  /** Id of a series (S and nine digits), or the CIK of a fund without series. */
  series: string
  period?: string | undefined
  as_of?: string | undefined
  changes: boolean
}

type Report = Omit<NonNullable<FundHoldings['report']>, 'amended_by'>
type Row = FundHoldings['rows'][number]

/** Returns the holdings of a fund, the largest first; null if no such fund reported. */
export async function holdings(sql: Sql, params: HoldingsParams): Promise<FundHoldings | null> {
  const { as_of, changes } = params
  const reports = await reportsOf(sql, params.series)
  const [known] = reports
  if (known === undefined) return null
  const { fund, cik, series_id, fund_name, registrant_name } = known
  // Takes the first report of each period, which is the report filed last: the query returns the reports in this order.
  const counted = [
    ...Map.groupBy(
      reports.filter(({ filed_date }) => as_of === undefined || filed_date <= as_of),
      ({ period }) => period,
    ).values(),
  ].map(([newest]) => newest!)
  // A period that ends after its filing date is a slip, and would hide all later reports. The rollup omits such periods
  // too.
  const newest = counted.find((one) => one.period <= one.filed_date)
  const period = params.period ?? newest?.period ?? null
  const report = counted.find((one) => one.period === period)
  const goesOn = as_of === undefined ? await isCurrent(sql, fund) : null
  const answer = {
    ...{ fund, cik, series_id, fund_name, registrant_name },
    is_current: goesOn,
    period,
    periods: counted.map((one) => one.period),
  }
  if (report === undefined) {
    const { not_loaded, ...standing } = await standingOf(sql, {
      cik,
      fund,
      period,
      as_of,
      isFiled: reports.some((one) => one.period === period),
      isSlip: period === null && counted.length > 0,
    })
    const none = { ...answer, ...standing, report: null, rows: [], ...knownCount(params, 0), next_cursor: null }
    return { ...none, ...(changes && { before: null, closed: [], closed_count: 0 }), ...(not_loaded && { not_loaded }) }
  }
  const earlier = counted[counted.indexOf(report) + 1]
  const page = await pageOf(sql, report, params, changes ? earlier : undefined)
  // If the request has `as_of`, a later amendment may have replaced the report, or the report of the period before.
  const amended = await amendmentsOf(sql, nportAmended, [report, ...(changes && earlier ? [earlier] : [])])
  const shown = (one: Reported) => ({ ...reportOf(one), amended_by: amended(one.accession) })
  const all = { ...answer, state: 'reported' as const, note: null, report: shown(report), ...page }
  if (!changes) return all
  const closed = params.cursor === undefined && earlier ? await closedOf(sql, report, earlier) : {}
  return { ...all, before: earlier ? shown(earlier) : null, ...closed }
}

/** Returns whether the fund continues; null if no report represents the fund. */
async function isCurrent(sql: Sql, fund: string): Promise<boolean | null> {
  const [row] = await sql<{ is_current: boolean }[]>`select is_current from pub.nport_fund where fund = ${fund}`
  return row?.is_current ?? null
}

type Reported = Report &
  Pick<FundHoldings, 'fund' | 'cik' | 'series_id' | 'fund_name' | 'registrant_name'> & { period: string }

/**
 * Returns all reports of a fund, the newest period first. Within a period, the report filed last comes first. A series
 * may have changed its registrant; the reports of all its registrants are returned.
 */
const reportsOf = (sql: Sql, series: string) => {
  const isSeries = series.startsWith('S')
  return sql<Reported[]>`
    select fund, cik, series_id, fund_name, registrant_name, accession, filed_date, submission_type, period, net_assets,
      total_assets, holding_count, holdings_value
    from nport.report
    where ${isSeries ? sql`series_id = ${series}` : sql`fund = ${series}`} and fund is not null and period is not null
    order by period desc, filed_date desc, accession desc`
}

const reportOf = ({
  accession,
  filed_date,
  submission_type,
  period,
  net_assets,
  total_assets,
  holding_count,
  holdings_value,
}: Reported): Report => ({
  accession,
  filed_date,
  submission_type,
  period,
  net_assets,
  total_assets,
  holding_count,
  holdings_value,
})

/** Two holdings are compared if security, title, units and direction are the same. */
const SAME = ['sec_id', 'title', 'units', 'payoff'] as const

const comparable = (sql: Sql, { accession, period }: Reported): Fragment => sql`(
    select h.sec_id, coalesce(s.title_of_class, '') as title, coalesce(h.units, '') as units,
      coalesce(h.payoff, '') as payoff, min(h.n) as n, sum(h.value) as value,
      case when count(h.balance) = count(*) then sum(h.balance) end as balance, count(*) as holdings
    from nport.holding h join nport.security s using (security)
    where h.accession = ${accession} and h.quarter = ${storedQuarter(period)} and h.sec_id is not null
    group by 1, 2, 3, 4
  )`

async function pageOf(
  sql: Sql,
  report: Reported,
  { limit, cursor, count, changes }: HoldingsParams,
  earlier: Reported | undefined,
) {
  const after = cursor === undefined ? null : placeAfter(cursor, report.accession)
  const isOne = sql`own.holdings = 1 and prior.holdings = 1`
  const compared = earlier
    ? sql`,
        case when ${isOne} then prior.balance::text end as balance_before,
        case when ${isOne} then prior.value::text end as value_before,
        case when h.sec_id is null or own.holdings > 1 or prior.holdings > 1 then null
          when prior.sec_id is null then 'new'
          when h.balance > prior.balance then 'added' when h.balance < prior.balance then 'reduced'
          when h.balance = prior.balance then 'unchanged' end as change`
    : changes
      ? sql`, null::text as balance_before, null::text as value_before, null::text as change`
      : sql``
  const join = earlier
    ? sql`
      left join ${comparable(sql, report)} own on own.sec_id = h.sec_id and own.title = coalesce(s.title_of_class, '')
        and own.units = coalesce(h.units, '') and own.payoff = coalesce(h.payoff, '')
      left join ${comparable(sql, earlier)} prior on prior.sec_id = own.sec_id and prior.title = own.title
        and prior.units = own.units and prior.payoff = own.payoff`
    : sql``
  const own = sql`h.accession = ${report.accession} and h.quarter = ${storedQuarter(report.period)}`
  const rows = await sql<Row[]>`
    select h.accession, ${lineColumns(sql)} ${compared}
    from nport.holding h join nport.security s using (security) ${join}
    where ${own}
      ${after === null ? sql`` : after.value === null ? sql`and h.value is null and h.n > ${after.n}` : sql`and (h.value < ${after.value} or (h.value = ${after.value} and h.n > ${after.n}) or h.value is null)`}
    order by h.value desc nulls last, h.n limit ${limit + 1}`
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = rows.length > limit && last ? encodeCursor([report.accession, last.value, String(last.n)]) : null
  const counted = await countOf(sql, { count, total: null }, sql`from nport.holding h where ${own}`)
  return { rows: [...page], ...counted, next_cursor: next }
}

/** Returns the largest lines that only the earlier report has, and the number of all such lines. */
async function closedOf(sql: Sql, report: Reported, earlier: Reported) {
  const rows = await sql<(Row & { closed_count: number })[]>`
    select h.accession, ${lineColumns(sql)}, null::text as change, h.balance::text as balance_before,
      h.value::text as value_before, count(*) over ()::int as closed_count
    from ${comparable(sql, earlier)} gone
    join nport.holding h on h.accession = ${earlier.accession} and h.quarter = ${storedQuarter(earlier.period)}
      and h.n = gone.n
    join nport.security s using (security)
    where not exists (
      select from ${comparable(sql, report)} own where (${sql.unsafe(SAME.map((name) => `own.${name}`).join(', '))})
        = (${sql.unsafe(SAME.map((name) => `gone.${name}`).join(', '))})
    )
    order by h.value desc nulls last, h.n limit ${CLOSED_MAX}`
  return { closed: rows.map(({ closed_count: _, ...row }) => row), closed_count: rows[0]?.closed_count ?? 0 }
}

function placeAfter(cursor: string, accession: string): { value: string | null; n: number } {
  const [of, value, n] = decodeCursor(cursor, 3)
  const isPlace = /^\d{1,9}$/.test(n ?? '') && (value === null || isAmount(value ?? ''))
  if (of !== accession || !isPlace)
    throw apiError('invalid_cursor', {
      reason: 'not a next_cursor of the current report; repeat the request without cursor',
    })
  return { value: value ?? null, n: Number(n) }
}
