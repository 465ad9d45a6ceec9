-- Where events are told to: outgoing webhooks. Rewritten at every change of their health, so that pages keep room.
create table webhooks (
  -- uuid version 7: ids sort by creation.
  id uuid primary key,
  account integer not null references accounts,
  name text not null,
  url text not null,
  -- Kinds, each for all below it, "custom", and types of notices. Empty: all kinds.
  events text[] not null,
  -- Empty: all channels.
  channels text[] not null,
  -- Classes of hits and interactions; "human" for those without one, "all".
  classification text[] not null,
  active boolean not null,
  batch_size integer not null check (batch_size between 1 and 500),
  batch_wait_ms integer not null check (batch_wait_ms between 0 and 5000),
  -- Sealed; the one before signs too for 24 hours after a rotation.
  secret bytea not null,
  previous_secret bytea,
  rotated_at timestamptz(3),
  state text not null default 'ok' check (state in ('ok', 'failing', 'suspended')),
  -- Tries that failed since the last success, and the first of them.
  failures integer not null default 0,
  failing_since timestamptz(3),
  -- The receiver asked to be left alone until then.
  hold_until timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Events of a suspended one become dead letters; of an inactive one they are not its business.
  listens boolean not null generated always as (active or state = 'suspended') stored
) with (fillfactor = 50);
create index webhooks_account on webhooks (account, id);

-- Events and notices that wait to be put into a delivery, written in the transaction of the event. Without a foreign key:
-- it would cost every event a lock. What a deleted webhook leaves is swept up nightly.
create table webhook_queue (
  webhook uuid not null,
  id bigint generated always as identity,
  event uuid not null,
  queued_at timestamptz(3) not null default clock_timestamp(),
  primary key (webhook, id)
);

-- What is told in one request, until it is; a dead letter once it is given up.
create table webhook_deliveries (
  webhook uuid not null references webhooks on delete cascade,
  -- The "webhook-id" of every try: the event's, or one of its own for a batch.
  id uuid not null,
  events uuid[] not null,
  -- Time of the first event.
  at timestamptz(3) not null,
  tries integer not null default 0,
  first_try_at timestamptz(3),
  next_at timestamptz(3) not null,
  -- A process is trying it, until then at most.
  leased_until timestamptz(3),
  -- What the last try failed of.
  failure text,
  dead_at timestamptz(3),
  primary key (webhook, id)
);
create index webhook_deliveries_due on webhook_deliveries (webhook, next_at) where dead_at is null;
create index webhook_deliveries_dead on webhook_deliveries (webhook, at, id) where dead_at is not null;
create index webhook_deliveries_dead_at on webhook_deliveries (dead_at) where dead_at is not null;

-- Whether a webhook wants an event. Kinds have one or two parts, so a prefix is the kind or its first part.
create function webhook_wants(w webhooks, channel text, kind text, classification text)
returns boolean language sql immutable as $$
  select (w.events = '{}' or kind = any(w.events) or split_part(kind, '/', 1) = any(w.events))
    and (w.channels = '{}' or channel = any(w.channels))
    and (split_part(kind, '/', 1) not in ('hits', 'interactions')
      or 'all' = any(w.classification) or coalesce(classification, 'human') = any(w.classification))
$$;

-- The triggers run once a statement. A hit is queued when it is settled, all else when it is written. What is of accounts
-- that have nothing told joins nothing: 200 hits take 1 % longer then, where the join would make it 7 %.
create function queue_events() returns trigger language plpgsql as $$
declare
  told integer[] := array(select distinct account from webhooks where listens);
begin
  if told = '{}' or not exists (select from fresh where account = any(told)) then return null; end if;
  insert into webhook_queue (webhook, event)
  select w.id, f.id from fresh f join webhooks w on w.account = f.account
  where w.listens and webhook_wants(w, f.channel, f.kind, f.classification)
    and not (split_part(f.kind, '/', 1) in ('hits', 'interactions')
      and exists (select from unsettled_hits u where u.event = f.id))
  order by f.id;
  return null;
end $$;
create trigger events_webhooks after insert on events
  referencing new table as fresh for each statement execute function queue_events();

create function queue_settled_hits() returns trigger language plpgsql as $$
declare
  told integer[] := array(select distinct account from webhooks where listens);
begin
  if told = '{}' or not exists (select from settled where account = any(told)) then return null; end if;
  insert into webhook_queue (webhook, event)
  select w.id, e.id from settled s
    join events e on e.id = s.event and e.at = s.at
    join webhooks w on w.account = e.account
  where w.listens and webhook_wants(w, e.channel, e.kind, e.classification)
  order by e.id;
  return null;
end $$;
create trigger unsettled_hits_webhooks after delete on unsettled_hits
  referencing old table as settled for each statement execute function queue_settled_hits();

create function queue_notices() returns trigger language plpgsql as $$
begin
  insert into webhook_queue (webhook, event)
  select w.id, f.id from fresh f join webhooks w on w.account = f.account
  where w.listens and f.type = any(w.events)
  order by f.id;
  return null;
end $$;
create trigger notices_webhooks after insert on notices
  referencing new table as fresh for each statement execute function queue_notices();

-- Types of notices that streams asked for, kept a day beyond the last of them so that one can resume.
create table stream_notices (
  account integer not null references accounts,
  type text not null,
  used_at timestamptz(3) not null,
  primary key (account, type)
);
