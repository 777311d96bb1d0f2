-- People who sign in at the provider of OIDC_ISSUER.
create table core.account (
  account      text collate "C" primary key,
  issuer       text not null,
  subject      text not null,
  name         text not null,
  created_at   timestamptz not null,
  signed_in_at timestamptz not null,
  closed_at    timestamptz,
  unique (issuer, subject)
);
comment on table core.account is 'Accounts of people who sign in; the account of a key is one of these, or a name that an operator gave';
comment on column core.account.subject is 'The provider''s lasting id of the person, unique within the issuer';
comment on column core.account.name is 'Shown on pages; as the provider stated it at the last sign-in';
comment on column core.account.closed_at is 'Since when an operator lets the account sign in no longer; null if it may';

create table core.session (
  session_hash bytea primary key,
  account      text collate "C" not null references core.account on delete cascade,
  is_operator  boolean not null,
  created_at   timestamptz not null,
  seen_at      timestamptz not null
);
create index on core.session (account);
create index on core.session (created_at);
comment on column core.session.session_hash is 'SHA-256 of the id in the browser''s cookie';
comment on column core.session.is_operator is 'Whether the claim of an operator was there when the session began';
comment on column core.session.seen_at is 'The last request, to the minute';

create table core.sign_in (
  state_hash   bytea primary key,
  browser_hash bytea not null,
  leads_to     text not null,
  begun_at     timestamptz not null
);
create index on core.sign_in (begun_at);
comment on table core.sign_in is 'Sign-ins that have begun; a row is deleted when the browser comes back with its state';
comment on column core.sign_in.browser_hash is 'SHA-256 of the secret in the cookie of the browser that began';

create index key_active_account on core.key (account) where revoked_at is null;
