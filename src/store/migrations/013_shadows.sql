-- Rebuilds that are running or were killed: the progress of the shadow, and what changed in the tables meanwhile.

create table core.shadow (
  slug        text collate "C" primary key,
  ddl_hash    text not null,
  parser_hash text not null,
  step        text collate "C" not null default 'fill' check (step in ('fill', 'make', 'made')),
  through     text collate "C" not null default '',
  state       jsonb not null default '{}',
  begun_at    timestamptz not null default now()
);
comment on table core.shadow is 'Schemas <slug>_next that a rebuild fills';
comment on column core.shadow.step is 'What is to be done next: made, when only what changed meanwhile is missing';
comment on column core.shadow.through is 'The last accession or edition that is in it';

-- No unique key, for the same reason as in core.mark.
create table core.shadow_key (
  slug text collate "C" not null,
  kind text collate "C" not null check (kind in ('record', 'rollup')),
  key  text collate "C"
);
comment on table core.shadow_key is 'What loads and refreshes changed since the shadow was begun; a null key is all keys of the rollups';
create index shadow_key_slug on core.shadow_key (slug);

create table core.shadow_task (
  slug      text collate "C" not null,
  accession text collate "C" not null,
  outcome   jsonb not null,
  primary key (slug, accession)
);
comment on table core.shadow_task is 'What could not be read, or not wholly, of filings that are in the shadow';
