-- One log of all changes to the data, in the order in which they were committed.
create table core.event (
  seq  bigint generated always as identity primary key,
  slug text collate "C" not null,
  key  text collate "C",
  what text collate "C" not null check (what in ('added', 'corrected', 'removed')),
  at   timestamptz not null default clock_timestamp()
);
comment on table core.event is 'What became of filings and records, in the order of commits: whoever has read all events up to a seq misses none that comes later. Kept whole: nothing removes the oldest';
comment on column core.event.slug is 'A dataset, for what it has rows of; filings, for the spine';
comment on column core.event.key is 'Accession, or series/record of a bulk series. Null: too many to be named, so that the whole slice is to be read again. This is so for the first load of a quarterly index or of a series, for a rebuild, and for the sample that goes';
comment on column core.event.what is 'added: it was not there, or is there again. corrected: it was there, and may be another. removed: it is no longer there';

-- Takes over the log of editions, which had days without times.
insert into core.event (slug, key, what, at)
select case when series = 'IA_INDVL' then 'reps' else 'adv' end, series || '/' || key,
  case what when 'changed' then 'corrected' when 'gone' then 'removed' else 'added' end, day
from bulk.change order by day, series, key, what <> 'back';
drop table bulk.change;
