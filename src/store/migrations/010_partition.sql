-- Records the partitions of datasets' tables that were made, so that a restore that lacks one of them is noticed.
create table core.partition (
  slug text not null,
  name text not null,
  primary key (slug, name)
);
