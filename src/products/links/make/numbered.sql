-- link, method 801_number: the header of a form that the adviser files on EDGAR has the adviser's SEC file number:
-- ADV-E, ADV-H-T, ADV-NR. Only headers of these forms are searched: the headers of all submissions are too many.
--
-- reads touched, pub.adv_adviser, edgar.filing, edgar.submission

insert into link (crd, cik, method, confidence, basis)
with header as (
  select filer ->> 'cik' as cik, filer ->> 'fileNumber' as number
  from edgar.filing f join edgar.submission s using (accession), jsonb_array_elements(s.header -> 'filers') filer
  where f.form_type >= 'ADV' and f.form_type < 'ADW' and filer ->> 'cik' is not null
), plain as (
  -- `801-016048 ` and `801- 16048` are one number.
  select cik, regexp_replace(number, '^\s*(80[12])\s*-\s*0*(\d+)\s*$', '\1-\2') as number from header
)
select distinct a.crd, h.cik, '801_number', 0.95, h.number
from touched join pub.adv_adviser a using (crd)
join plain h on h.number = a.number_key
where h.number ~ '^80[12]-';
