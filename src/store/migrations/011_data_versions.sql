-- A data version for each slice, so that a cached answer becomes stale only when its own data changes. Before,
-- core.meta had one version for all slices.
create table core.data_version (
  slug    text collate "C" not null,
  source  text collate "C" not null check (source in ('load', 'look_up')),
  version bigint not null,
  primary key (slug, source)
);
comment on table core.data_version is 'How often the served data of a slice changed: the sum over its sources. A slice without rows never did';
comment on column core.data_version.slug is 'A slice, or filings (the spine), bulk (which editions were loaded), header (headers read for no dataset)';
comment on column core.data_version.source is 'First look-ups of filings are counted apart from loads, so that no request waits for a load that is about to commit';
delete from core.meta where name in ('data_version', 'look_ups');
