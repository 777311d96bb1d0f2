-- security: the CUSIPs of the touched issuers, each with the names that sources have for it. Lines of 13F name what they hold,
-- and no number but the CUSIP, so names are all that they say. The few CUSIPs filed in small letters are left to those who write
-- them in capitals: an index has them as filed.
--
-- Each issuer is looked up by itself (offset 0 keeps it so): a planner that takes the range between two columns for a join reads
-- all issuers for each CUSIP, 22 s for those of a quarterly set of 13F.
--
-- reads touched, pub.schedule13_security, pub.nport_security, pub.thirteenf_security

create temporary table security on commit drop as
select distinct cusip, issuer, name
from touched cross join lateral (
  (select cusip, issuer_name as name from pub.schedule13_security
  where cusip >= issuer and cusip < issuer || '~' offset 0)
  union all
  (select sec_id, issuer_name from pub.nport_security
  where sec_id >= issuer and sec_id < issuer || '~' offset 0)
  union all
  (select filed, issuer_name from pub.thirteenf_security
  where filed >= issuer and filed < issuer || '~' and filed = sec_id offset 0)
) found
where name is not null;

analyze security;
