/** Views of Schedules 13D and 13G that other slices may read. */
import { amendedColumns } from '../../declare/amended.ts'
import { view } from '../../declare/view.ts'
import { report, security } from './tables.ts'

const { submission_type, issuer_cik, issuer_name, title_of_class } = report.columns

/**
 * If a cover names several CUSIPs, each row has the same title, although it is unknown to which CUSIP the title
 * belongs.
 */
export const schedule13Security = view(
  'pub.schedule13_security',
  'One row per valid CUSIP on the cover of a schedule in XML, with the issuer that the cover names. Schedules in text are left out: only EDGAR’s header names their issuer',
  {
    accession: report.row.shape.accession,
    filed_date: report.row.shape.filed_date,
    submission_type,
    issuer_cik: issuer_cik.unwrap(),
    issuer_name,
    cusip: security.columns.cusip.unwrap(),
    title_of_class,
  },
  `
select r.accession, r.filed_date, r.submission_type, r.issuer_cik, r.issuer_name, s.cusip, r.title_of_class
from report r join security s using (accession)
where r.source = 'xml' and s.cusip_flag is null and s.cusip is not null and r.issuer_cik is not null`,
  { families: { schedule13: 'owners of more than 5% (Schedules 13D, 13G)' } },
)

const BEFORE = (one: string, other: string) => `
      ${one}.accession <> ${other}.accession and ${one}.issuer_cik = ${other}.issuer_cik and ${one}.cik = ${other}.cik
      and ${one}.schedule = ${other}.schedule and (${one}.cusip = ${other}.cusip) is not false
      and (${one}.filed_date < ${other}.filed_date or (${one}.filed_date = ${other}.filed_date
        and (not ${one}.is_amendment or ${one}.amendment_number < ${other}.amendment_number)))`

/** The rule of chain.ts as a query over many filings; a test compares the two. */
const AMENDS = (amendment: string, filing: string) => `
      ${amendment}.is_amendment and (${amendment}.previous_accession = ${filing}.accession
      or (${amendment}.previous_accession = ${filing}.previous_accession
        and (${amendment}.filed_date, ${amendment}.accession) > (${filing}.filed_date, ${filing}.accession))
      or (${amendment}.previous_accession is null and ${BEFORE(filing, amendment)}
        and not exists (select from report o where ${BEFORE('o', amendment)}
          and o.filed_date >= ${filing}.filed_date and o.accession <> ${filing}.accession)
        and (case when ${filing}.is_amendment then ${filing}.amendment_number else 0 end + 1 = ${amendment}.amendment_number)
          is not false))`

/**
 * Each amendment restates the holdings, so a filing is amended by the next amendment and by all amendments after it.
 */
export const schedule13Amended = view(
  'pub.schedule13_amended',
  'One row per filing that was certainly amended, with the amendments',
  amendedColumns,
  `
select r.accession, m.amended_by
from report r cross join lateral (
  with recursive down as (
    select r.accession, r.filed_date, r.is_amendment, r.amendment_number, r.previous_accession, r.issuer_cik, r.cik, r.schedule,
      r.cusip
    union
    select a.accession, a.filed_date, a.is_amendment, a.amendment_number, a.previous_accession, a.issuer_cik, a.cik, a.schedule,
      a.cusip
    from down x join lateral (
      select * from report o where o.issuer_cik = x.issuer_cik and o.cik = x.cik and o.is_amendment and o.previous_accession is null
      union all select * from report o where o.previous_accession in (x.accession, x.previous_accession) and o.is_amendment
    ) a on ${AMENDS('a', 'x')}
  )
  select array_agg(d.accession order by d.filed_date desc, d.accession desc) as amended_by
  from down d where d.accession <> r.accession
) m
where m.amended_by is not null`,
)
