-- A client that follows the feed with a filter also gets events about filings that leave the filter: a filing that gets
-- another form, or that EDGAR removes.
alter table core.event add column former_form text collate "C";
comment on column core.event.former_form is 'Form code that the filing had until then, where a correction gave it another: a filter by form meets both';

alter table edgar.tombstone add column ciks text[];
comment on column edgar.tombstone.ciks is 'CIKs of all its filers, ten digits each; null of a filing that was removed before they were kept';
