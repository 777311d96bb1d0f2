-- Selects the firms that begin to count as terminated with a new feed of the SEC. No feed ever showed these firms, and
-- the new feed is the first that is half a year newer than their newest filing (adviser.sql gives the reason).
--
-- reads adviser, bulk.edition
-- $1 last day of the feed that is loaded, which is not in bulk.edition yet; null for none

select crd
from adviser
where feed is null and not is_terminated and latest_filing_date < (
  select greatest(max(to_day), $1::date) from bulk.edition where series = 'IA_FIRM_SEC' and records > 0
) - 183;
