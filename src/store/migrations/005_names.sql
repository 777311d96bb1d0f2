-- Names of filers, prepared for search: ingest/filer-names.ts makes them from edgar.filer_name. Both tables are
-- derived: they are emptied and filled again when the rules of names.ts change. Their indexes are made after the tables
-- were filled for the first time, which takes a third of the time that filling indexed tables takes.

create table edgar.filer_search (
  name_id    integer primary key,
  cik        text collate "C" not null,
  name_key   text collate "C" not null,
  key        text collate "C" not null,
  words      tsvector not null,
  kind       text collate "C" not null default 'now',
  filings    integer not null default 0,
  last_filed date not null,
  band       integer not null
)
-- Counts change with every index: with room on its page a row is changed in place, without a change of indexes.
with (fillfactor = 85);
-- Queries of words are planned without regard to how common a word is, and statistics of words are expensive.
alter table edgar.filer_search alter column words set statistics 0;
comment on table edgar.filer_search is 'One row per name of a filer: what it is found by';
comment on column edgar.filer_search.name_key is 'As in edgar.filer_name';
comment on column edgar.filer_search.key is 'The name taken apart, as a match is judged by: its words, those of its legal form, its initials';
comment on column edgar.filer_search.kind is 'now: the name of its newest filing. former: one of before';
comment on column edgar.filer_search.filings is 'Filings under this name: of equal matches that with the most comes first';
comment on column edgar.filer_search.last_filed is 'Day of the newest of them';
comment on column edgar.filer_search.band is 'Filings in steps: names are searched band by band';

create table edgar.filer_word (
  word  text collate "C" primary key,
  names integer not null,
  near  text[] collate "C"
);
alter table edgar.filer_word alter column near set statistics 0;
comment on table edgar.filer_word is 'The words of these names, in how many names each is, and the keys that it shares with words of which it is a mistake';

-- Names are looked up by parts of them, and walked in order, in edgar.filer_search now.
drop index edgar.filer_name_key;
drop index edgar.filer_name_order;
