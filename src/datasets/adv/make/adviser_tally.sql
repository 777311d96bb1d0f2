-- adviser_tally: the number of advisers for each combination of the list's filters. It is made from all advisers: a few
-- thousand rows from one scan, 60 ms at 45,000 advisers.
--
-- reads adviser

delete from adviser_tally;

insert into adviser_tally (fund_type, state, adviser_type, is_terminated, disciplinary, advisers)
select
  fund_type, coalesce(state, ''), adviser_type, is_terminated,
  case when has_disciplinary then 'yes' when not has_disciplinary then 'no' else 'unknown' end,
  count(*)::int
from adviser,
  unnest(array[''] || case when fund_type_list = '{}' then array['none'] else fund_type_list end) as fund_type
group by 1, 2, 3, 4, 5;
