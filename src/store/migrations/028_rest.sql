-- A day on which somebody leaves a feed needs what it said of them, and not all that it said.

alter table bulk.edition
  add column rest jsonb;
comment on column bulk.edition.rest is 'The file with the records alone that stand in the edition, once it has taken the place of its files; null while the archive has these';
