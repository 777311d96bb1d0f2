-- touched: the CRD numbers of the advisers whose links are made. Fill it before you run the files of this folder: in psql for
-- one firm by `insert into touched values ('361')`, for all by everybody.sql.
--
-- The files are run in one transaction, with the slice's schema first in the search path (`set search_path = links, pub,
-- public`): touched, then unlinked and each method by its name.

drop table if exists pg_temp.touched;

create temporary table touched (crd text collate "C" primary key) on commit drop;
