-- Mobile applications, what proves us to the services that carry pushes, and the devices that use them.
create table applications (
  id uuid primary key,
  account integer not null references accounts,
  name text not null,
  name_folded text not null,
  description text,
  active boolean not null default false,
  icon text,
  -- [{"name", "value": {"type", "value"}, "default"}]; null: never given.
  routes jsonb,
  channels jsonb,
  -- What the device route takes: whether anything at all, and the types of identifiers.
  registration_open boolean not null,
  registration_identifiers text[] not null check (registration_identifiers <@ '{id,unicity,hash}'),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (account, id),
  unique (account, name_folded)
);

create table application_providers (
  application uuid not null,
  type text not null check (type in ('firebase', 'apns', 'http', 'webpush')),
  account integer not null,
  -- Its place in the list.
  position smallint not null,
  -- What is shown of it.
  settings jsonb not null,
  -- Sealed; null while it is missing.
  secret bytea,
  fingerprint text check ((fingerprint is null) = (secret is null)),
  -- Of a certificate.
  expires_at timestamptz(3),
  primary key (application, type),
  foreign key (account, application) references applications (account, id) on delete cascade
);

-- One installation of an application.
create table subscriptions (
  account integer not null,
  -- Made by the installation.
  id uuid not null,
  application uuid not null,
  contact bigint,
  provider text not null check (provider in ('firebase', 'apns', 'http', 'webpush')),
  -- Of webpush the endpoint.
  token text not null,
  -- First 16 bytes of the SHA-256 of the token, which is too long for an index.
  token_digest bytea not null,
  -- Of webpush: {"p256dh", "auth"}.
  keys jsonb,
  culture text,
  protocol text,
  muted boolean not null default false,
  -- Null in it is the default channel of the application itself.
  muted_channels text[] not null default '{}',
  created_at timestamptz(3) not null,
  -- Null: the device itself.
  created_by integer,
  -- Null until the first change.
  updated_at timestamptz(3),
  updated_by integer,
  primary key (account, id),
  foreign key (account, application) references applications (account, id) on delete cascade,
  foreign key (account, contact) references contacts (account, id) on delete cascade
);
create unique index subscriptions_token on subscriptions (application, provider, token_digest);
create index subscriptions_contact on subscriptions (account, contact, application) where contact is not null;
create index subscriptions_application on subscriptions (account, application);

-- Devices whose contact was unknown: they belong to the one that gets this hash. Kept 90 days.
create table awaited_subscriptions (
  account integer not null,
  subscription uuid not null,
  hash bytea not null check (length(hash) = 16),
  awaited_at timestamptz(3) not null,
  primary key (account, subscription),
  foreign key (account, subscription) references subscriptions (account, id) on delete cascade
);
create index awaited_subscriptions_hash on awaited_subscriptions (account, hash);

-- Whether the account has any. It is read with the definitions, so that a write of contacts nobody awaits costs nothing more.
alter table accounts add awaits_devices boolean not null default false;
