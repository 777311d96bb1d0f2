-- Saved searches: a filter of a list, of the event log or of texts, whose new matches are delivered once and in order.
create table core.search (
  search_id  text collate "C" primary key,
  name       text not null,
  list       text collate "C" not null,
  address    text not null,
  secret     bytea,
  created_at timestamptz not null,
  since      bigint not null,
  matches    bigint not null default 0,
  problem    text
);
comment on table core.search is 'A saved search. No role but the owner of the database may read it';
comment on column core.search.list is 'Name of the operation that it searches';
comment on column core.search.address is 'Path and query of the list, without /v1';
comment on column core.search.secret is 'SHA-256 of the secret in its feed address; null without such an address';
comment on column core.search.since is 'Number of the last event of the log that it does not search, because it was made later';
comment on column core.search.matches is 'Number of its last match';
comment on column core.search.problem is 'Why it cannot be searched: the list does not take its filters any more. Null when it can';
create unique index search_by_secret on core.search (secret);
create index search_by_list on core.search (list);

-- How far the log was searched for a list, once for all its searches.
create table core.search_list (
  list     text collate "C" primary key,
  position bigint not null,
  settled  bigint not null
);
comment on column core.search_list.position is 'Number of the last event whose filings were looked for in the list';
comment on column core.search_list.settled is 'Like position, at a time when no rollup of the list was waiting to be made: later events are searched once more';

-- The rows that a search has found, stored so that each row is delivered only once.
create table core.search_match (
  search_id    text collate "C" not null references core.search on delete cascade,
  match_number bigint not null,
  row_key      text collate "C" not null,
  found_at     timestamptz not null,
  content      text,
  primary key (search_id, match_number),
  unique (search_id, row_key)
);
create index search_match_kept on core.search_match (search_id) where content is not null;
comment on column core.search_match.content is 'The row as JSON when it was found; null once it was delivered and is no longer in the feed';

-- A receiver of a saved search. The receiver's position, and the numbers of its deliveries, are numbers of matches.
alter table core.webhook add column search_id text collate "C" references core.search on delete cascade;
create index webhook_search on core.webhook (search_id);
comment on column core.webhook.search_id is 'The saved search whose matches it gets; null for one that gets events';
