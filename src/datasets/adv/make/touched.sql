-- touched: the CRD numbers of the firms whose rollup rows are made. Fill it before you run the files of this folder: in psql
-- for one firm by `insert into touched values ('361')`, for all by everybody.sql.
--
-- The files are run in one transaction, with the slice's schema first in the search path (`set search_path = adv, pub,
-- public`), in this order:
--
--   touched                               which firms
--   newest source standing mix merged     working tables: the values of these firms
--   outside (spoken)                      working tables filled by queries/outside.ts
--   adviser adviser_name former_name adviser_tally      the rollups
--
-- Working tables are temporary and end with the transaction. The file with a table's name makes it and describes its columns.

drop table if exists pg_temp.touched;

create temporary table touched (crd text collate "C" primary key) on commit drop;
