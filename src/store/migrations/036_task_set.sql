-- A filing whose rows are from a quarterly set does not wait to be fetched: its task has a state of its own.

alter table bulk.set_filing add column suffices boolean not null default true;
comment on column bulk.set_filing.suffices is 'Whether no line of the filing was refused, so that its submission need not be fetched';
-- A refused line that names no filing may be of any filing of its set. Only the first 1,000 refusals are kept.
update bulk.set_filing s set suffices = false
from bulk.filing_set l
where l.dataset = s.dataset and l.name = s.name
  and (l.refused >= 1000 or exists (
    select from jsonb_array_elements(l.refusals) r where (r ->> 'key' ~ '^[0-9]{10}-[0-9]{2}-[0-9]{6}$') is not true));
-- The filing has its rows from an older set.
update bulk.set_filing s set suffices = false
from bulk.filing_set l, jsonb_array_elements(l.refusals) r
where l.dataset = s.dataset and l.to_day >= s.to_day and r ->> 'key' = s.accession;

alter table edgar.task drop constraint task_state_check;
alter table edgar.task add constraint task_state_check check (state in ('pending', 'done', 'failed', 'set'));
comment on column edgar.task.state is 'pending, done or failed; set: its rows are from a quarterly set, and its submission is fetched only on request';
update edgar.task t
set state = 'set', error = null, passing = false, unread = 0, unread_paths = '{}', problems = '[]', finished_at = null
from bulk.set_filing s
where s.dataset = t.dataset and s.accession = t.accession and s.suffices
  and (t.state = 'pending' or t.state = 'failed' and t.passing);
create index task_set on edgar.task (dataset, filed_date desc, accession desc) where state = 'set';
