-- Counts of requests that several servers share. The table is unlogged: a row lives for a minute, and may be lost in a
-- crash.
create unlogged table core.allowance (
  counted_as text not null,
  bucket text not null,
  used integer not null,
  ends_at timestamptz not null,
  primary key (counted_as, bucket)
) with (fillfactor = 50);
create index on core.allowance (ends_at);
comment on table core.allowance is 'One row a key and bucket with requests in the last minute, counted for all servers together';
comment on column core.allowance.counted_as is 'Id of the key, or the network of a visitor without a key';
comment on column core.allowance.bucket is 'Rate bucket: search or general';
comment on column core.allowance.used is 'Requests that servers reserved since the window began; more than the limit if some were refused';
comment on column core.allowance.ends_at is 'When the window of one minute ends';
