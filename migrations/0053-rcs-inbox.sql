-- Reports of RCS that wait until they are recorded as events: moments, or until their message is recorded.
create table rcs_inbox (
  id bigint generated always as identity primary key,
  -- SHA-256 of what makes a report this one: account, agent, message, event and type.
  digest bytea not null unique,
  account integer not null references accounts,
  report jsonb not null,
  received_at timestamptz(3) not null,
  next_at timestamptz(3) not null
);
create index rcs_inbox_next_at on rcs_inbox (next_at);
