-- security: the CUSIPs of the touched issuers, each with the names that sources have for it. Lines of 13F name what they hold,
-- and no number but the CUSIP, so names are all that they say. The few CUSIPs filed in small letters are left to those who write
-- them in capitals: an index has them as filed.
--
-- reads touched, pub.schedule13_security, pub.nport_security, pub.thirteenf_security

create temporary table security on commit drop as
select distinct cusip, substr(cusip, 1, 6) collate "C" as issuer, name
from touched t cross join lateral (
  -- "offset 0" keeps the securities of one issuer a look into an index. Without it the planner goes from all securities to the
  -- touched issuers, by an inequality: every pair of them, 20 million for 6,350 securities.
  (select s.cusip, s.issuer_name as name from pub.schedule13_security s
    where s.cusip >= t.issuer and s.cusip < t.issuer || '~' offset 0)
  union all
  (select s.sec_id, s.issuer_name from pub.nport_security s
    where s.sec_id >= t.issuer and s.sec_id < t.issuer || '~' offset 0)
  union all
  (select s.filed, s.issuer_name from pub.thirteenf_security s
    where s.filed >= t.issuer and s.filed < t.issuer || '~' and s.filed = s.sec_id offset 0)
) found
where name is not null;

analyze security;
