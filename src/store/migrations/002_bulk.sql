-- Bulk files: the loaded editions, and the state of each record over them.

create schema bulk;

create table bulk.edition (
  series       text collate "C" not null,
  name         text collate "C" not null,
  from_day     date not null,
  to_day       date not null,
  state        text collate "C" not null check (state in ('done', 'failed')),
  files        jsonb not null,
  listed       text,
  records      integer not null default 0,
  added        integer not null default 0,
  changed      integer not null default 0,
  gone         integer not null default 0,
  refused      integer not null default 0,
  refusals     jsonb not null default '[]',
  unread_paths text[] not null default '{}',
  problems     jsonb not null default '[]',
  problem_count integer not null default 0,
  error        text,
  finished_at  timestamptz not null default now(),
  primary key (series, name)
);
comment on table bulk.edition is 'One file, or one set of parts, of a series as it was last loaded';
comment on column bulk.edition.files is 'Its files: name, sha256 in the archive, bytes, source_url';
comment on column bulk.edition.listed is 'Size and date under which the publisher listed it: when they change it is fetched again';
comment on column bulk.edition.refusals is 'Records that could not be read, at most 1,000: place, key, reason; their former rows stay';
comment on column bulk.edition.unread_paths is 'Attributes, elements or columns that no parser read';
create index edition_day on bulk.edition (series, to_day desc);

create table bulk.record (
  series      text collate "C" not null,
  key         text collate "C" not null,
  digest      text collate "C" not null,
  edition     text collate "C" not null,
  first_day   date not null,
  changed_day date not null,
  gone_day    date,
  primary key (series, key)
);
comment on table bulk.record is 'Each record of a series: what it last was, in which edition that stands, and since when it is gone';
create index record_edition on bulk.record (series, edition);
create index record_gone on bulk.record (series, gone_day) where gone_day is not null;

create table bulk.change (
  series text collate "C" not null,
  key    text collate "C" not null,
  day    date not null,
  what   text collate "C" not null check (what in ('new', 'changed', 'gone', 'back')),
  primary key (series, key, day, what)
);
comment on table bulk.change is 'What editions after the first of a series changed';
create index change_day on bulk.change (series, day desc);
