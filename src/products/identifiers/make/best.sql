-- best: of each kind what is most sure, of equals the newest, of these what is said most often; none where two are equal in that.
--
-- reads touched, security, identifier, alike, pub.companies_ticker; makes best

delete from best where substr(cusip, 1, 6) in (select issuer from touched);

insert into best (cusip, cik, ticker, isin, lei, company_name, source, confidence, accession)
with ranked as (
  select i.*, regexp_replace(value, '[^A-Za-z0-9]', '', 'g') as plain,
    rank() over (partition by cusip, kind order by confidence desc, last_seen desc nulls last, reports desc) as place,
    row_number() over (
      partition by cusip, kind order by confidence desc, last_seen desc nulls last, reports desc, value, source) as n
  from identifier i
  -- Below that, names disagree, or the value is none.
  where substr(cusip, 1, 6) in (select issuer from touched) and confidence >= 0.5
), equal as (
  -- Of two values that are equal in all of this nobody knows which is right; BRK.B and BRK/B are one.
  select *, min(plain) over value_of = max(plain) over value_of as is_one
  from ranked where place = 1 window value_of as (partition by cusip, kind)
), believed as (
  select cusip, max(value) filter (where kind = 'cik') as cik, max(value) filter (where kind = 'ticker') as ticker,
    max(value) filter (where kind = 'isin') as isin, max(value) filter (where kind = 'lei') as lei,
    max(name) filter (where kind = 'cik') as name, max(source) filter (where kind = 'cik') as source,
    max(confidence) filter (where kind = 'cik') as confidence, max(accession) filter (where kind = 'cik') as accession
  from (
    select cusip, kind, value, name, source, confidence, accession from equal where n = 1 and is_one
    union all
    -- What nothing is believed of is known too.
    select distinct cusip, null, null, null, null, null::numeric, null from security
  ) of_all
  group by cusip
)
select cusip, cik,
  -- The one ticker of a company is that of its one security. That list is made once: with a join for each of 12,000 securities
  -- it took five minutes.
  coalesce(ticker, case when cusip in (select min(cusip) from security group by issuer having count(distinct cusip) = 1)
    then (select min(l.ticker) from pub.companies_ticker l where l.cik = b.cik having count(*) = 1) end),
  isin, lei, coalesce((select max(company) from alike where alike.cik = b.cik), name), source, confidence, accession
from believed b;
