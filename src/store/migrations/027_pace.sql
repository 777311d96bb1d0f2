-- The pace of all processes of an operator: EDGAR counts requests by operator, over all of its hosts and our machines.

create table core.pace (
  hosts        text primary key,
  free_at      timestamptz not null default '-infinity',
  paused_until timestamptz not null default '-infinity',
  reason       text
);
comment on table core.pace is 'When the next request to the hosts of the SEC may leave, for all processes that use this database; one row';
comment on column core.pace.hosts is 'The hosts that count together';
comment on column core.pace.free_at is 'The next turn that nobody has taken';
comment on column core.pace.paused_until is 'Nothing is sent before this moment: a host answered with its rate page';
comment on column core.pace.reason is 'Why there was a pause';
insert into core.pace (hosts) values ('edgar');
