-- Advisers as other slices see them, one row a firm.
create view pub.adv_adviser as
select
  crd,
  firm_name,
  name_key,
  legal_name,
  sec_file_number,
  adviser_type,
  feed,
  city,
  city_key,
  state,
  country,
  first_filing_date,
  latest_filing_date,
  latest_raum,
  has_disciplinary,
  primary_website,
  is_terminated
from adviser;

-- Names of advisers, of now and before, by the words by which they are found: names.ts.
create view pub.adv_name as
select crd, words as name_words from search_name;

-- Filers of EDGAR that are, or may be, an adviser.
create view pub.adv_link as
select crd, cik, method, confidence from link;

-- Days on which a firm filed Form ADV or ADV-W, one row a filing: those of the data files, and the newest where only a
-- feed shows it.
create view pub.adv_filing_day as
select crd, day, 'ADV' as form
-- A filing stands twice where an adviser changed its kind with it.
from (select distinct crd, filing_id, submitted_date as day from filing where submitted_date is not null) filed
union all
select crd, date, 'ADV-W' from withdrawal where date is not null
union all
select crd, latest_filing_date, 'ADV' from adviser where latest_filing_id is null and latest_filing_date is not null;
