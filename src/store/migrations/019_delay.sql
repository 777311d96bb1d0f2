-- Delays between the acceptance of filings and their arrival here. Filings are counted as they arrive, so that no query
-- has to scan the spine.

create table edgar.delay (
  day     date not null,
  delay   text collate "C" not null,
  filings bigint not null,
  primary key (day, delay),
  constraint delay_word check (delay in ('1 minute', '5 minutes', '15 minutes', '1 hour', '1 day', 'more', 'not known'))
);
comment on table edgar.delay is 'New filings of the feed of current filings and of recent daily indexes, by how long after their acceptance they were first seen';
comment on column edgar.delay.day is 'Day on which they were first seen, UTC';
comment on column edgar.delay.delay is 'Shorter than this; not known: a daily index named them, which does not tell when they were accepted, or their acceptance lies after they were seen';
comment on column edgar.delay.filings is 'How many';
