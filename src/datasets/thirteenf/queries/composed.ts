/** Composes the reports of a quarter while their lines stay in the database. */
import { storedQuarter } from '../../../declare/quarter.ts'
import type { Sql, Transaction } from '../../../store/db.ts'
import type { Reported, Step } from '../compose.ts'

/** A filing about the holdings of a manager at the end of a quarter. */
export interface ReportedOf extends Reported {
  cik: string
  period: string
}

/** Prefix of table names: the schema in requests; empty in rollups, which find tables by the search path. */
type Schema = 'thirteenf.' | ''

/**
 * Selects filings whose own prices do not determine the unit, or determine a unit that the filing date contradicts. The
 * condition is that of a partial index on `report`, so that queries can use this index.
 */
export const isInDoubt = (sql: Sql | Transaction, report: 'r' | 'of') => {
  const of = sql.unsafe(report)
  return sql`(${of}.scale_reason <> 'implied prices' or (${of}.scale = 1) = (${of}.filed_date < '2023-01-03'))`
}

/**
 * Scales that other managers' prices decided, as `d`. Skips filings that were since read again with another scale, or
 * whose own prices and date now agree: their old rows remain until the next refresh.
 */
export const decidedByOthers = (sql: Sql | Transaction, schema: Schema = 'thirteenf.') => sql`(
    select d.* from ${sql.unsafe(schema)}rescaled d join ${sql.unsafe(schema)}report of using (accession)
    where d.stored = of.scale and ${isInDoubt(sql, 'of')}
  ) d`

const columns = (sql: Sql | Transaction, schema: Schema) => sql`
  r.accession, r.cik, r.period, r.filed_date as "filedDate", r.submission_type as "submissionType",
  r.amendment_number as "amendmentNumber", r.amendment_type as "amendmentType", r.position_count as positions,
  q.declared_entries as "declaredEntries", coalesce(trunc(r.value / d.stored * d.scale), r.value)::text as value,
  case when r.amendment_type = 'new_holdings'
    then (select count(*)::int from ${sql.unsafe(schema)}repeated x where x.by_accession = r.accession) end as repeats
  from ${sql.unsafe(schema)}report r join ${sql.unsafe(schema)}quality q using (accession)
  left join ${decidedByOthers(sql, schema)} using (accession)`

/**
 * Returns all filings of a manager, newest quarter first, or only those about the quarter `period`. Skips filings with
 * an unknown quarter.
 */
export const reportsOf = (sql: Sql | Transaction, cik: string, period?: string) => sql<ReportedOf[]>`
  select ${columns(sql, 'thirteenf.')}
  where r.cik = ${cik} and r.period is not null ${period === undefined ? sql`` : sql`and r.period = ${period}`}
  order by r.period desc, r.filed_date, r.accession`

/** Returns, for rollups, all filings of these managers whose quarter is known. */
export const reportsFor = (tx: Transaction, ciks: readonly string[]) => tx<ReportedOf[]>`
  select ${columns(tx, '')} where r.cik = any(${ciks as string[]}) and r.period is not null`

/**
 * Returns, for each manager, all filings about its newest quarter with reported holdings. By the rule of compose.ts, a
 * filing reports holdings if it is neither a notice nor a request, if it has lines or declares that there are none,
 * and, for an amendment, if it states its kind.
 *
 * @param ciks null selects all managers
 */
export const newestReports = (sql: Sql | Transaction, ciks: readonly string[] | null) => sql<ReportedOf[]>`
  select ${columns(sql, '')}
  join (
    select r.cik, max(r.period) as period
    from report r join quality q using (accession)
    where ${ciks === null ? sql`r.cik is not null` : sql`r.cik = any(${ciks as string[]})`} and r.period is not null
      and r.submission_type in ('13F-HR', '13F-HR/A') and (r.position_count > 0 or q.declared_entries = 0)
      and (r.submission_type = '13F-HR' or r.amendment_type is not null)
    group by r.cik
  ) newest on newest.cik = r.cik and newest.period = r.period
  order by r.cik, r.filed_date, r.accession`

/** Keeps the steps that are part of the holdings. */
export const counted = (steps: readonly Step[]): Step[] =>
  steps.filter(({ part }) => part !== 'replaced' && part !== 'left_out')

/**
 * SQL of the lines of composed reports, the counterpart of `composed` in compose.ts for lines in the database. Drops
 * lines whose CUSIP a later step replaces, and lines that a later step repeats. Reads only the partition of the period.
 * If prices of other managers decided the scale of a filing, its values use that scale.
 */
export const linesOf = (
  sql: Sql | Transaction,
  period: string,
  steps: readonly Step[],
  schema: Schema = 'thirteenf.',
) => {
  const accessions = steps.map(({ accession }) => accession)
  return sql`
  (with step as (
    select s.*, d.scale, d.stored
    from unnest(${accessions}::text[], ${steps.map(({ part }) => part)}::text[])
      with ordinality s (accession, part, place)
    left join ${decidedByOthers(sql, schema)} using (accession)
  ), line as not materialized (
    select * from ${sql.unsafe(schema)}position
    where accession = any(${accessions}::text[]) and quarter = ${storedQuarter(period)}
  ), named as (
    select upper(l.cusip) as cusip, max(s.place) as place
    from step s join line l using (accession)
    where s.part = 'replaces_named' and l.cusip is not null group by 1
  )
  select l.accession, l.n, l.cusip, l.security, coalesce(l.value / s.stored * s.scale, l.value) as value, l.amount,
    l.kind, l.put_call, s.place
  from step s join line l using (accession)
  left join named on named.cusip = upper(l.cusip)
  where (named.place is null or named.place <= s.place)
    and not exists (
      select from ${sql.unsafe(schema)}repeated x
      where x.accession = l.accession and x.n = l.n and x.by_accession = any(${accessions}::text[])))`
}

/**
 * Tests whether a step replaces some lines of another: then the totals of the filings do not add up to the holdings.
 */
const isMixed = (steps: readonly Step[]): boolean =>
  steps.some(({ part, flags }) => part === 'replaces_named' || flags.includes('repeats_lines'))

/** Returns the value of a quarter's composed reports, options included. */
export async function worthOf(
  sql: Sql | Transaction,
  reports: readonly ReportedOf[],
  steps: readonly Step[],
  schema: Schema = 'thirteenf.',
): Promise<string | null> {
  if (isMixed(steps)) {
    const lines = linesOf(sql, reports[0]!.period, steps, schema)
    const [row] = await sql<{ value: string | null }[]>`select sum(value)::text as value from ${lines} l`
    return row!.value
  }
  const values = steps.map(({ accession }) => reports.find((report) => report.accession === accession)!.value)
  return values.every((value) => value === null)
    ? null
    : String(values.reduce((sum, value) => sum + BigInt(value ?? 0), 0n))
}

/** Counts the lines of a quarter's composed reports. */
export async function linesIn(
  sql: Sql | Transaction,
  reports: readonly ReportedOf[],
  steps: readonly Step[],
  schema: Schema = 'thirteenf.',
): Promise<number> {
  if (isMixed(steps)) {
    const lines = linesOf(sql, reports[0]!.period, steps, schema)
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from ${lines} l`
    return row!.n
  }
  const byAccession = new Map(reports.map((report) => [report.accession, report]))
  return steps.reduce((sum, { accession }) => sum + (byAccession.get(accession)!.positions ?? 0), 0)
}
