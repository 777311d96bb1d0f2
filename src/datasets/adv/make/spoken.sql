-- Selects every current and former name and city of the touched firms, each once. The database cannot fold names, so
-- read/fold.ts computes their form for comparison, which the table `folded` then holds.
--
-- reads touched, source, firm, filing, related, bulk.history

select name from source, unnest(array[business_name, legal_name, city]) as name where name is not null
union
select name from touched join firm using (crd), unnest(array[business_name, legal_name]) as name where name is not null
union
select name from touched join filing using (crd), unnest(array[business_name, legal_name, new_name]) as name
where name is not null
union
select r.name from touched join filing f using (crd) join related r using (filing_id)
where r.kind = 'other_name' and r.name is not null
union
-- Names in feeds of any day.
select h.value from touched join bulk.history h on h.key = crd
where h.series in ('IA_FIRM_SEC', 'IA_FIRM_STATE') and h.field in ('business_name', 'legal_name') and h.value is not null;
