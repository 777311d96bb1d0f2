-- Temporary failures, and watermarks that name the host of their index.

alter table edgar.task add column passing boolean not null default false;
comment on column edgar.task.passing is 'It failed because EDGAR was out or an answer broke off: the next run takes it up by itself';
create index task_passing on edgar.task (dataset, filed_date) where state = 'failed' and passing;

-- A second host has indexes of the same names. Existing watermarks belong to the host of the newest submission, or to the
-- default host if nothing was fetched yet. If that is wrong, an index is read once more, which changes nothing.
alter table edgar.watermark add column host text collate "C";
update edgar.watermark set host = coalesce(
  (select substring(source_url from '^(.*?)/Archives/') from edgar.submission order by fetched_at desc limit 1),
  'https://www.sec.gov');
alter table edgar.watermark
  alter column host set not null,
  drop constraint watermark_pkey,
  add primary key (host, source);
comment on column edgar.watermark.host is 'Address of the host that the index was read from, without a last slash';
