create table accounts (
  id integer generated always as identity primary key,
  agency text not null check (agency ~ '^[A-Z0-9]{4}$'),
  customer text not null check (customer ~ '^[A-Z0-9]{3}$'),
  name text not null,
  -- What differs from the defaults, by area: {"contacts": {}, "sending": {}, "events": {}}.
  settings jsonb not null default '{}',
  -- Moves with every change of fields, value lists or settings: what was read of them with this number still holds.
  definitions bigint not null default 0,
  rate_per_second integer not null default 50 check (rate_per_second >= 0),
  rate_burst integer not null default 200 check (rate_burst >= 0),
  created_at timestamptz(3) not null default now(),
  unique (agency, customer)
);

create function count_settings() returns trigger language plpgsql as $$
begin
  new.definitions := old.definitions + 1;
  return new;
end $$;
create trigger accounts_settings before update of settings on accounts
  for each row when (new.settings is distinct from old.settings) execute function count_settings();

create table api_keys (
  id integer generated always as identity primary key,
  account integer not null references accounts,
  name text not null,
  -- SHA-256 of the key; its first eight bytes are what a request looks up, the whole is compared in constant time.
  lookup bytea not null,
  secret_sha256 bytea not null unique,
  rights text[] not null check (rights <@ '{read,write,send,admin}' and cardinality(rights) > 0),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3)
);
create index api_keys_lookup on api_keys (lookup);

-- The first answer to a POST that carried Idempotency-Key, kept 24 hours; status null while it is being made.
create table idempotency_keys (
  account integer not null references accounts,
  key text not null,
  fingerprint bytea not null,
  status integer,
  headers jsonb,
  body bytea,
  created_at timestamptz(3) not null,
  primary key (account, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

-- A way out of the installation for one channel. account null: for every account that has none of its own.
create table gateways (
  id integer generated always as identity primary key,
  account integer references accounts,
  channel text not null check (channel in ('email', 'sms', 'rcs', 'notification')),
  name text not null,
  kind text not null,
  settings jsonb not null default '{}',
  -- Credentials, sealed with the master key (AES-256-GCM).
  secrets bytea,
  created_at timestamptz(3) not null default now(),
  unique nulls not distinct (account, name)
);

-- Domains an account may send from.
create table sending_domains (
  account integer not null references accounts,
  domain text not null,
  is_default boolean not null default false,
  verified_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (account, domain)
);
create unique index sending_domains_default on sending_domains (account) where is_default;
