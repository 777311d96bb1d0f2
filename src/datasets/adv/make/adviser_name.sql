-- adviser_name: the names by which a search finds each touched firm. If a current and a former name compare as equal,
-- only the current name is stored.
--
-- reads touched, adviser, filing, firm, related, bulk.history, folded

delete from adviser_name where crd in (select crd from touched);

insert into adviser_name (crd, kind, name, name_key)
with own as (
  select a.crd, a.business_name, a.legal_name, a.sec_file_number, a.schedule_filing_id
  from touched join adviser a using (crd)
), filed as (
  select f.crd, f.filing_id, f.business_name, f.legal_name, f.new_name, f.sec_number from own join filing f using (crd)
), shown as (
  select m.crd, m.business_name, m.legal_name, m.sec_number from own join firm m using (crd)
), now as (
  select crd, 'business' as kind, business_name as name from own where business_name is not null
  union all
  select crd, 'legal', legal_name from own where legal_name is not null
  union all
  select o.crd, 'other', r.name from own o join related r on r.filing_id = o.schedule_filing_id
  where r.kind = 'other_name' and r.name is not null
  union all
  select o.crd, 'other', f.new_name from own o join filed f on f.filing_id = o.schedule_filing_id
  where f.new_name is not null
), ever as (
  select crd, name from filed, unnest(array[business_name, legal_name, new_name]) as name where name is not null
  union
  select crd, name from shown, unnest(array[business_name, legal_name]) as name where name is not null
  union
  select o.crd, h.value from own o join bulk.history h on h.key = o.crd
  where h.series in ('IA_FIRM_SEC', 'IA_FIRM_STATE') and h.field in ('business_name', 'legal_name') and h.value is not null
  union
  select f.crd, r.name from filed f join related r using (filing_id) where r.kind = 'other_name' and r.name is not null
), keyed as (
  select crd, kind, name, name_key from now join folded using (name) where name_key <> ''
), number as (
  select crd, sec_file_number as number from own
  union
  select crd, sec_number from filed
  union
  select crd, sec_number from shown
), stated as (
  -- Item 1.D(3) lists the firm's CIKs, and Item 1.N has the CIK of a public reporting company.
  select o.crd, r.cik from own o join related r on r.filing_id = o.schedule_filing_id where r.kind = 'cik'
  union all
  select o.crd, f.base_a ->> '1N-CIK'
  from own o join filing f on f.filing_id = o.schedule_filing_id and f.crd = o.crd
)
select distinct on (crd, kind, name_key) crd, kind, name, name_key from keyed
union all
(select distinct on (e.crd, o.name_key) e.crd, 'former', e.name, o.name_key
from ever e join folded o using (name)
where o.name_key <> '' and not exists (select from keyed k where k.crd = e.crd and k.name_key = o.name_key)
order by e.crd, o.name_key, e.name)
union all
select crd, 'crd', crd, crd from own
union all
(select distinct on (crd, lower(number)) crd, 'sec_number', number, lower(number)
-- A longer text is not a number, and fits no index.
from number where octet_length(number) <= 100
order by crd, lower(number), number)
union all
(select distinct on (crd, lpad(cik, 10, '0')) crd, 'cik', cik, lpad(cik, 10, '0')
from stated where cik ~ '^\d{1,10}$' and cik !~ '^0+$'
order by crd, lpad(cik, 10, '0'), cik);
