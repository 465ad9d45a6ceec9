create table sessions (
  id uuid primary key,
  person uuid not null references people (id) on delete cascade,
  digest bytea not null unique,
  -- What was given beside the password: `provider` says that an OpenID provider asked for one.
  factor text not null check (factor in ('none', 'totp', 'passkey', 'recovery', 'provider')),
  browser text not null,
  address text not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone not null,
  -- When a password or passkey was given last.
  confirmed_at timestamp(3) with time zone
);
create index sessions_person on sessions (person);
create index sessions_old on sessions (last_used_at);

-- A password was right, and the second factor is awaited.
create table sign_in_attempts (
  digest bytea primary key,
  person uuid not null references people (id) on delete cascade,
  failures smallint not null default 0,
  -- A password was given; null after a provider.
  confirmed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null
);

-- Tries that failed, or have not ended: by a keyed hash of the email, the address, or the known browser.
create table sign_in_failures (
  id bigint generated always as identity primary key,
  scope bytea not null,
  at timestamp(3) with time zone not null
);
create index sign_in_failures_scope on sign_in_failures (scope, at);
create index sign_in_failures_old on sign_in_failures (at);
