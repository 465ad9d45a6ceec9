-- Providers of applications that rest, as too many devices were said to be gone: nothing leaves through them.
create table push_rests (
  account integer not null,
  application uuid not null,
  provider text not null,
  rested_at timestamptz(3) not null,
  primary key (application, provider),
  foreign key (account, application) references applications (account, id) on delete cascade
);

-- Pushes of a provider that were answered in ten seconds, and those of them whose device was gone. Kept 10 minutes.
-- The shard is that of who counts, so that senders do not wait for each other.
create table push_attempts (
  application uuid not null,
  provider text not null,
  began_at timestamptz(0) not null,
  shard smallint not null,
  answered integer not null,
  gone integer not null,
  primary key (application, provider, began_at, shard)
);

-- Subscriptions that were deleted as their device was gone. Kept 10 minutes, in which they may come back.
create table gone_subscriptions (
  account integer not null,
  id uuid not null,
  application uuid not null,
  contact bigint,
  provider text not null,
  token text not null,
  token_digest bytea not null,
  keys jsonb,
  culture text,
  protocol text,
  muted boolean not null,
  muted_channels text[] not null,
  created_at timestamptz(3) not null,
  created_by integer,
  updated_at timestamptz(3),
  updated_by integer,
  -- What it awaited.
  awaited_hash bytea,
  awaited_at timestamptz(3),
  deleted_at timestamptz(3) not null,
  primary key (account, id),
  foreign key (account, application) references applications (account, id) on delete cascade,
  foreign key (account, contact) references contacts (account, id) on delete cascade
);
create index gone_subscriptions_provider on gone_subscriptions (application, provider);
create index gone_subscriptions_contact on gone_subscriptions (account, contact) where contact is not null;
create index gone_subscriptions_deleted_at on gone_subscriptions (deleted_at);
