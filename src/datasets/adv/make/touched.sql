-- touched: the CRD numbers of the firms whose rollup rows are made. Whoever runs the files of this folder fills it first, in
-- psql for one firm by `insert into touched values ('361')`, for all by everybody.sql.
--
-- The files are run in one transaction, with the slice's schema first in the search path (`set search_path = adv, pub,
-- public`), in this order:
--
--   touched                               which firms
--   newest source standing mix merged     working tables: what is known of them
--   outside (spoken)                      working tables filled by queries-outside.ts
--   adviser adviser_name former_name adviser_tally      the rollups
--
-- Working tables are temporary and gone with the transaction. Each is made, and its columns are told, in the file that has
-- its name.

drop table if exists pg_temp.touched;

create temporary table touched (crd text collate "C" primary key) on commit drop;
