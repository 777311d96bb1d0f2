-- newest: the newest filing of each touched firm in the monthly data files. A firm that only feeds show has no row.
--
-- reads touched, filing
--
--   crd             the firm
--   filing_id       its newest filing. Among filings of one day, the filing with the largest number counts, since
--                   numbers grow. Every filing repeats the whole form
--   day             day on which the filing was submitted
--   execution_type  kind of its execution page: Domestic or Non-Resident

drop table if exists pg_temp.newest;

create temporary table newest on commit drop as
select t.crd, n.filing_id, n.submitted_date as day, (
    -- A filing with which an adviser changed its kind (registered or exempt) has two rows.
    select max(execution_type) from filing f where f.filing_id = n.filing_id and f.crd = t.crd) as execution_type
from touched t cross join lateral (
  select filing_id, submitted_date from filing f where f.crd = t.crd
  order by submitted_date desc nulls last, length(filing_id) desc, filing_id desc limit 1
) n;

analyze newest;
