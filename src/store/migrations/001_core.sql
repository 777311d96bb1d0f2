-- Keys, the filing spine and the work queue. Everything else is rebuilt from archived bytes and has no migrations.
-- Text is pinned to "C" so that order is the same on every server; names are folded by read/fold.ts, not by the server's locale.

create extension if not exists pg_trgm with schema public;

create schema if not exists core;
create schema if not exists edgar;
create schema if not exists pub;

comment on schema pub is 'Views that a slice offers to other slices';

-- One row of facts about the database itself: data_version (bumped by every change to served data), origin (sample or edgar).
create table core.meta (
  name  text primary key,
  value text not null
);
insert into core.meta values ('data_version', '0');

create table core.key (
  key_id        text collate "C" primary key,
  account       text not null,
  secret_hash   bytea not null,
  scopes        text[] not null,
  search_limit  integer,
  general_limit integer,
  self_serve    boolean not null default false,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz,
  revoked_at    timestamptz
);
comment on column core.key.secret_hash is 'SHA-256 of the secret part; the secret itself is shown once and never stored';
comment on column core.key.search_limit is 'Requests a minute in the search bucket; null for the default';
create unique index on core.key (account) where self_serve and revoked_at is null;

-- Definition of each dataset whose tables exist.
create table core.dataset (
  slug        text collate "C" primary key,
  ddl_hash    text not null,
  parser_hash text not null,
  built_at    timestamptz not null default now()
);

create table edgar.filing (
  accession        text collate "C" primary key,
  form_type        text collate "C" not null,
  family           text collate "C",
  filed_date       date not null,
  cik              text collate "C" not null,
  company_name     text collate "C" not null,
  name_key         text collate "C" not null,
  filer_count      integer not null default 1,
  path             text collate "C" not null,
  period_of_report date,
  accepted_at      timestamptz,
  has_text         boolean not null default false,
  first_seen_at    timestamptz not null default now()
);
comment on table edgar.filing is 'The spine: one row per accession that EDGAR lists';
comment on column edgar.filing.family is 'Slug of the family that claims the form, null when none does; follows the registry at start-up';
comment on column edgar.filing.cik is 'First filer of the index, ten digits';
comment on column edgar.filing.path is 'Path of the full submission below /Archives/';
comment on column edgar.filing.period_of_report is 'CONFORMED PERIOD OF REPORT of the header; null until the submission is read';
comment on column edgar.filing.accepted_at is 'ACCEPTANCE-DATETIME of the header, New York time there; null until the submission is read';
comment on column edgar.filing.first_seen_at is 'When this service learned of the filing';
create index filing_date on edgar.filing (filed_date desc, accession desc);
create index filing_family on edgar.filing (family, filed_date desc, accession desc);
create index filing_form on edgar.filing (form_type, filed_date desc, accession desc);
create index filing_name on edgar.filing (name_key, accession);
create index filing_period on edgar.filing (period_of_report, filed_date desc, accession desc) where period_of_report is not null;
create index filing_text on edgar.filing (filed_date desc, accession desc) where has_text;

-- Every distinct name under which an index lists a filer. Substring search runs here (a million rows), not over
-- filings.
create table edgar.filer_name (
  name_id  integer generated always as identity primary key,
  cik      text collate "C" not null,
  name     text collate "C" not null,
  name_key text collate "C" not null,
  unique (cik, name)
);
create index filer_name_key on edgar.filer_name using gin (name_key public.gin_trgm_ops);
-- The index is covering, so that names are read in order without their rows: sorting a common name takes 4 ms instead
-- of 60.
create index filer_name_order on edgar.filer_name (name_key) include (name_id, cik);

create table edgar.filer (
  accession  text collate "C" not null,
  cik        text collate "C" not null,
  name_id    integer not null,
  filed_date date not null,
  primary key (accession, cik)
);
comment on table edgar.filer is 'One row per filer of a filing: an accession stands in the index once per filer';
-- No foreign key to filing: checking one row at a time took a fifth of an index load. ingest/spine.ts writes both in one transaction.
create index filer_cik on edgar.filer (cik, filed_date desc, accession desc) include (name_id);

create table edgar.filing_item (
  accession  text collate "C" not null references edgar.filing on delete cascade,
  item       text collate "C" not null,
  filed_date date not null,
  primary key (accession, item)
);
comment on table edgar.filing_item is 'ITEM INFORMATION of the header as item codes: 8-K items (2.02), Form D exemptions (06b) and the like';
create index filing_item_code on edgar.filing_item (item, filed_date desc, accession desc);

create table edgar.submission (
  accession    text collate "C" primary key references edgar.filing on delete cascade,
  sha256       text collate "C" not null,
  bytes        bigint not null,
  fetched_at   timestamptz not null default now(),
  source_url   text not null,
  header       jsonb not null,
  documents    jsonb not null
);
comment on table edgar.submission is 'Submissions in the archive: where the bytes are, the parsed header, and the documents with their offsets';

create table edgar.tombstone (
  accession  text collate "C" primary key,
  form_type  text collate "C" not null,
  filed_date date not null,
  cik        text collate "C" not null,
  company_name text not null,
  removed_at timestamptz not null default now(),
  index_url  text not null
);
comment on table edgar.tombstone is 'Filings that EDGAR listed and later removed';

create table edgar.task (
  accession   text collate "C" not null references edgar.filing on delete cascade,
  dataset     text collate "C" not null,
  state       text collate "C" not null default 'pending' check (state in ('pending', 'done', 'failed')),
  filed_date  date not null,
  attempts    integer not null default 0,
  error       text,
  unread      integer not null default 0,
  unread_paths text[] not null default '{}',
  problems    jsonb not null default '[]',
  finished_at timestamptz,
  primary key (accession, dataset)
);
comment on table edgar.task is 'Reading one filing for one dataset; dataset header reads the submission header alone';
comment on column edgar.task.unread is 'Leaves of the document that the parser neither read nor ignored by name';
comment on column edgar.task.problems is 'Values present but unreadable: stored as null, with path, value and reason';
-- Newest first: today's filings are wanted before the backlog.
create index task_pending on edgar.task (dataset, filed_date desc, accession desc) where state = 'pending';
create index task_failed on edgar.task (dataset, filed_date desc, accession desc) where state = 'failed';

-- The loader keeps these counts, so that coverage never counts rows at request time.
create table edgar.coverage (
  form_type text collate "C" primary key,
  family    text collate "C",
  task      text collate "C",
  filings   bigint not null default 0,
  extracted bigint not null default 0
);

comment on column edgar.coverage.family is 'What edgar.filing.family of this form was last set to; compared with the registry at start-up';
comment on column edgar.coverage.task is 'Dataset whose tasks exist for this form, header, or null';

create table edgar.watermark (
  source     text collate "C" primary key,
  through    date not null,
  sha256     text,
  moved_at   timestamptz not null default now()
);
comment on table edgar.watermark is 'How far each index has been read without a bad line';

create table edgar.index_problem (
  index_url text not null,
  line      integer not null,
  content   text not null,
  reason    text not null,
  seen_at   timestamptz not null default now(),
  primary key (index_url, line)
);
