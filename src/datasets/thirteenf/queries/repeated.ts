/**
 * Finds lines of new holdings that were reported before. Filers repeat their report in an amendment that is marked as
 * adding holdings, or correct a line of the report in such an amendment. Without this module, such lines would count
 * twice. Other amendments really add holdings: in 46 real amendments of one manager, no CUSIP occurs in the earlier
 * report.
 */
import type { Transaction } from '../../../store/db.ts'
import { compose, type Step } from '../compose.ts'
import { counted, linesOf, type ReportedOf } from './composed.ts'

/**
 * Finds the lines that the amendments of one manager and period repeat or correct, and stores these lines. Sets
 * `repeats` of each amendment to the number of these lines.
 *
 * @param quarter the partition that has the positions of these filings
 */
export async function findRepeated(tx: Transaction, quarter: string, reports: readonly ReportedOf[]): Promise<void> {
  const byAccession = new Map(reports.map((report) => [report.accession, report]))
  const inOrder = compose(reports).map(({ accession }) => byAccession.get(accession)!)
  for (const [at, report] of inOrder.entries()) {
    if (report.amendmentType !== 'new_holdings' || !report.positions) continue
    const before = counted(compose(inOrder.slice(0, at)))
    if (before.length > 0) report.repeats = await repeatedIn(tx, quarter, report, before)
  }
}

/**
 * Selects repeated and corrected lines. A line is repeated if the earlier report has a line of the same security,
 * option, kind and amount. If the amendment has several equal lines, at most as many of them are repeated as the
 * earlier report has. A line is corrected if the amendment and the earlier report each have exactly one other line of
 * the same security, option, kind, discretion and managers. An amendment that discloses formerly confidential holdings
 * corrects no line. The unit of the values and the order of the lines do not matter.
 */
async function repeatedIn(tx: Transaction, quarter: string, report: ReportedOf, before: readonly Step[]) {
  const { accession, cik, filedDate } = report
  const line = tx`
    l.accession, l.n, l.value, upper(l.cusip) as cusip, coalesce(l.put_call, '') as option,
    coalesce(l.kind = 'PRN', false) as is_debt, coalesce(l.amount, -1) as amount,
    concat(l.discretion, ' ', l.manager_numbers) as whose`
  const [found] = await tx<{ lines: number; larger: number; smaller: number }[]>`
    with own as materialized (
      select ${line} from position l where l.accession = ${accession} and l.quarter = ${quarter} and l.cusip is not null
    ), stood as materialized (
      select ${line} from ${linesOf(tx, report.period, before, '')} c
      join position l on l.accession = c.accession and l.n = c.n and l.quarter = ${quarter}
      where upper(c.cusip) in (select cusip from own)
    ), same as materialized (
      select s.accession, s.n, s.value, o.n as own, o.value as own_value
      from (select *, row_number() over (partition by cusip, option, is_debt, amount order by accession, n) as nth
        from stood) s
      join (select *, row_number() over (partition by cusip, option, is_debt, amount order by n) as nth from own) o
        using (cusip, option, is_debt, amount, nth)
    ), corrected as (
      select s.accession, s.n
      from (select *, count(*) over (partition by cusip, option, is_debt, whose) as times from stood
        where (accession, n) not in (select accession, n from same)) s
      join (select *, count(*) over (partition by cusip, option, is_debt, whose) as times from own
        where n not in (select own from same)) o using (cusip, option, is_debt, whose)
      join report r on r.accession = ${accession} and r.confidential_ended is not true
      where s.times = 1 and o.times = 1
    ), stored as (
      insert into repeated (accession, n, cik, by_accession, until)
      select accession, n, ${cik}, ${accession}, ${filedDate}
      from (select accession, n from same union all select accession, n from corrected) line
    )
    select (select count(*)::int from same) + (select count(*)::int from corrected) as lines,
      (select count(*)::int from same where own_value::numeric between value::numeric * 500 and value::numeric * 2000
        and value > 0) as larger,
      (select count(*)::int from same where value::numeric between own_value::numeric * 500 and own_value::numeric * 2000
        and own_value > 0) as smaller`
  const { lines, larger, smaller } = found!
  if (larger + smaller > 0) await rescale(tx, accession, larger, smaller)
  return lines
}

/** If an amendment's own prices do not determine its unit, gives it the unit of the lines that it repeats. */
async function rescale(tx: Transaction, accession: string, larger: number, smaller: number): Promise<void> {
  await tx`
    insert into rescaled (accession, cik, scale, stored, compared, agreed)
    select accession, cik, case scale when 1 then 1000 else 1 end, scale, ${larger + smaller}, ${larger + smaller}
    from report
    where accession = ${accession} and scale_reason <> 'implied prices'
      and case scale when 1 then ${smaller} else ${larger} end = ${larger + smaller}
    on conflict (accession) do nothing`
}
