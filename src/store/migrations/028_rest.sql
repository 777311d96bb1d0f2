-- Stores the last record of each person who leaves a feed, so that the feed of that day itself can be dropped.

alter table bulk.edition
  add column rest jsonb;
comment on column bulk.edition.rest is 'The file with the records alone that stand in the edition, once it has taken the place of its files; null while the archive has these';
