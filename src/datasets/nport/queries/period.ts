/** Decides the state of a period for which a fund has no report, and the reason. */
import type { Missing } from '../../../serve/loaded.ts'
import type { Sql } from '../../../store/db.ts'
import type { STATES } from '../answers.ts'

interface Standing {
  state: (typeof STATES)[number]
  note: string | null
  not_loaded?: Missing[]
}

/**
 * Maximum number of days from the end of a period until its report is due: 60, and up to 5 until the next business day.
 * Only months that end a quarter of the fund's fiscal year are public, so other months have no report. Both rules are
 * those of today; earlier rules are not applied.
 */
const DUE_DAYS = 65

interface PeriodQuery {
  cik: string
  fund: string
  period: string | null
  as_of: string | undefined
  /** Whether a report about the period is known, but was filed after `as_of`. */
  isFiled: boolean
  /** Whether no period was requested, and each report states a period that ends after its filing date. */
  isSlip: boolean
}

/**
 * Finds out why a fund has no report about the period. Except for a slip, the state `not_reported` needs two conditions:
 *
 * - all reports have been read that are listed for the days in which the report was due;
 * - a report would be known if it existed, because EDGAR's quarterly indexes or sets of filings cover these days, or
 *   because the registrant is a chosen filer whose profile was read after the last of these days.
 *
 * A profile that is read during a day can lack filings of that day. A set with refused filings covers no days, since it
 * does not name their filers. The bundled sample covers no days either.
 */
export async function standingOf(
  sql: Sql,
  { cik, fund, period, as_of, isFiled, isSlip }: PeriodQuery,
): Promise<Standing> {
  if (isSlip) {
    return {
      state: 'not_reported',
      note: 'its reports state a period that ends after their filing date, which is an error; periods lists them',
    }
  }
  if (isFiled || period === null) return { state: 'not_filed', note: `nothing about it had been filed by ${as_of}` }
  const [row] = await sql<[{ unread: number; isCovered: boolean; isBeforeDue: boolean }]>`
    with days as (select ${period}::date + 1 as first, ${period}::date + ${DUE_DAYS}::int as last)
    select (
        select count(*)::int from edgar.filer f join edgar.filing l using (accession)
        where f.cik = ${cik} and f.filed_date between first and last and l.form_type in ('NPORT-P', 'NPORT-P/A')
          and (${as_of ?? null}::date is null or f.filed_date <= ${as_of ?? null})
          and not exists (select from nport.report r where r.accession = f.accession)
      ) as unread,
      not exists (select from core.meta where name = 'origin' and value = 'sample') and (exists (
        select from edgar.chosen
        where cik = ${cik} and (from_day is null or from_day <= first) and through > last
      ) or not exists (
        select from generate_series(date_trunc('quarter', first), last, interval '3 months') quarter,
          least(last, (quarter + interval '3 months - 1 day')::date) until
        where not exists (
          select from edgar.watermark
          where source like '%/full-index/' || to_char(quarter, 'YYYY"/QTR"Q') || '/master.idx' and through >= until
        ) and not exists (
          select from bulk.filing_set
          where dataset = 'nport' and state = 'done' and refused = 0 and from_day <= greatest(first, quarter) and to_day >= until
        )
      )) as "isCovered",
      coalesce(${as_of ?? null}::date < last, false) as "isBeforeDue"
    from days`
  const { unread, isCovered, isBeforeDue } = row!
  const unknown = (why: string): Standing => ({
    state: 'not_loaded',
    note: why,
    not_loaded: [{ source: 'nport', note: `holdings of ${fund} at ${period} are not known: ${why}` }],
  })
  if (unread > 0)
    return unknown(`${unread} reports that its registrant filed when one was due are listed but not read yet`)
  if (!isCovered) return unknown('the filings of the weeks in which a report was due are not loaded')
  if (isBeforeDue) return { state: 'not_filed', note: `nothing about it had been filed by ${as_of}` }
  return {
    state: 'not_reported',
    note: 'no report about it was filed when it was due, or reports of this month are not public',
  }
}
