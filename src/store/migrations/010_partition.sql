-- The partitions of datasets' tables that were made once, so that a restore that lacks one is noticed.
create table core.partition (
  slug text not null,
  name text not null,
  primary key (slug, name)
);
