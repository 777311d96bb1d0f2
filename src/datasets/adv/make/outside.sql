-- Working tables computed outside the database, filled by queries/outside.ts.
--
--   folded  names and cities of the touched firms (spoken.sql), in the form that is compared: "Smith & Co" is "smith and co"
--   place   coordinates of the postal codes in `source`; an unknown code has no row

drop table if exists pg_temp.folded, pg_temp.place;

create temporary table folded (
  name     text collate "C" not null,
  name_key text collate "C" not null
) on commit drop;

-- A hash index takes names of any length; a btree refuses names of more than 2,704 bytes.
create index on folded using hash (name);

create temporary table place (
  postal_code text collate "C" primary key,
  lat         numeric not null,
  lng         numeric not null
) on commit drop;
