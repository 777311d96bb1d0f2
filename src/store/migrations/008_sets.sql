-- Quarterly data sets: the SEC publishes many filings at once, for the tables that their submissions fill.

create table bulk.filing_set (
  dataset       text collate "C" not null,
  name          text collate "C" not null,
  from_day      date not null,
  to_day        date not null,
  sha256        text collate "C",
  bytes         bigint,
  source_url    text not null,
  state         text collate "C" not null check (state in ('begun', 'done', 'failed')),
  filings       integer not null default 0,
  loaded        integer not null default 0,
  refused       integer not null default 0,
  refusals      jsonb not null default '[]',
  unread_paths  text[] not null default '{}',
  problems      jsonb not null default '[]',
  problem_count integer not null default 0,
  error         text,
  finished_at   timestamptz not null default now(),
  primary key (dataset, name)
);
comment on table bulk.filing_set is 'One set of filings as it was last loaded; begun where a load was cut off, which the next one goes on with';
comment on column bulk.filing_set.sha256 is 'The file in the archive; null where it could not be had';
comment on column bulk.filing_set.loaded is 'Filings that the last run stored';
comment on column bulk.filing_set.refusals is 'Filings and lines that could not be read, at most 1,000: place, key, reason';

create table bulk.set_filing (
  dataset   text collate "C" not null,
  accession text collate "C" not null,
  name      text collate "C" not null,
  to_day    date not null,
  sha256    text collate "C" not null,
  primary key (dataset, accession)
);
comment on table bulk.set_filing is 'Filings whose rows are of a set, and of which one; those of any other filing are of its submission';
create index set_filing_file on bulk.set_filing (dataset, sha256);
