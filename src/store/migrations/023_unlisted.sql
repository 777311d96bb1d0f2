-- EDGAR dates some forms to the day before it disseminates them, so last night's index lacks filings that still exist.
-- A filing counts as removed when two indexes lack it. Both indexes must have been made after the filing was known, and
-- a day apart.

create table edgar.unlisted (
  accession text collate "C" primary key references edgar.filing on delete cascade,
  host      text collate "C" not null,
  index_url text not null,
  made_at   timestamptz not null,
  read_at   timestamptz not null
);
comment on table edgar.unlisted is 'Filings that a whole index made after they were known does not list. They stay until another index, made and read a day later, lacks them too';
comment on column edgar.unlisted.accession is 'SEC accession number';
comment on column edgar.unlisted.host is 'Address of the host that the index was read from, without a last slash';
comment on column edgar.unlisted.index_url is 'The first index that lacks it';
comment on column edgar.unlisted.made_at is 'When that index was made';
comment on column edgar.unlisted.read_at is 'When that index was read';

alter table edgar.watermark add column made_at timestamptz, add column read_at timestamptz;
comment on column edgar.watermark.made_at is 'Last-Modified of the index; null where the host states none, and of indexes that were read before this was kept';
comment on column edgar.watermark.read_at is 'When it was read, by the clock of the process that read it';

alter table edgar.tombstone add column index_made timestamptz;
comment on column edgar.tombstone.index_made is 'When the index was made that does not list it any more; null of a filing that was removed before this was kept';

-- The constraint is not validated: existing rows have the three former words, and checking these rows would read a log
-- of millions.
alter table core.event drop constraint event_what_check,
  add constraint event_what check (what in ('added', 'corrected', 'removed', 'restored')) not valid;
