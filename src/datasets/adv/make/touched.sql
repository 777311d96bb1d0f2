-- touched: the CRD numbers of the firms whose rollup rows are made. Fill it before you run the other files of this folder.
-- In psql, `insert into touched values ('361')` adds one firm, and everybody.sql adds all.
--
-- The files are run in one transaction, with the slice's schema first in the search path (`set search_path = adv, pub,
-- public`), in this order:
--
--   touched                               the firms to process
--   newest source standing mix merged     working tables: the values of these firms
--   outside (spoken)                      working tables filled by queries/outside.ts
--   adviser adviser_name former_name adviser_tally      the rollups
--
-- Working tables are temporary and end with the transaction. Each is made and described in the file with its name.

drop table if exists pg_temp.touched;

create temporary table touched (crd text collate "C" primary key) on commit drop;
