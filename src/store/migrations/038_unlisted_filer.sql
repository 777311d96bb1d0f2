-- A filer of a filing that a whole index lists without this filer.

create table edgar.unlisted_filer (
  accession text collate "C" not null,
  cik       text collate "C" not null,
  host      text collate "C" not null,
  index_url text not null,
  made_at   timestamptz not null,
  read_at   timestamptz not null,
  primary key (accession, cik),
  foreign key (accession, cik) references edgar.filer on delete cascade
);
comment on table edgar.unlisted_filer is 'Filers that a whole index no longer lists for a filing that it lists. They stay until another index, made after this reading and read a day later, lacks them too';
comment on column edgar.unlisted_filer.accession is 'SEC accession number';
comment on column edgar.unlisted_filer.cik is 'CIK of the filer';
comment on column edgar.unlisted_filer.host is 'Address of the host that the index was read from, without a last slash';
comment on column edgar.unlisted_filer.index_url is 'The first index that lacks it';
comment on column edgar.unlisted_filer.made_at is 'When that index was made';
comment on column edgar.unlisted_filer.read_at is 'When that index was read';
