-- One row a filing, in the columns of /feed. Every source of the feed has a view of this shape.
create view pub.formd_feed as
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
  lower(industry) as industry_key
from offering;
