/** What other slices may read of Regulation Crowdfunding. */
import { view } from '../../declare/view.ts'
import { feedColumns } from '../../products/feed/views.ts'

// The form asks for no industry.
export const crowdfundingFeed = view(
  'pub.crowdfunding_feed',
  'One row a filing under Regulation Crowdfunding, as /feed has it',
  feedColumns,
  `
select
  'crowdfunding'::text as source,
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
  null::text as industry,
  coalesce(maximum_amount, target_amount) as amount,
  raised,
  website,
  name_key,
  name_words,
  null::text as industry_key
from submission`,
)
