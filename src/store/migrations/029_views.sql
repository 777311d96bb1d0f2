-- Replacing views takes a moment, while tables are rebuilt from the archive. So views and tables have separate digests.

alter table core.dataset
  add column views_hash text;
comment on column core.dataset.views_hash is 'Digest of the published views; null where ddl_hash is still that of tables and views together, as older versions wrote it';
