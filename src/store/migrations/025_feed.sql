-- How far back the feed of current filings was read, and the gaps where a reading did not reach the known filings.

create table edgar.feed (
  host       text collate "C" primary key,
  newest_at  timestamptz not null,
  reached_at timestamptz not null,
  read_at    timestamptz not null default now()
);
comment on table edgar.feed is 'The last reading of each feed of current filings that found something new';
comment on column edgar.feed.host is 'Address of the host that the feed was read from, without a last slash';
comment on column edgar.feed.newest_at is 'Acceptance of its newest entry';
comment on column edgar.feed.reached_at is 'Acceptance of the oldest entry that was read';
comment on column edgar.feed.read_at is 'When it was read';

create table edgar.feed_gap (
  gap_id    bigint generated always as identity primary key,
  host      text collate "C" not null,
  after_at  timestamptz not null,
  before_at timestamptz not null,
  noted_at  timestamptz not null default now(),
  closed_at timestamptz
);
create index feed_gap_open on edgar.feed_gap (host) where closed_at is null;
comment on table edgar.feed_gap is 'Times of which the feed of current filings was not read: it no longer had the entries when it was read';
comment on column edgar.feed_gap.gap_id is 'Counts them';
comment on column edgar.feed_gap.host is 'Address of the host, without a last slash';
comment on column edgar.feed_gap.after_at is 'Acceptance of the newest filing that was known, or the evening of the last day whose index was read';
comment on column edgar.feed_gap.before_at is 'Acceptance of the oldest entry that the feed still had';
comment on column edgar.feed_gap.noted_at is 'When it was found';
comment on column edgar.feed_gap.closed_at is 'When the daily index of its last day had been read; null while filings may be missing';
