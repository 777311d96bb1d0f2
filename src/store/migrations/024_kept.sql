-- The part of a submission that the archive keeps: all of it, as in earlier versions, or the documents that are read.

alter table edgar.submission
  add column kept_sha256 text collate "C",
  add column dropped     jsonb   not null default '[]',
  add column originals   boolean not null default false;
alter table edgar.look_up
  add column kept_sha256 text collate "C",
  add column dropped     jsonb   not null default '[]',
  add column originals   boolean not null default false;
comment on column edgar.submission.sha256 is 'SHA-256 of the whole submission, which names it in the archive where kept_sha256 is null';
comment on column edgar.submission.kept_sha256 is 'SHA-256 of the archive''s entry where that lacks the content of some documents; null where it is the whole submission';
comment on column edgar.submission.dropped is 'Documents whose content the archive lacks, by their sequence';
comment on column edgar.submission.originals is 'Everything of it is to stay: it was loaded with --originals, or with the sample';
comment on column edgar.look_up.sha256 is 'SHA-256 of the whole submission, which names it in the archive where kept_sha256 is null';
comment on column edgar.look_up.kept_sha256 is 'SHA-256 of the archive''s entry where that lacks the content of some documents; null where it is the whole submission';
comment on column edgar.look_up.dropped is 'Documents whose content the archive lacks, by their sequence';
comment on column edgar.look_up.originals is 'Everything of it is to stay: it was loaded with --originals, or with the sample';
