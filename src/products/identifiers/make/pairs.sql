-- pairs: each name that a source gives a security, next to the name of a company. According to that source, this
-- company issued the security. The source states the company's CIK, or a ticker that EDGAR's lists assign to the
-- company. A company that is in no list and has no profile gets the name of its last filing in the index.
--
-- reads said, pub.companies_ticker, pub.companies_company, pub.companies_former_name, edgar.filer_name

with meant as (
  select distinct value as cik, name from said where kind = 'cik' and name is not null
  union
  select distinct t.cik, s.name
  from said s join pub.companies_ticker t
    on regexp_replace(t.ticker, '[^A-Z0-9]', '', 'g') = regexp_replace(s.value, '[^A-Z0-9]', '', 'g')
  where s.kind = 'ticker' and s.name is not null
)
select cik, m.name, coalesce(
    (select c.name from pub.companies_company c where c.cik = m.cik),
    (select max(t.name) from pub.companies_ticker t where t.cik = m.cik),
    (select n.name from edgar.filer_name n where n.cik = m.cik order by name_id desc limit 1)) as company,
  -- Former names count too: a cover or a report of a fund has the name that the company had then.
  array(select f.name from pub.companies_former_name f where f.cik = m.cik
    union select n.name from edgar.filer_name n where n.cik = m.cik) as before
from meant m;
