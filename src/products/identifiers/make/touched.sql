-- touched: the issuers whose rows are computed, by the first six characters of a CUSIP. Fill it before you run the
-- files of this folder: in psql for Apple by `insert into touched values ('037833')`, for all by everybody.sql.
--
-- The files are run in one transaction, with the slice's schema first in the search path (`set search_path =
-- identifiers, pub, public`): touched, security, said, pairs, found, best. Between pairs and found, TypeScript compares
-- the names and fills three tables: alike (whether the names of a pair are alike), named (the company whose name a
-- security has) and checked (the certainty of an ISIN or LEI).

drop table if exists pg_temp.touched, pg_temp.security, pg_temp.said, pg_temp.alike, pg_temp.named, pg_temp.checked,
  pg_temp.surest;

create temporary table touched (issuer text collate "C" primary key) on commit drop;

create temporary table alike (cik text collate "C", name text collate "C", company text, is_alike boolean) on commit drop;
create index on alike (cik);

create temporary table named (cusip text collate "C", cik text collate "C", company text) on commit drop;

create temporary table checked (cusip text collate "C", kind text collate "C", value text collate "C", confidence double precision)
  on commit drop;
