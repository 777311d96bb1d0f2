-- best: of each kind what is most sure, of equals the newest.
--
-- reads touched, security, identifier, pub.companies_ticker; makes best

delete from best where substr(cusip, 1, 6) in (select issuer from touched);

insert into best (cusip, cik, ticker, isin, lei, company_name, source, confidence, accession)
with ranked as (
  select i.*, row_number() over (
    partition by cusip, kind order by confidence desc, last_seen desc nulls last, reports desc, value, source) as place
  from identifier i
  -- Below that, names disagree.
  where substr(cusip, 1, 6) in (select issuer from touched) and confidence >= 0.5
), first as (
  select * from ranked where place = 1
), alone as (
  -- The one ticker of a company is that of its one security.
  select issuer, min(cusip) as cusip from security group by issuer having count(distinct cusip) = 1
)
select s.cusip, c.value, coalesce(t.value, (
    select min(l.ticker) from pub.companies_ticker l join alone a on a.cusip = s.cusip
    where l.cik = c.value having count(*) = 1
  )), i.value, l.value,
  coalesce((select max(company) from alike where alike.cik = c.value), c.name), c.source, c.confidence, c.accession
from (select distinct cusip from security) s
left join first c on c.cusip = s.cusip and c.kind = 'cik'
left join first t on t.cusip = s.cusip and t.kind = 'ticker'
left join first i on i.cusip = s.cusip and i.kind = 'isin'
left join first l on l.cusip = s.cusip and l.kind = 'lei';
