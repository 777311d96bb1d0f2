-- Replacing comments takes a moment, so a changed description must not rebuild tables. Comments have their own digest.

alter table core.dataset
  add column comments_hash text;
comment on column core.dataset.comments_hash is 'Digest of the comments on tables, views and columns; null if an older version wrote the row, whose other digests then include the comments';
