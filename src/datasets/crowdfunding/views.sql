-- One row a filing, in the columns of /feed. Every source of the feed has a view of this shape. The form asks for no
-- industry.
create view pub.crowdfunding_feed as
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
from submission;
