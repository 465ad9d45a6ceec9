-- The outbox: what is to be sent and has no final outcome yet. A row leaves it in the transaction that records the outcome.
create table messages (
  id bigint generated always as identity primary key,
  account integer not null references accounts,
  -- 0 urgent, 1 transactional, 2 bulk.
  lane smallint not null,
  channel text not null check (channel in ('email', 'sms')),
  -- message, campaign, test (a proof), copy.
  kind text not null check (kind in ('message', 'campaign', 'test', 'copy')),
  action integer not null,
  version integer not null references content_versions,
  contact bigint,
  -- The address when it is not the contact's own: a proof's mediaForTest, a copy's address.
  address text,
  stamp uuid not null,
  thread uuid not null,
  set uuid not null,
  stamp_time timestamptz(3) not null,
  -- What the request gave: data, variables, blocks, related, headers, subject, content, attachments, important, part.
  request jsonb not null default '{}',
  state text not null default 'queued' check (state in ('queued', 'claimed', 'held')),
  not_before timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  attempts smallint not null default 0,
  -- The sender that holds a claimed message, and until when.
  claimed_by uuid,
  lease_until timestamptz(3),
  created_at timestamptz(3) not null,
  last_reply text,
  foreign key (account, action) references actions (account, id)
);
-- Read as a loose index scan: which actions wait in a lane, then the due messages of each in turn.
create index messages_due on messages (lane, account, action, not_before, id) where state = 'queued';
create index messages_leases on messages (lease_until) where state = 'claimed';
create index messages_action on messages (action, attempts, state);
create index messages_contact on messages (account, contact);
-- Copies share the stamp of the message they copy.
create unique index messages_stamp on messages (account, stamp) where kind <> 'copy';

-- What reached its final outcome and what its mirror page, its joins and its stamp need; kept 400 days.
create table sent_messages (
  account integer not null,
  stamp uuid not null,
  channel text not null,
  kind text not null,
  action integer not null,
  version integer not null,
  contact bigint,
  address text not null,
  -- accepted, refused, cancelled.
  outcome text not null,
  thread uuid not null,
  set uuid not null,
  stamp_time timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  request jsonb not null,
  -- The contact and related values the template used, and the clock it saw.
  values jsonb not null,
  primary key (account, stamp)
);
create index sent_messages_ended_at on sent_messages (ended_at);

-- How a campaign's run or a test stands, kept as outcomes are recorded: the monitor of an action.
create table run_counts (
  action integer not null,
  run uuid not null,
  shard smallint not null,
  recipients bigint not null default 0,
  sent bigint not null default 0,
  cancelled bigint not null default 0,
  refused bigint not null default 0,
  held bigint not null default 0,
  last_sent_at timestamptz(3),
  primary key (action, run, shard)
);

-- Addresses too long for a link, or links where every character counts (SMS): what a short code stands for.
create table short_links (
  code text primary key,
  account integer not null references accounts,
  action integer not null,
  version integer not null,
  contact bigint,
  stamp uuid not null,
  kind text not null,
  is_test boolean not null,
  is_silent boolean not null,
  link integer not null,
  -- Null for links of the service, whose /t/ address is made anew.
  target text,
  created_at timestamptz(3) not null
);
create index short_links_created_at on short_links (created_at);

-- Addresses a campaign's run has planned, so that two contacts with one address get one message. Emptied when it ends.
create table run_addresses (
  run uuid not null,
  address uuid not null,
  contact bigint not null,
  primary key (run, address)
);
