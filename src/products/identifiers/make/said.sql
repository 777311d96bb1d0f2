-- said: the identifiers that covers of Schedules 13D and 13G and the current reports of funds state for these
-- securities, with days.
--
-- Only the five largest holdings of a security in each quarter are read; 8,000 funds may hold it in thirty quarters.
-- The other holdings state the same identifiers, and an index in order of value finds these five. Tickers keep their
-- case: JPMpC, as the consolidated tape writes preferred series C, would be another ticker in capitals.
--
-- reads security, pub.schedule13_security, pub.nport_standing, pub.nport_holding

create temporary table said on commit drop as
with recursive cusip as (select distinct cusip from security),
-- Each quarter is one step through an index; `distinct` would read a row of every fund and quarter.
step as (
  select min(quarter) as quarter from pub.nport_standing
  union all
  select (select min(quarter) from pub.nport_standing s where s.quarter > step.quarter) from step
  where step.quarter is not null
),
quarter as (select quarter from step where quarter is not null),
held as (
  select c.cusip, q.quarter, h.accession, h.issuer_name, h.ticker, h.isin, h.lei
  from cusip c cross join quarter q cross join lateral (
    select accession, issuer_name, ticker, isin, lei from pub.nport_holding n
    where sec_id = c.cusip and quarter = q.quarter
      and exists (select from pub.nport_standing s where s.accession = n.accession)
    order by value desc nulls last limit 5
  ) h
)
select cusip, 'cik' as kind, issuer_cik as value, 'schedule13' as source, issuer_name as name, filed_date as seen, accession
from cusip join pub.schedule13_security using (cusip)
union all
select cusip, kind, value, 'nport', issuer_name, quarter, accession
from held cross join lateral (values ('ticker', upper(regexp_replace(ticker, '^([A-Z]+)p([A-Z]?)$', '\1-P\2'))), ('isin', upper(isin)), ('lei', upper(lei))) stated (kind, value)
where value is not null;

analyze said;
