/** What lists and exports may read of Forms 144. */
import { amendedColumns } from '../../declare/amended.ts'
import { view } from '../../declare/view.ts'

/** An amendment names the accession of what it amends: the first notice, or an amendment of it. */
export const form144Amended = view(
  'pub.form144_amended',
  'One row a notice that is amended, with the amendments',
  amendedColumns,
  `
select r.accession, m.amended_by
from notice r cross join lateral (
  with recursive up as (
    select r.accession, r.filed_date, r.previous_accession, r.is_amendment
    union
    select x.accession, x.filed_date, x.previous_accession, x.is_amendment
    from up a join notice x on x.accession = a.previous_accession
  ), down as (
    select * from up
    union
    -- Of a first notice that is not held its amendments are known by naming the same one.
    select a.accession, a.filed_date, a.previous_accession, a.is_amendment
    from down x join notice a on a.previous_accession in (x.accession, x.previous_accession)
  )
  select array_agg(d.accession order by d.filed_date desc, d.accession desc) as amended_by from down d
  where d.is_amendment and d.accession <> r.accession
    and (not r.is_amendment or (d.filed_date, d.accession) > (r.filed_date, r.accession))
) m
where m.amended_by is not null`,
)
