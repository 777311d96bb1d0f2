-- An operator's own corrections: lines of an operator's files, by which slices correct derived data.

create table core.correction (
  slug text collate "C" not null,
  n    int not null,
  line text not null,
  primary key (slug, n)
);
comment on table core.correction is 'Lines of the operator''s own file of corrections, as they were at the last start of serve or ingest';
comment on column core.correction.slug is 'The slice whose rollups are made of them too';
comment on column core.correction.n is 'Their order, from 0';
comment on column core.correction.line is 'The line as it stands in the file';
