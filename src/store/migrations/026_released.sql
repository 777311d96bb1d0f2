-- The archive may drop the file of an edition that a newer edition replaces. The older edition still counts as loaded.

alter table bulk.edition
  add column released  boolean not null default false,
  add column originals boolean not null default false;
comment on column bulk.edition.released is 'The archive has let go of its files: the records that came with it stand in a newer edition as well, or in none';
comment on column bulk.edition.originals is 'Its files are to stay: it was loaded with --originals';
alter table bulk.filing_set
  add column originals boolean not null default false;
comment on column bulk.filing_set.originals is 'Its file is to stay: it was loaded with --originals';
