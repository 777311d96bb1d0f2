-- Separates filings that requests had fetched from those that ingest read: lists, profiles and rollups use only the latter, so
-- that no answer depends on earlier requests.

create table edgar.look_up (
  accession    text collate "C" primary key references edgar.filing on delete cascade,
  sha256       text collate "C" not null,
  bytes        bigint not null,
  fetched_at   timestamptz not null default now(),
  source_url   text not null,
  header       jsonb not null,
  documents    jsonb not null
);
comment on table edgar.look_up is 'Submissions in the archive that a request had fetched, and that no ingest has read since';
comment on column edgar.look_up.accession is 'SEC accession number';
comment on column edgar.look_up.sha256 is 'SHA-256 of the submission, which names it in the archive';
comment on column edgar.look_up.bytes is 'Size of the submission, bytes';
comment on column edgar.look_up.fetched_at is 'When it was fetched';
comment on column edgar.look_up.source_url is 'Address that it was fetched from';
comment on column edgar.look_up.header is 'Its header as JSON';
comment on column edgar.look_up.documents is 'Its documents as JSON: sequence, type, file name, place in the submission';
