/** Views of Form D that other slices may read. */
import { amendedColumns, amendsNamed } from '../../declare/amended.ts'
import { view } from '../../declare/view.ts'
import { feedColumns } from '../../products/feed/views.ts'

export const formdFeed = view(
  'pub.formd_feed',
  'One row per Form D, as /feed shows it',
  feedColumns,
  `
select
  'formd'::text as source,
  accession,
  entity_name,
  cik,
  street1,
  street2,
  city,
  state,
  zip,
  filed_date as filing_date,
  submission_type,
  industry,
  total_offered as amount,
  total_sold as raised,
  null::text as website,
  name_key,
  name_words,
  lower(industry) as industry_key,
  -- A scalar subquery, as in pub.formd_amended: with EXISTS, the planner may hash the whole table.
  previous_accession is not null
    or coalesce((select true from offering a where a.previous_accession = offering.accession limit 1), false) as may_be_amended
from offering`,
)

export const formdAmended = view(
  'pub.formd_amended',
  'One row per notice that is amended, with its amendments',
  amendedColumns,
  amendsNamed('offering'),
)
