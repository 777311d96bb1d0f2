-- link, method name: one filer and one adviser have the legal name. A name that two filers or two advisers share makes no link.
--
-- reads touched, pub.adv_legal_name, edgar.filer_search

insert into link (crd, cik, method, confidence, basis)
select n.crd, e.cik, 'name', 0.6, n.name_key
from touched join pub.adv_legal_name n using (crd)
cross join lateral (
  select min(cik) as cik from edgar.filer_search where name_key = n.name_key having count(distinct cik) = 1
) e
where not exists (select from pub.adv_legal_name other where other.name_key = n.name_key and other.crd <> n.crd);
