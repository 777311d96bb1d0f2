-- An event without a key of the index says which forms it is about, so that who follows a family gets it only where it
-- concerns that family. Events that were written before this say none, and concern every family.
alter table core.event add column forms text[];
comment on column core.event.forms is 'Of an event without a key: the form codes of the filings it is about; null where they are not known';
