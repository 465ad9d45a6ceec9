-- Everything that happened, append only, by month of publication. Read and written by features/events alone.
create table events (
  -- uuid version 7 whose time is "at": ids sort as events do.
  id uuid not null,
  -- Publication, by the database's clock.
  at timestamptz(3) not null,
  account integer not null,
  channel text not null check (channel in ('email', 'sms', 'rcs', 'notification', 'display')),
  -- The stored kind: executions, activations, hits/open, ... (the table of kinds).
  kind text not null,
  -- Id of the action, RCS action or notification; null for display.
  subject integer,
  contact bigint,
  stamp uuid,
  thread uuid,
  -- Human when null, else mpp, gsr, genericrobot. Only hits and interactions have one.
  classification text,
  is_test boolean not null default false,
  -- The "timestamp" of the activation a reaction answers; null when it answers none that is stored.
  activation_at timestamptz(3),
  -- source.detail, whole.
  detail jsonb not null,
  primary key (id, at)
) partition by range (at);
create index events_subject on events (account, channel, subject, at, id);
create index events_channel on events (account, channel, at, id);
create index events_contact on events (account, contact, at, id);
create index events_stamp on events (account, stamp);

-- Natural keys of events that are written once, kept 40 days.
create table event_keys (
  key uuid primary key,
  written_at timestamptz(3) not null default now()
);
create index event_keys_written_at on event_keys (written_at);
