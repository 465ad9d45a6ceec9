-- What summaries of reactivities are made of: the counts of each quarter of an hour. Every zone's hours and days begin at a
-- quarter. Made after the fact by features/events/summary-counts.ts: the writing of an event does nothing for it.
create table event_counts (
  account integer not null,
  channel text collate "C" not null,
  subject integer,
  -- Of the quarter. While that goes on it is counted in pieces, each from its own start to that of the next.
  start timestamptz(3) not null,
  -- 'activations', or the kind of reactions that are joined to one. Proofs are left out.
  kind text collate "C" not null,
  -- Events without a class, and with one.
  humans integer not null,
  robots integer not null,
  -- The different contacts of the former, ascending, six bytes each, the highest first.
  contacts bytea not null,
  -- The first and the last activation that these reactions answer; null for activations.
  first_activation_at timestamptz(3),
  last_activation_at timestamptz(3),
  unique nulls not distinct (account, channel, subject, kind, start)
);
create index event_counts_start on event_counts (start);
-- They are read often and hardly become shorter: kept as they are.
alter table event_counts alter column contacts set storage external;

-- Up to when events are counted. One row.
create table event_counting (
  counted_until timestamptz(3) not null
);
insert into event_counting values ('epoch');

-- Quarters whose events were changed, or written, after they were counted: to be counted again, and read from the events
-- until then. Without a key: whoever notes one waits for nobody.
create table stale_event_counts (
  id bigint generated always as identity primary key,
  account integer not null,
  channel text collate "C" not null,
  start timestamptz(3) not null
);

create function quarter_of(at timestamptz) returns timestamptz language sql immutable as
  $$ select date_bin('15 minutes', at, 'epoch'::timestamptz) $$;

-- Events are written with the present time, a minute before they are counted at the earliest. This is for whoever writes
-- old ones.
create function note_late_events() returns trigger language plpgsql as $$
declare
  counted timestamptz := (select counted_until from event_counting);
begin
  if (select min(at) from fresh) < counted then
    insert into stale_event_counts (account, channel, start)
    select distinct account, channel, quarter_of(at) from fresh where at < counted;
  end if;
  return null;
end $$;
create trigger events_late after insert on events
  referencing new table as fresh for each statement execute function note_late_events();

-- Events are counted a minute after they were published, and changes of younger ones are not noted. Whoever counts takes this
-- lock for a moment first: then all of those are committed.
create function note_changed_events() returns trigger language plpgsql as $$
begin
  if not exists (select from old_events) then return null; end if;
  perform pg_advisory_xact_lock_shared(hashtext('changes of events'));
  insert into stale_event_counts (account, channel, start)
  select distinct c.account, c.channel, quarter_of(c.at)
  from old_events o join new_events n using (id)
    cross join lateral (values (o.account, o.channel, o.at), (n.account, n.channel, n.at)) c (account, channel, at)
  where c.at < clock_timestamp() - interval '30 seconds'
    and (o.account, o.channel, o.at, o.kind, o.subject, o.contact, o.classification, o.is_test, o.activation_at)
      is distinct from (n.account, n.channel, n.at, n.kind, n.subject, n.contact, n.classification, n.is_test, n.activation_at);
  return null;
end $$;
create trigger events_changed after update on events
  referencing old table as old_events new table as new_events for each statement execute function note_changed_events();

create function note_deleted_events() returns trigger language plpgsql as $$
begin
  if not exists (select from old_events) then return null; end if;
  perform pg_advisory_xact_lock_shared(hashtext('changes of events'));
  insert into stale_event_counts (account, channel, start)
  select distinct account, channel, quarter_of(at) from old_events where at < clock_timestamp() - interval '30 seconds';
  return null;
end $$;
create trigger events_deleted after delete on events
  referencing old table as old_events for each statement execute function note_deleted_events();
