-- A column store that has the history of events beside this database: how far it is. No row: there is none.
create table event_store (
  is_only boolean primary key default true,
  -- Up to this event, and before this instant, all events are acknowledged there.
  copied_id uuid,
  copied_until timestamptz(3) not null default '-infinity',
  -- Events before it are read there alone.
  border timestamptz(3) not null default '-infinity',
  -- Events before it are there alone.
  dropped_until timestamptz(3) not null default '-infinity',
  -- The batch under way: repeated under its name, it writes nothing twice.
  batch_name text,
  batch_after uuid,
  batch_until uuid,
  constraint event_store_only check (is_only)
);

-- Changes of events that the store does not have yet, with what its tables are ordered by before the change. The numbers are revisions.
create table event_changes (
  number bigint generated always as identity primary key,
  event uuid not null,
  at timestamptz(3) not null,
  account integer not null,
  channel text not null collate "C",
  subject integer,
  contact bigint,
  stamp uuid,
  thread uuid,
  phone text collate "C",
  agent text collate "C"
);
create index event_changes_at on event_changes (at);

create function note_event_changes() returns trigger language plpgsql as $$
begin
  if not exists (select from event_store) then return null; end if;
  insert into event_changes (event, at, account, channel, subject, contact, stamp, thread, phone, agent)
  select id, at, account, channel, subject, contact, stamp, thread, phone, agent from old_events order by id;
  return null;
end $$;
create trigger events_noted after update on events
  referencing old table as old_events for each statement execute function note_event_changes();

-- Activations of months that the store alone has: later reactions still answer them.
create table kept_activations (
  id uuid not null,
  at timestamptz(3) not null,
  account integer not null,
  channel text not null collate "C",
  subject integer,
  contact bigint,
  stamp uuid,
  thread uuid,
  subscription uuid,
  phone text collate "C",
  agent text collate "C",
  title text,
  is_test boolean not null,
  depth smallint not null,
  activation json,
  primary key (id, at)
) partition by range (at);
create table kept_activations_other partition of kept_activations default;
create index kept_activations_stamp on kept_activations (account, stamp);
create index kept_activations_phone on kept_activations (account, phone, agent, at) where channel = 'rcs';
