-- best: of each kind what is most sure, of equals the newest.
--
-- reads touched, security, identifier, pub.companies_ticker; makes best

delete from best where substr(cusip, 1, 6) in (select issuer from touched);

insert into best (cusip, cik, ticker, isin, lei, company_name, source, confidence, accession)
with first as (
  select distinct on (cusip, kind) * from identifier
  -- Below that, names disagree.
  where substr(cusip, 1, 6) in (select issuer from touched) and confidence >= 0.5
  order by cusip, kind, confidence desc, last_seen desc nulls last, reports desc, value, source
), own as (
  -- The one ticker of a company is that of its one security.
  select cusip, count(*) over (partition by issuer) = 1 as is_alone
  from (select distinct cusip, issuer from security) each
)
select s.cusip, c.value, coalesce(t.value, case when s.is_alone then (
    select min(l.ticker) from pub.companies_ticker l where l.cik = c.value having count(*) = 1
  ) end), i.value, l.value,
  coalesce((select max(company) from alike where alike.cik = c.value), c.name), c.source, c.confidence, c.accession
from own s
left join first c on c.cusip = s.cusip and c.kind = 'cik'
left join first t on t.cusip = s.cusip and t.kind = 'ticker'
left join first i on i.cusip = s.cusip and i.kind = 'isin'
left join first l on l.cusip = s.cusip and l.kind = 'lei';
