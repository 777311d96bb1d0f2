-- identifier: the identifiers that sources state. Names decide their confidence, because a cover with the CUSIP of one
-- company and the CIK of another is a mistake, and because a ticker passes from one company to the next.
--
-- reads touched, security, said, alike, named, checked, pub.companies_ticker; makes identifier

delete from identifier where substr(cusip, 1, 6) in (select issuer from touched);

insert into identifier (cusip, kind, value, source, name, first_seen, last_seen, reports, confidence, accession)
select s.cusip, s.kind, s.value, s.source, (array_agg(s.name order by s.seen desc, s.accession desc))[1],
  min(s.seen), max(s.seen), count(*),
  case when s.source = 'nport' then coalesce(max(c.confidence), 0.9) when bool_or(a.is_alike) then 0.95 when bool_or(a.company is not null) then 0.4 else 0.9 end,
  (array_agg(s.accession order by s.seen desc, s.accession desc))[1]
from said s left join alike a on s.kind = 'cik' and a.cik = s.value and a.name = s.name
left join checked c on c.cusip = s.cusip and c.kind = s.kind and c.value = s.value
group by s.cusip, s.kind, s.value, s.source;

insert into identifier (cusip, kind, value, source, name, first_seen, last_seen, reports, confidence, accession)
select s.cusip, 'cik', t.cik, 'tickers', (array_agg(a.company))[1], min(s.seen), max(s.seen), count(*), 0.85,
  (array_agg(s.accession order by s.seen desc, s.accession desc))[1]
from said s
join pub.companies_ticker t on regexp_replace(t.ticker, '[^A-Z0-9]', '', 'g') = regexp_replace(s.value, '[^A-Z0-9]', '', 'g')
join alike a on a.cik = t.cik and a.name = s.name and a.is_alike
where s.kind = 'ticker'
group by s.cusip, t.cik;

insert into identifier (cusip, kind, value, source, name, reports, confidence)
select n.cusip, 'cik', n.cik, 'name', n.company, 1, 0.6
from named n
where not exists (select from identifier i where i.cusip = n.cusip and i.kind = 'cik' and i.confidence >= 0.6);

-- The first six characters of a CUSIP identify the issuer, even after the issuer changes its name. So all securities
-- with the same six characters get the CIK of that issuer, unless the sources state two different CIKs.
insert into identifier (cusip, kind, value, source, name, reports, confidence)
select s.cusip, 'cik', one.cik, 'issuer_number', one.name, 1, 0.8
from (select distinct cusip, issuer from security) s
join (
  select substr(cusip, 1, 6) as issuer, min(value) as cik, min(name) as name from identifier
  where kind = 'cik' and confidence >= 0.85 and substr(cusip, 1, 6) in (select issuer from touched)
  group by substr(cusip, 1, 6) having count(distinct value) = 1
) one using (issuer)
where not exists (select from identifier i where i.cusip = s.cusip and i.kind = 'cik' and i.confidence >= 0.8);
