-- security: the CUSIPs of the touched issuers, each with the names that sources have for it. Lines of 13F name what they hold,
-- and no number but the CUSIP, so names are all that they say. The few CUSIPs filed in small letters are left to those who write
-- them in capitals: an index has them as filed.
--
-- reads touched, pub.schedule13_security, pub.nport_security, pub.thirteenf_security

create temporary table security on commit drop as
select distinct cusip, substr(cusip, 1, 6) collate "C" as issuer, name
from (
  select s.cusip, s.issuer_name as name
  from touched t join pub.schedule13_security s on s.cusip >= t.issuer and s.cusip < t.issuer || '~'
  union all
  select s.sec_id, s.issuer_name
  from touched t join pub.nport_security s on s.sec_id >= t.issuer and s.sec_id < t.issuer || '~'
  union all
  select s.filed, s.issuer_name
  from touched t join pub.thirteenf_security s
    on s.filed >= t.issuer and s.filed < t.issuer || '~' and s.filed = s.sec_id
) found
where name is not null;

analyze security;
