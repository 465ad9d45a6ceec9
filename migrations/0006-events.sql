-- Everything that happened, append only, by month of publication. Read and written by features/events alone.
create table events (
  -- uuid version 7 whose time is "at": ids sort as events do.
  id uuid not null,
  -- Publication, by the database's clock.
  at timestamptz(3) not null,
  account integer not null,
  channel text collate "C" not null check (channel in ('email', 'sms', 'rcs', 'notification', 'display')),
  -- The stored kind: executions, activations, hits/open, ... (the table of kinds).
  kind text collate "C" not null,
  -- Id of the action, RCS action or notification; null for display.
  subject integer,
  contact bigint,
  stamp uuid,
  thread uuid,
  -- Push: the device. RCS: the phone (E.164) and the agent.
  subscription uuid,
  phone text collate "C",
  agent text collate "C",
  -- Human when null, else mpp, gsr, genericrobot. Only hits and interactions have one.
  classification text,
  is_test boolean not null default false,
  -- The "timestamp" of the activation a reaction answers; null when it answers none that is stored.
  activation_at timestamptz(3),
  -- source.detail, whole. As json it is written and read as it is, three times faster than jsonb: nothing queries it.
  detail json not null,
  primary key (id, at)
) partition by range (at);
-- "kind" comes last: a list of one kind among many is filtered within the index.
create index events_subject on events (account, channel, subject, at, id, kind);
create index events_channel on events (account, channel, at, id, kind);
create index events_contact on events (account, contact, at, id);
create index events_stamp on events (account, stamp, kind);
create index events_thread on events (account, thread) where channel = 'rcs';
create index events_phone on events (account, phone, agent, at, id) where channel = 'rcs';

create function events_partition(moment timestamptz) returns text language sql stable as
  $$ select to_char(moment at time zone 'UTC', '"events_"YYYY_MM') $$;

-- Makes the partitions of the month of "since" and of the months after it; answers how many were missing.
-- A table is made first and attached then: attaching lets others go on writing, "create ... partition of" does not.
create function make_event_partitions(since timestamptz, months integer) returns integer language plpgsql as $$
declare
  month timestamp;
  name text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('event partitions'));
  for month in
    select m from generate_series(date_trunc('month', since at time zone 'UTC'),
      date_trunc('month', since at time zone 'UTC') + make_interval(months => months), interval '1 month') m
  loop
    name := events_partition(month at time zone 'UTC');
    -- Not to_regclass: it may not know yet what another process made while this one waited.
    continue when exists (
      select from pg_inherits join pg_class on oid = inhrelid where inhparent = 'events'::regclass and relname = name);
    execute format('create table %I (like events including all)', name);
    execute format('alter table events attach partition %I for values from (%L) to (%L)',
      name, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
    made := made + 1;
  end loop;
  return made;
end $$;

-- Natural keys of events that are written once, kept 40 days.
create table event_keys (
  key uuid primary key,
  written_at timestamptz(3) not null default now()
);
create index event_keys_written_at on event_keys using brin (written_at);

-- Hits that the next seconds may show to be a robot's; settled and gone within 3 s.
create table unsettled_hits (
  event uuid primary key,
  at timestamptz(3) not null,
  account integer not null,
  stamp uuid not null,
  -- Whose address a person's hit proves good: the contact and the field of the activation.
  contact bigint,
  field integer,
  -- Null as long as it is taken for a person's.
  classification text,
  -- When the request came, and the link's number in its content; null: an open.
  hit_at timestamptz(3) not null,
  link integer,
  -- A keyed hash of the whole address, which is stored nowhere else.
  visitor bytea
);
create index unsettled_hits_at on unsettled_hits (at);
create index unsettled_hits_stamp on unsettled_hits (account, stamp);

-- Reactions that were stored before the activation they answer; looked for again from time to time, for five days.
create table early_reactions (
  event uuid primary key,
  at timestamptz(3) not null,
  account integer not null,
  stamp uuid not null,
  subscription uuid,
  -- Hits: the instant of the request, and what it is when that is too soon after the activation.
  hit_at timestamptz(3),
  early_ms integer,
  early_class text,
  next_at timestamptz(3) not null
);
create index early_reactions_next_at on early_reactions (next_at);

-- Honeypot links that were followed: who did so is a robot for that stamp; kept ten minutes.
create table sprung_honeypots (
  account integer not null,
  stamp uuid not null,
  visitor bytea not null,
  sprung_at timestamptz(3) not null,
  primary key (account, stamp, visitor)
);
create index sprung_honeypots_sprung_at on sprung_honeypots (sprung_at);
