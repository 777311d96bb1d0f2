-- Receivers of the events feed, their positions in it, and events that could not be delivered.
create table core.webhook (
  webhook_id   text collate "C" primary key,
  url          text not null,
  secret       text not null,
  filters      jsonb not null,
  state        text collate "C" not null default 'active' check (state in ('active', 'paused')),
  created_at   timestamptz not null,
  position     bigint not null,
  sending_to   bigint,
  round        integer not null default 1,
  failures     integer not null default 0,
  next_at      timestamptz not null,
  last_error   text,
  delivered_at timestamptz
);
comment on table core.webhook is 'A receiver of the feed of everything. Its events are delivered in their order, one delivery after the other';
comment on column core.webhook.secret is 'Signs deliveries, so it must be readable: no role but the owner of the database may read this table';
comment on column core.webhook.filters is 'source, family, form and cik as /events takes them, as lists';
comment on column core.webhook.position is 'Number of the last event that was delivered, was not asked for, or was given up';
comment on column core.webhook.sending_to is 'Number of the last event of the delivery under way. It is written before the first try, so that each try has the same events under the same id';
comment on column core.webhook.round is 'Counts how often events were sent once more on request: a delivery has another id then';
comment on column core.webhook.failures is 'Tries of the delivery under way that failed';
comment on column core.webhook.next_at is 'When the delivery is tried again';

-- Deliveries that were given up. Each delivery has the events after one number up to another.
create table core.webhook_dead (
  webhook_id  text collate "C" not null references core.webhook on delete cascade,
  after_event bigint not null,
  to_event    bigint not null,
  tries       integer not null,
  reason      text not null,
  given_up_at timestamptz not null,
  again       boolean not null default false,
  primary key (webhook_id, to_event)
);
comment on table core.webhook_dead is 'Deliveries that failed at every try, so that those behind them could go on';
comment on column core.webhook_dead.again is 'To be sent once more, before anything else';
