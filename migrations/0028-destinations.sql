-- Mail that goes to the servers of its addressees itself: what is known of the destinations it is grouped by.

alter table messages
  -- Where it was to go when it was sent back or put off; null: it was not tried yet, or it goes through a relay.
  add column destination text;
-- Read as a loose index scan: the queues, the oldest message of each, and what is to be flushed.
create index messages_destination on messages (account, lane, destination, created_at)
  where state = 'queued' and destination is not null;

-- Senders that share the limits of destinations, as long as they say that they live.
create table live_senders (
  id uuid primary key,
  seen_at timestamptz(3) not null
);

-- How each sender finds its destinations; account null: through the gateway of the installation.
create table destination_states (
  sender uuid not null references live_senders on delete cascade,
  account integer references accounts,
  destination text not null,
  state text not null check (state in ('open', 'slow', 'suspended')),
  -- Messages a second, and connections, that the sender uses at most.
  rate double precision not null,
  connections integer not null,
  suspended_until timestamptz(3),
  -- Without addresses.
  last_refusal text,
  last_refusal_at timestamptz(3),
  unique nulls not distinct (sender, account, destination)
);

-- What an operator holds.
create table destination_holds (
  account integer not null references accounts,
  destination text not null,
  held_at timestamptz(3) not null,
  primary key (account, destination)
);

-- Sending domains that send a little more each day; the first day is starts_on (UTC).
create table warm_ups (
  account integer not null,
  domain text not null,
  starts_on date not null,
  primary key (account, domain),
  foreign key (account, domain) references sending_domains on delete cascade
);

-- What was handed over on a day, or is reserved by a sender for what it has at hand.
create table warm_up_counts (
  account integer not null,
  domain text not null,
  destination text not null,
  day date not null,
  sent integer not null,
  primary key (account, domain, destination, day),
  foreign key (account, domain) references warm_ups on delete cascade
);
