-- security: the CUSIPs of the touched issuers, each with the names that sources give it. Lines of 13F state the CUSIP
-- and names, and no other number, so they give only names. The few CUSIPs that were filed in lower case are skipped:
-- the index has CUSIPs as filed, and other filers write the same CUSIPs in capitals.
--
-- offset 0 makes the planner look up each issuer separately. Otherwise the planner joins by the range between two
-- columns and reads all issuers for each CUSIP, which takes 22 s for the CUSIPs of a quarterly set of 13F.
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
