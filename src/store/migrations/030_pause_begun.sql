-- Setting the clock back after a pause began must not lengthen the pause for a process that starts later.

alter table core.pace
  add column paused_at timestamptz;
comment on column core.pace.paused_at is 'When the pause began, by the clock that says when it ends: no pause is longer than from then to its end';
