-- Filers that an operator chose by --cik or --watch. Their filings come from the lists of their profiles, and not from
-- indexes, so a family may have the filings of these filers alone.

create table edgar.chosen (
  cik       text collate "C" primary key,
  entry     text not null,
  name      text,
  from_day  date,
  through   date,
  digest    text collate "C",
  problem   text,
  read_at   timestamptz not null
);
comment on table edgar.chosen is 'Filers that an operator chose: what their profiles list is in the spine';
comment on column edgar.chosen.cik is 'CIK of the filer, ten digits';
comment on column edgar.chosen.entry is 'How the operator wrote it: 320193, AAPL, CRD 106482, S000002839';
comment on column edgar.chosen.name is 'Name of the filer in its profile; null before the profile was read';
comment on column edgar.chosen.from_day is 'First day of the filings that are listed; null for all that the profile has';
comment on column edgar.chosen.through is 'Day on which profile and continuation files were last read completely; null before that';
comment on column edgar.chosen.digest is 'SHA-256 of the profile that was read then';
comment on column edgar.chosen.problem is 'Why the last reading failed, or was not complete; null if it was';
comment on column edgar.chosen.read_at is 'When the profile was last requested';
create index chosen_entry on edgar.chosen (entry);
