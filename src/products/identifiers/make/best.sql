-- best: one value of each kind. It is the most certain value; among equally certain values the newest; among equally
-- new values the most frequent. None if two are still equal.
--
-- Everything is collected by CUSIP before it is joined, in a table whose size the planner knows. Without statistics the
-- planner expected one row, sorted the 14,000 names of a quarterly set of 13F again for each security, and took 70 s
-- instead of one.
--
-- reads touched, security, identifier, alike, pub.companies_ticker; makes best

delete from best where substr(cusip, 1, 6) in (select issuer from touched);

create temporary table surest on commit drop as
with ranked as (
  select i.*, regexp_replace(value, '[^A-Za-z0-9]', '', 'g') as plain,
    rank() over (partition by cusip, kind order by confidence desc, last_seen desc nulls last, reports desc) as place,
    row_number() over (
      partition by cusip, kind order by confidence desc, last_seen desc nulls last, reports desc, value, source) as n
  from identifier i
  -- A confidence below 0.5 means that the names disagree, or that the identifier is probably wrong.
  where substr(cusip, 1, 6) in (select issuer from touched) and confidence >= 0.5
), equal as (
  -- If two values are equal in confidence, age and frequency, it is unknown which one is right; BRK.B and BRK/B are one
  -- value.
  select *, min(plain) over value_of = max(plain) over value_of as is_one
  from ranked where place = 1 window value_of as (partition by cusip, kind)
)
select cusip, max(value) filter (where kind = 'cik') as cik, max(value) filter (where kind = 'ticker') as ticker,
  max(value) filter (where kind = 'isin') as isin, max(value) filter (where kind = 'lei') as lei,
  max(name) filter (where kind = 'cik') as name, max(source) filter (where kind = 'cik') as source,
  max(confidence) filter (where kind = 'cik') as confidence, max(accession) filter (where kind = 'cik') as accession
from equal where n = 1 and is_one
group by cusip;

analyze surest;

insert into best (cusip, cik, ticker, isin, lei, company_name, source, confidence, accession)
with of_alone as (
  -- A company with one ticker and one security: its ticker is the ticker of the security. Each list that has the ticker
  -- is a row.
  select f.cusip, min(l.ticker) as ticker
  from (select min(cusip) as cusip from security group by issuer having count(distinct cusip) = 1) alone
  join surest f using (cusip)
  join pub.companies_ticker l on l.cik = f.cik and l.gone_on is null
  group by f.cusip having count(distinct l.ticker) = 1
), company as (
  select cik, max(company) as name from alike where company is not null group by cik
)
select cusip, f.cik, coalesce(f.ticker, of_alone.ticker), f.isin, f.lei, coalesce(company.name, f.name), f.source,
  f.confidence, f.accession
from (select distinct cusip from security) s
left join surest f using (cusip)
left join of_alone using (cusip)
left join company on company.cik = f.cik;
