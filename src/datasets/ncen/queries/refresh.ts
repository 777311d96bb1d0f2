import type { DatasetRefresh } from '../../../declare/refresh.ts'
import { OVERDUE_DAYS } from '../tables/columns.ts'

/**
 * Marks funds by the CIK of their registrant, because other reports of the registrant show whether a fund continues.
 *
 * A trust whose series have several fiscal years files a report for each, so the newest report of a registrant does not
 * cover most of its funds. So a report is chosen for each fund: the report with the latest period. A late amendment of
 * an older period does not replace that report. A period that ends after its filing date is a slip. Such a period is
 * taken to end 75 days before that date, as if the report were filed on its due day.
 */
export const refresh: DatasetRefresh = {
  async touched(tx, { keys }) {
    const rows = await tx<{ cik: string }[]>`
      select distinct cik from report where accession = any(${keys as string[]}) and cik is not null`
    return rows.map(({ cik }) => cik)
  },

  async divide(tx, key) {
    if (key !== null) return []
    const rows = await tx<{ key: string }[]>`
      select cik as key from report where cik is not null union select cik from standing`
    return rows.map((row) => row.key)
  },

  async make(tx, keys) {
    const only = keys ? tx`cik = any(${keys as string[]})` : tx`cik is not null`
    await tx`delete from standing where ${only}`
    await tx`
      insert into standing (fund, period, cik, series_id, accession, n, filed_date, as_of, is_newest, ended_by)
      with told as materialized (
        select r.accession, r.cik, r.period, r.filed_date, r.is_last_filing,
          case when r.period <= r.filed_date then r.period else r.filed_date - ${DUE_DAYS}::int end as as_of,
          -- False for a report that an amendment replaces: its statements about ended series no longer count.
          not exists (
            select from report a
            where a.cik = r.cik and a.period = r.period and a.submission_type = 'N-CEN/A' and a.accession <> r.accession
              and (a.filed_date, a.accession) > (r.filed_date, r.accession)) as stands
        from report r where ${keys ? tx`r.cik = any(${keys as string[]})` : tx`r.cik is not null`} and r.period is not null
      ), counted as (
        select distinct on (f.fund, t.period)
          f.fund, t.period, f.cik, f.series_id, t.accession, f.n, t.filed_date, t.as_of
        from told t join fund f using (accession)
        where f.fund is not null
        order by f.fund, t.period, t.filed_date desc, t.accession desc, f.n
      ), ranked as (
        select c.*, row_number() over (partition by fund order by as_of desc, filed_date desc, accession desc) = 1 as is_newest
        from counted c
      )
      select fund, period, cik, series_id, accession, n, filed_date, as_of, is_newest,
        case
          when not is_newest then null
          when exists (
            select from terminated_series e join told t using (accession)
            where e.fund = r.fund and t.stands and t.as_of >= r.as_of) then 'terminated'
          when (
            select is_last_filing from told t where t.cik = r.cik
            order by as_of desc, filed_date desc, accession desc limit 1) then 'last_filing'
          -- The registrant reported on other funds: a year later, or so late that the next report on this fund was
          -- overdue.
          when exists (
            select from told t
            where t.cik = r.cik and (t.as_of - r.as_of between 350 and 380 or t.as_of - r.as_of > ${OVERDUE_DAYS})) then 'missing'
        end
      from ranked r`
  },
}

/** Number of days after the end of a period within which the report is due. */
const DUE_DAYS = 75
