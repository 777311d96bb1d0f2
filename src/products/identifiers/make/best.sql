-- best: of each kind what is most sure, of equals the newest, of these what is said most often; none where two are equal in that.
--
-- reads touched, security, identifier, pub.companies_ticker; makes best

delete from best where substr(cusip, 1, 6) in (select issuer from touched);

insert into best (cusip, cik, ticker, isin, lei, company_name, source, confidence, accession)
with ranked as (
  select i.*, regexp_replace(value, '[^A-Za-z0-9]', '', 'g') as plain,
    rank() over (partition by cusip, kind order by confidence desc, last_seen desc nulls last, reports desc) as place
  from identifier i
  -- Below that, names disagree, or the value is none.
  where substr(cusip, 1, 6) in (select issuer from touched) and confidence >= 0.5
), equal as (
  select *, min(plain) over value_of as low, max(plain) over value_of as high
  from ranked where place = 1 window value_of as (partition by cusip, kind)
), first as (
  -- Of two values that are equal in all of this nobody knows which is right; BRK.B and BRK/B are one.
  select distinct on (cusip, kind) * from equal where low = high order by cusip, kind, value, source
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
