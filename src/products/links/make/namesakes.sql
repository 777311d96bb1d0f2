-- Marks these advisers, and advisers that share a legal name with one of them. A name links an adviser only if no other
-- adviser has it. Runs before names change and afterwards.
--
-- reads pub.adv_legal_name
-- $1    CRD numbers of the advisers that change; in psql `array['361']`

select unnest($1::text[]) as crd
union
select other.crd
from pub.adv_legal_name own join pub.adv_legal_name other using (name_key)
where own.crd = any ($1::text[]);
