-- Rollup keys to make again: a load appends marks in its own transaction, ingest/refresh.ts drains them in another.
-- No unique key: two workers that mark the same key would wait for each other's commit.

create table core.mark (
  slug    text collate "C" not null,
  key     text collate "C",
  reason  text,
  made_at timestamptz not null default now()
);
comment on table core.mark is 'Keys of rollups whose rows are not made yet; a key may stand more than once';
comment on column core.mark.slug is 'The slice whose rollups these are';
comment on column core.mark.key is 'Null for all keys';
comment on column core.mark.reason is 'Why the database refused the rows of the key; the next run tries again. Null for what waits';
create index mark_slug on core.mark (slug);
