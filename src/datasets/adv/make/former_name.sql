-- former_name: names that each touched firm had and no longer has. Sorts the names of one kind from filings and feeds
-- by day, and starts a new period where the name changes.
--
-- reads touched, filing, bulk.history, adviser, folded

delete from former_name where crd in (select crd from touched);

insert into former_name (crd, name_key, name, kinds, from_day, to_day, source)
with said as (
  -- Within a day the feed comes first, since it does not yet show the filings of that day.
  select f.crd, kind, name, submitted_date as day, 2 as place, length(filing_id) as digits, filing_id as id,
    'filing ' || filing_id as source
  from touched join filing f using (crd)
  cross join lateral (values ('business', business_name), ('legal', legal_name)) named (kind, name)
  where name is not null
  union all
  select crd, replace(field, '_name', ''), value, from_day, 1, 0, series, series || ' ' || from_day
  from touched join bulk.history h on h.key = crd
  where h.series in ('IA_FIRM_SEC', 'IA_FIRM_STATE') and h.field in ('business_name', 'legal_name') and h.value is not null
), keyed as (
  select s.*, o.name_key, lag(o.name_key) over story as before
  from said s join folded o using (name)
  where o.name_key <> ''
  window story as (partition by crd, kind order by day nulls first, place, digits, id)
), begun as (
  select *, lead(day) over (partition by crd, kind order by day nulls first, place, digits, id) as ended
  from keyed
  where before is distinct from name_key
), last as (
  select distinct on (crd, name_key) crd, name_key, name, source
  from keyed
  order by crd, name_key, day desc nulls last, place desc, digits desc, id desc, kind
)
select b.crd, b.name_key, l.name, array_agg(distinct b.kind order by b.kind), min(b.day),
  case when bool_and(b.ended is not null) then max(b.ended) end, l.source
from begun b join last l using (crd, name_key) join adviser a on a.crd = b.crd
where not exists (
  select from folded o where o.name in (a.business_name, a.legal_name) and o.name_key = b.name_key)
group by b.crd, b.name_key, l.name, l.source;
