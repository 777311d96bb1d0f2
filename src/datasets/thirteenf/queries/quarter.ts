/** Returns the known data of one quarter of a manager, or the reason why there is none. */
import type { Sql } from '../../../store/db.ts'
import type { STATES } from '../answers.ts'
import { compose, type Step } from '../compose.ts'
import { counted, type ReportedOf } from './composed.ts'

export interface Quarter {
  /** Last day of the quarter. */
  period: string
  /** All filings of the manager about the quarter, including those filed after `asOf`. */
  reports: readonly ReportedOf[]
  /** Filings that are part of the holdings. */
  steps: Step[]
  asOf: string | undefined
}

export interface Standing {
  state: (typeof STATES)[number]
  note: string | null
}

/** Selects a quarter from all filings of a manager, as it was known on a day. */
export function quarterOf(all: readonly ReportedOf[], period: string, asOf: string | undefined): Quarter {
  const reports = all.filter((report) => report.period === period)
  return { period, reports, steps: counted(compose(reports, asOf)), asOf }
}

/** Returns the quarters with reported holdings, newest first. */
export const quartersOf = (all: readonly ReportedOf[], asOf: string | undefined): Quarter[] =>
  [...new Set(all.map(({ period }) => period))]
    .map((period) => quarterOf(all, period, asOf))
    .filter(({ steps }) => steps.length > 0)

/** Returns the last day of the quarter before. */
export function quarterBefore(period: string): string {
  const [year, month] = [Number(period.slice(0, 4)), period.slice(5, 7)]
  if (month === '03') return `${year - 1}-12-31`
  return `${year}-${month === '06' ? '03-31' : month === '09' ? '06-30' : '09-30'}`
}

/** Returns the last day of the newest quarter that had ended before a day. */
export function quarterOver(day: string): string {
  const ends = ['03-31', '06-30', '09-30', '12-31'].map((end) => `${day.slice(0, 4)}-${end}`)
  return ends.findLast((end) => end < day) ?? quarterBefore(ends[0]!)
}

/**
 * Maximum number of days from the end of a quarter until its reports are due: 45, and up to 5 until the next business
 * day. Amendments and late reports may come at any time.
 */
const DUE_DAYS = 50

/** Decides the state of a quarter. The first case that applies decides. */
export async function standingOf(sql: Sql, cik: string, quarter: Quarter): Promise<Standing> {
  const { period, reports, steps, asOf } = quarter
  if (steps.some(({ part }) => part === 'whole')) return { state: 'reported', note: null }
  if (steps.length > 0) {
    const accessions = steps.map(({ accession }) => accession).join(', ')
    return {
      state: 'incomplete',
      note: `only amendments that add holdings to the report are loaded, and not the report itself: ${accessions}`,
    }
  }
  const filed = reports.filter(({ filedDate }) => asOf === undefined || filedDate <= asOf)
  if (filed.length > 0) {
    const what = filed.map(({ accession, submissionType }) => `${accession} (${submissionType})`).join(', ')
    return { state: 'no_holdings', note: `filings about it state no holdings: ${what}` }
  }
  const notFiled: Standing = { state: 'not_filed', note: `nothing about it had been filed by ${asOf}` }
  if (reports.length > 0) return notFiled
  const { unread, isCovered, isBeforeDue } = await coverage(sql, cik, period, asOf)
  if (unread > 0) {
    return {
      state: 'not_loaded',
      note: `${unread} reports filed in the quarter after it are listed but not read yet`,
    }
  }
  if (!isCovered)
    return { state: 'not_loaded', note: 'the filings of the weeks in which its report was due are not loaded' }
  return isBeforeDue ? notFiled : { state: 'not_reported', note: 'no report about it was filed when it was due' }
}

/**
 * Returns what shows whether a report would be known if it existed: the number of listed reports that were not read,
 * whether the filings up to the due date are covered, and whether `asOf` is before that date. They are covered if
 * EDGAR's index of the following quarter was read up to the due date, or if a quarterly set covers the days up to it,
 * or if the profile of a chosen filer was read on a later day (a profile may lack later filings of the day on which it
 * was read). A set with refused filings covers no days, since it does not name the filers of these filings. The bundled
 * sample covers no days either, since it is a selection.
 */
async function coverage(sql: Sql, cik: string, period: string, asOf: string | undefined) {
  const [row] = await sql<[{ unread: number; isCovered: boolean; isBeforeDue: boolean }]>`
    with days as (
      select ${period}::date + 1 as first, ${period}::date + ${DUE_DAYS}::int as last,
        (${period}::date + interval '3 months')::date as next
    )
    select (
        select count(*)::int from edgar.filer f join edgar.filing l using (accession)
        where f.cik = ${cik} and f.filed_date between first and next and l.family = 'thirteenf'
          and (${asOf ?? null}::date is null or f.filed_date <= ${asOf ?? null})
          and not exists (select from thirteenf.report r where r.accession = f.accession)
      ) as unread,
      not exists (select from core.meta where name = 'origin' and value = 'sample') and (
        exists (
          select from edgar.watermark
          where source like '%/full-index/' || to_char(first, 'YYYY"/QTR"Q') || '/master.idx' and through >= last
        ) or exists (
          select from bulk.filing_set
          where dataset = 'thirteenf' and state = 'done' and refused = 0 and from_day <= first and to_day >= last
        ) or exists (
          select from edgar.chosen
          where cik = ${cik} and (from_day is null or from_day <= first) and through > last
        )
      ) as "isCovered",
      coalesce(${asOf ?? null}::date < last, false) as "isBeforeDue"
    from days`
  return row!
}
