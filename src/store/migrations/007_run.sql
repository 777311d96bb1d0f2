-- Results of each long command, for `status`, metrics and operators who check the runs of the night.
create table core.run (
  run_id     integer generated always as identity primary key,
  command    text collate "C" not null,
  what       text collate "C" not null,
  started_at timestamptz not null default now(),
  ended_at   timestamptz,
  outcome    text collate "C" check (outcome in ('done', 'problems', 'failed', 'stopped')),
  summary    jsonb not null default '{}',
  pid        integer not null,
  host       text not null,
  check ((ended_at is null) = (outcome is null))
);
comment on table core.run is 'Runs of ingest, rebuild and sample; the oldest are forgotten';
comment on column core.run.what is 'What was asked for: all, formd, adv';
comment on column core.run.outcome is 'done, problems (something could not be read or was skipped), failed, stopped by a signal; null while it runs, and for ever when it was killed';
comment on column core.run.summary is 'What was done, kept up to date while it runs';

-- Tasks whose documents held leaves that no parser read: few, and counted by status.
create index task_unread on edgar.task (dataset, unread) where unread > 0;
