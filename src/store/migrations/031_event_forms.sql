-- If an event of an index has no key, the event now lists the forms that it is about. So a client that follows a family
-- gets the event only if it concerns that family. Events that were written before have no list, and concern every
-- family.
alter table core.event add column forms text[];
comment on column core.event.forms is 'Of an event without a key: the form codes of the filings it is about; null where they are not known';
