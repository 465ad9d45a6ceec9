-- One queue for all that listens to events and notices: webhooks are the first kind of listener.

-- How many steps of workflows led to a message, and to what it brings about; what a person does is 0.
alter table messages add depth smallint not null default 0;
alter table events add depth smallint not null default 0;

-- What listeners want to be queued. Few rows: one per webhook or workflow, however many of its runs wait.
create table listener_interests (
  account integer not null references accounts,
  -- webhook, ...: rows of a kind are taken together.
  kind text not null,
  -- The id of the webhook or workflow.
  owner text not null,
  -- Its rows are queued for it alone, under this id. Null: all such owners of the kind in the account share one row an event.
  listener uuid,
  -- Kinds, each for all below it, "custom", and types of notices. Empty: all kinds.
  events text[] not null,
  -- Empty: all channels.
  channels text[] not null,
  -- Classes of hits and interactions; "human" for those without one, "all".
  classification text[] not null,
  -- Every transaction from this one on queues what is wanted. Null while one may be in progress that published before it
  -- could see this row.
  since xid8,
  primary key (account, kind, owner)
);

-- Events and notices that wait to be taken, written in the transaction that publishes them and deleted when they are taken.
-- Without a foreign key: it would cost every event a lock.
create table listener_queue (
  id bigint generated always as identity,
  account integer not null,
  kind text not null,
  -- Null: for all listeners of the kind in the account.
  listener uuid,
  -- Of a shared row, by the contact: rows of a partition are taken by one taker at a time.
  part smallint,
  event uuid not null,
  -- Of a shared row: the contact, and the send that is the cause.
  contact bigint,
  stamp uuid,
  depth smallint not null,
  queued_at timestamptz(3) not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create unique index listener_queue_own on listener_queue (listener, id) where listener is not null;
create unique index listener_queue_shared on listener_queue (kind, part, account, id) where listener is null;

-- What takes shared rows, until its lease ends; its partitions are free then.
create table listener_takers (
  kind text not null,
  taker uuid not null,
  leased_until timestamptz(3) not null,
  primary key (kind, taker)
);
create table listener_partitions (
  kind text not null,
  part smallint not null,
  taker uuid,
  primary key (kind, part)
);

insert into listener_interests (account, kind, owner, listener, events, channels, classification, since)
select account, 'webhook', id, id, events, channels, classification, pg_current_xact_id() from webhooks where listens;
insert into listener_queue (account, kind, listener, event, depth, queued_at)
select w.account, 'webhook', q.webhook, q.event, 0, q.queued_at from webhook_queue q join webhooks w on w.id = q.webhook
order by q.id;

drop trigger events_webhooks on events;
drop trigger unsettled_hits_webhooks on unsettled_hits;
drop trigger notices_webhooks on notices;
drop function queue_events, queue_settled_hits, queue_notices, webhook_wants;
drop table webhook_queue;

-- Whether an interest wants an event. Kinds have one or two parts, so a prefix is the kind or its first part.
create function listener_wants(i listener_interests, channel text, kind text, classification text)
returns boolean language sql immutable as $$
  select (i.events = '{}' or kind = any(i.events) or split_part(kind, '/', 1) = any(i.events))
    and (i.channels = '{}' or channel = any(i.channels))
    and (split_part(kind, '/', 1) not in ('hits', 'interactions')
      or 'all' = any(i.classification) or coalesce(classification, 'human') = any(i.classification))
$$;

-- The partition of a shared row: by its contact, and without one by its send.
create function listener_part(contact bigint, stamp uuid, event uuid) returns smallint language sql immutable as $$
  select (case when contact is null then uuid_hash(coalesce(stamp, event)) else hashint8(contact) end & 63)::smallint
$$;

-- The triggers run once a statement. A hit is queued when it is settled, all else when it is written. What is of accounts
-- without a listener joins nothing: 200 hits take 1 % longer then, where the join would make it 7 %.
create function queue_events() returns trigger language plpgsql as $$
declare
  listening integer[] := array(select distinct account from listener_interests);
begin
  if listening = '{}' or not exists (select from fresh where account = any(listening)) then return null; end if;
  insert into listener_queue (account, kind, listener, event, depth)
  select f.account, i.kind, i.listener, f.id, f.depth
  from fresh f join listener_interests i on i.account = f.account
  where i.listener is not null and listener_wants(i, f.channel, f.kind, f.classification)
    and not (split_part(f.kind, '/', 1) in ('hits', 'interactions')
      and exists (select from unsettled_hits u where u.event = f.id))
  order by f.id;
  if not exists (select from listener_interests where listener is null) then return null; end if;
  insert into listener_queue (account, kind, part, event, contact, stamp, depth)
  select f.account, l.kind, listener_part(f.contact, f.stamp, f.id), f.id, f.contact, f.stamp, f.depth
  from fresh f cross join lateral (
    select distinct i.kind from listener_interests i
    where i.account = f.account and i.listener is null and listener_wants(i, f.channel, f.kind, f.classification)) l
  where not (split_part(f.kind, '/', 1) in ('hits', 'interactions')
    and exists (select from unsettled_hits u where u.event = f.id))
  order by f.id;
  return null;
end $$;
create trigger events_listeners after insert on events
  referencing new table as fresh for each statement execute function queue_events();

create function queue_settled_hits() returns trigger language plpgsql as $$
declare
  listening integer[] := array(select distinct account from listener_interests);
begin
  if listening = '{}' or not exists (select from settled where account = any(listening)) then return null; end if;
  insert into listener_queue (account, kind, listener, event, depth)
  select e.account, i.kind, i.listener, e.id, e.depth
  from settled s
    join events e on e.id = s.event and e.at = s.at
    join listener_interests i on i.account = e.account
  where i.listener is not null and listener_wants(i, e.channel, e.kind, e.classification)
  order by e.id;
  if not exists (select from listener_interests where listener is null) then return null; end if;
  insert into listener_queue (account, kind, part, event, contact, stamp, depth)
  select e.account, l.kind, listener_part(e.contact, e.stamp, e.id), e.id, e.contact, e.stamp, e.depth
  from settled s
    join events e on e.id = s.event and e.at = s.at
    cross join lateral (
      select distinct i.kind from listener_interests i
      where i.account = e.account and i.listener is null and listener_wants(i, e.channel, e.kind, e.classification)) l
  order by e.id;
  return null;
end $$;
create trigger unsettled_hits_listeners after delete on unsettled_hits
  referencing old table as settled for each statement execute function queue_settled_hits();

create function queue_notices() returns trigger language plpgsql as $$
begin
  insert into listener_queue (account, kind, listener, event, depth)
  select f.account, i.kind, i.listener, f.id, f.depth
  from fresh f join listener_interests i on i.account = f.account
  where i.listener is not null and f.type = any(i.events)
  order by f.id;
  insert into listener_queue (account, kind, part, event, contact, stamp, depth)
  select f.account, l.kind, listener_part(f.contact, (f.stamp ->> 'id')::uuid, f.id), f.id, f.contact, (f.stamp ->> 'id')::uuid, f.depth
  from fresh f cross join lateral (
    select distinct i.kind from listener_interests i
    where i.account = f.account and i.listener is null and f.type = any(i.events)) l
  order by f.id;
  return null;
end $$;
create trigger notices_listeners after insert on notices
  referencing new table as fresh for each statement execute function queue_notices();
