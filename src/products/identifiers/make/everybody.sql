-- Marks every issuer with a security in any source, and issuers that have rows here but no longer have a security.
--
-- reads pub.schedule13_security, pub.nport_security, pub.thirteenf_security, best

select substr(cusip, 1, 6) as issuer from pub.schedule13_security
union
select substr(sec_id, 1, 6) from pub.nport_security where sec_id not like '%~%'
union
select substr(sec_id, 1, 6) from pub.thirteenf_security where filed = sec_id
union
select substr(cusip, 1, 6) from best;
