create table totp_secrets (
  person uuid primary key references people (id) on delete cascade,
  -- In force; null until a first code was right.
  sealed bytea,
  -- Shown, and in force with its first code.
  proposed bytea,
  -- The last step of time whose code was taken: none before it is.
  last_step bigint not null default 0
);

create table recovery_codes (
  person uuid not null references people (id) on delete cascade,
  digest bytea not null,
  primary key (person, digest)
);

create table passkeys (
  id uuid primary key,
  person uuid not null references people (id) on delete cascade,
  -- As the authenticator names it, and its public key (COSE).
  credential text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone
);
create index passkeys_person on passkeys (person);

-- Each is taken once. Of a registration with its person.
create table passkey_challenges (
  challenge text primary key,
  person uuid references people (id) on delete cascade,
  expires_at timestamp(3) with time zone not null
);
