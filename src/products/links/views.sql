-- Filers of EDGAR that are, or may be, an adviser.
create view pub.links_link as
select crd, cik, method, confidence, evidence from link;
