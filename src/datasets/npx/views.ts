/** Views of Form N-PX that lists and exports may read. */
import { amendedColumns } from '../../declare/amended.ts'
import { view } from '../../declare/view.ts'

/**
 * A restatement replaces the report of the same person and period; one of NEW PROXY adds votes, and replaces nothing.
 * If both name series, it replaces their common ones. If one names none, the link is certain only if the person filed
 * one report.
 */
export const npxAmended = view(
  'pub.npx_amended',
  'One row a report that is amended for certain, with the restatements of it, of one of its series at least',
  amendedColumns,
  `
select r.accession, m.amended_by
from report r cross join lateral (
  select array_agg(a.accession order by a.filed_date desc, a.accession desc) as amended_by
  from report a
  where a.cik = r.cik and a.period = r.period and a.is_amendment and a.accession <> r.accession
    and upper(coalesce(a.amendment_type, '')) <> 'NEW PROXY'
    and case when r.is_amendment then (a.filed_date, a.accession) > (r.filed_date, r.accession)
      else a.filed_date >= r.filed_date end
    and case when exists (select from series s where s.accession = a.accession and s.series_id is not null)
        and exists (select from series s where s.accession = r.accession and s.series_id is not null)
      then exists (select from series s join series t using (series_id) where s.accession = a.accession and t.accession = r.accession)
      else (select count(*) from report o where o.cik = r.cik and o.period = r.period and not o.is_amendment) <= 1 end
) m
where m.amended_by is not null`,
)
