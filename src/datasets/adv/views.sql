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
  lat,
  lng,
  first_filing_date,
  latest_filing_date,
  latest_raum,
  has_disciplinary,
  primary_website,
  is_terminated,
  fund_count,
  fund_types,
  fund_values,
  fund_type_list,
  dominant_fund_type,
  clients,
  client_shares,
  comp_pct_aum,
  comp_hourly,
  comp_subscription,
  comp_fixed,
  comp_commissions,
  comp_performance,
  comp_other
from adviser;

-- Names of advisers, of now and before, by the words by which they are found: names.ts.
create view pub.adv_name as
select crd, words as name_words from search_name;

-- Full legal names of now, as they are compared.
create view pub.adv_legal_name as
select crd, name_key from adviser_name where kind = 'legal';

-- CIKs that an adviser states of itself, in its newest filing of the data files.
create view pub.adv_stated_cik as
select n.crd, n.name_key as cik, a.schedule_filing_id as filing_id
from adviser_name n join adviser a using (crd)
where n.kind = 'cik';

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
