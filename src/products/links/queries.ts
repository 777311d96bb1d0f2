import type { Sql } from '../../store/db.ts'
import type { FilingActivity } from './answers.ts'

/**
 * Maximum number of EDGAR filings that one answer counts. Only a bank that issues priced notes makes more filings in a
 * year.
 */
export const FILINGS_MAX = 20_000

/**
 * Counts filings by day and form, in the `years` before the newest known day of any filing. The years are not counted
 * back from today, so that the answer changes only with the data. If the linked filers have more than FILINGS_MAX
 * filings in this time, the days start later, at the first day that is complete.
 */
export async function filingActivity(
  sql: Sql,
  { crd, years }: { crd: string; years: number },
): Promise<FilingActivity | null> {
  const [row] = await sql<[FilingActivity?]>`
    with bounds as (
      select (greatest(
        (select max(filed_date) from edgar.filing),
        (select max(to_day) from bulk.edition where records > 0),
        (select max(day) from pub.adv_filing_day where crd = ${crd}),
        date '0051-01-01') - make_interval(years => ${years}))::date as asked
    ), newest as materialized (
      select f.accession, f.filed_date
      from (select distinct cik from pub.links_link where crd = ${crd}) l
      cross join lateral (
        select accession, filed_date from edgar.filer
        where cik = l.cik and filed_date >= (select asked from bounds)
        order by filed_date desc, accession desc limit ${FILINGS_MAX + 1}
      ) f
      order by filed_date desc limit ${FILINGS_MAX + 1}
    ), span as (
      select case when (select count(*) from newest) > ${FILINGS_MAX}
        then (select min(filed_date) + 1 from newest) else asked end as first_day
      from bounds
    ), day as (
      select form, day, count(*)::int as n from pub.adv_filing_day
      where crd = ${crd} and day >= (select first_day from span)
      group by form, day
      union all
      select f.form_type, n.filed_date, count(distinct n.accession)::int
      from newest n join edgar.filing f using (accession)
      where n.filed_date >= (select first_day from span)
      group by f.form_type, n.filed_date
    ), covered as (
      select series as source, lower(days) as first, upper(days) - 1 as last
      from (
        select series, unnest(range_agg(daterange(from_day, to_day, '[]'))) as days from bulk.edition
        where series in ('ADV_FILING_DATA', 'ADV_W') and records > 0 group by series
      ) e
      union all
      select 'edgar', (select min(filed_date) from edgar.filing), (select max(filed_date) from edgar.filing)
    )
    select crd, (select first_day from span) as from, coalesce(
      (select json_agg(json_build_object('form', form, 'd', day, 'n', n) order by day, form) from day), '[]') as days,
      coalesce(
        (select json_agg(json_build_object('source', source, 'from', first, 'to', last) order by first, source)
        from covered where last >= (select first_day from span) 
          and not exists (select from core.meta where name = 'origin' and value = 'sample')), '[]') as covered
    from pub.adv_adviser where crd = ${crd}`
  return row ?? null
}
