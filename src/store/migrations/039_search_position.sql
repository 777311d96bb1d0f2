-- The position of a saved search that cannot be searched together with its list.

alter table core.search add column own_position bigint;
comment on column core.search.own_position is 'Number of the last event that it was searched for, while it lags its list after a failure; null otherwise';
comment on column core.search.problem is 'Why it cannot be searched: the list does not take its filters any more, or the database does not answer in time. Null when it can';
