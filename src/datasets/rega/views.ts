/** What other slices may read of Regulation A. */
import { view } from '../../declare/view.ts'
import { feedColumns } from '../../products/feed/views.ts'

export const regaFeed = view(
  'pub.rega_feed',
  'One row a filing under Regulation A, as /feed has it',
  feedColumns,
  `
select
  'rega'::text as source,
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
  raised,
  null::text as website,
  name_key,
  name_words,
  lower(industry) as industry_key
from submission`,
)
