-- Former values of records of bulk files, kept from edition to edition of a series. They are not in the dataset's
-- tables, because those tables hold current values and are rebuilt from the newest edition of each record.

create table bulk.history (
  series   text collate "C" not null,
  key      text collate "C" not null,
  field    text collate "C" not null,
  value    text collate "C",
  from_day date not null,
  to_day   date,
  primary key (series, key, field, from_day)
);
comment on table bulk.history is 'Values of records over the editions of a series, for the columns that it remembers';
comment on column bulk.history.from_day is 'Day of the first edition that has the value';
comment on column bulk.history.to_day is 'Day of the first edition that has another one; null for what the record says now, or said last';
