-- The outbox owns what it goes by: a sending is one run of something to many, or the open door of something sent on
-- demand. What is sent names its sending; nothing of the outbox refers to actions any more.

create table sendings (
  id bigint generated always as identity primary key,
  account integer not null references accounts,
  channel text not null,
  -- What is sent: its kind, and its number there.
  source_kind text not null check (source_kind in ('action', 'rcs', 'notification')),
  source integer not null,
  -- message: the open door of what is sent on demand; campaign, test: one run.
  kind text not null check (kind in ('message', 'campaign', 'test')),
  -- The content that its messages have unless they name their own.
  version integer not null references content_versions,
  lane smallint not null,
  -- The "set" of the stamps of a run; null for a door, whose requests have one each.
  run uuid unique,
  state text not null check (state in ('planning', 'running', 'finished', 'cancelled')),
  paused boolean not null default false,
  -- From when on nothing is handed over for the first time.
  ends_at timestamptz(3),
  -- Messages an hour; 0: as fast as gateways allow. When the next one may be handed over.
  speed integer not null default 0,
  next_turn_at timestamptz,
  -- Digits of a clock: each contact's own shows them when its message is due.
  local_start text,
  -- {"selected": [...], "excluded": [...]}: segments, until they are written down as contacts.
  audience jsonb,
  audience_at timestamptz(3),
  -- The plan: the last contact it has reached, and when it was complete.
  planned_through bigint,
  planned_at timestamptz(3),
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  check ((kind = 'message') = (run is null))
);
create unique index sendings_open on sendings (account, source_kind, source) where kind = 'message' and state = 'running';
create index sendings_source on sendings (account, source_kind, source);
create index sendings_version on sendings (version);
-- What periodic tasks look through several times a second.
create index sendings_moving on sendings (id) where kind <> 'message' and state in ('planning', 'running');

-- Sendings that have finished, for the owner of what was sent: its task takes the rows.
create table sending_ends (
  sending bigint primary key references sendings on delete cascade,
  source_kind text not null,
  source integer not null,
  kind text not null
);

-- How a sending stands, kept as outcomes are recorded.
create table sending_counts (
  sending bigint not null references sendings on delete cascade,
  shard smallint not null,
  recipients bigint not null default 0,
  sent bigint not null default 0,
  cancelled bigint not null default 0,
  refused bigint not null default 0,
  held bigint not null default 0,
  last_sent_at timestamptz(3),
  primary key (sending, shard)
);

-- Campaigns that have begun.
insert into sendings (account, channel, source_kind, source, kind, version, lane, run, state, paused, ends_at, speed,
  next_turn_at, local_start, audience, audience_at, planned_through, planned_at, created_at, ended_at)
select a.account, v.source ->> 'channel', 'action', a.id, 'campaign', v.id,
  case when (v.source #>> '{settings,priority}')::boolean then 0 else 2 end, a.run,
  case when a.deleted_at is not null then 'cancelled' when a.state = 60 then 'finished' when a.planned_at is null then 'planning'
    else 'running' end,
  a.paused and a.state = 55, (a.scheduler ->> 'endDate')::timestamptz, coalesce((a.scheduler ->> 'speed')::integer, 0),
  a.next_turn_at, case when a.scheduler ->> 'type' = 'timeZoneSchedule' then a.scheduler ->> 'startDate' end,
  case when a.audience_at is null then jsonb_build_object(
    'selected', coalesce((select jsonb_agg(segment) from action_segments s where s.action = a.id and role = 'selected'), '[]'),
    'excluded', coalesce((select jsonb_agg(segment) from action_segments s where s.action = a.id and role = 'excluded'), '[]')) end,
  a.audience_at, a.planned_through, a.planned_at, coalesce(a.started_at, a.updated_at),
  coalesce(a.ended_at, a.deleted_at)
from actions a join content_versions v on v.id = a.version
where a.type in ('mailCampaign', 'smsCampaign') and a.state in (55, 60) and a.run is not null;

-- Tests that are under way, and runs of before of which messages are left.
insert into sendings (account, channel, source_kind, source, kind, version, lane, run, state, created_at, ended_at)
select a.account, v.source ->> 'channel', 'action', a.id, 'test', v.id, 0, a.run,
  case when a.deleted_at is not null then 'cancelled' else 'running' end, a.updated_at, a.deleted_at
from actions a join content_versions v on v.id = a.version
where a.state = 36 and a.run is not null;
insert into sendings (account, channel, source_kind, source, kind, version, lane, run, state, created_at, ended_at)
select distinct on (m.run) m.account, m.channel, 'action', m.action, m.kind, m.version, m.lane, m.run,
  case when a.deleted_at is not null then 'cancelled' else 'finished' end, m.created_at, now()
from (
  select account, channel, action, kind, version, lane, "set" as run, created_at from messages where kind in ('campaign', 'test')
  union all
  select account, channel, action, 'campaign', version, lane, run, created_at from message_slices) m
join actions a on a.account = m.account and a.id = m.action
where not exists (select from sendings s where s.run = m.run)
order by m.run, m.created_at;

-- Doors of what waits.
insert into sendings (account, channel, source_kind, source, kind, version, lane, state, created_at, ended_at)
select m.account, m.channel, 'action', m.action, 'message', coalesce(max(a.version), max(m.version)), min(m.lane),
  case when max(a.deleted_at) is not null then 'cancelled' else 'running' end, min(m.created_at), max(a.deleted_at)
from messages m join actions a on a.account = m.account and a.id = m.action
where m.kind in ('message', 'copy') group by m.account, m.channel, m.action;

insert into sending_counts (sending, shard, recipients, sent, cancelled, refused, held, last_sent_at)
select s.id, c.shard, c.recipients, c.sent, c.cancelled, c.refused, c.held, c.last_sent_at
from run_counts c join sendings s on s.run = c.run;
insert into sending_counts (sending, shard, held)
select s.id, 0, count(*) from messages m join sendings s on s.kind = 'message' and s.source_kind = 'action'
  and s.account = m.account and s.source = m.action
where m.kind in ('message', 'copy') and m.state = 'held' group by s.id;
drop table run_counts;

drop function sliced_message;

alter table messages add column sending bigint;
update messages m set sending = s.id from sendings s
where s.account = m.account and s.source_kind = 'action' and s.source = m.action
  and case when m.kind in ('message', 'copy') then s.kind = 'message' else s.run = m."set" end;
alter table messages alter column sending set not null;
drop index messages_due;
drop index messages_action;
alter table messages drop column action,
  add constraint messages_sending_fkey foreign key (sending) references sendings;
-- Read as a loose index scan: which sendings wait in a lane, then the due messages of each in turn.
create index messages_due on messages (lane, account, sending, not_before, id) where state = 'queued';
create index messages_sending on messages (sending, attempts, state);

alter table message_slices add column sending bigint;
update message_slices m set sending = s.id from sendings s where s.run = m.run;
alter table message_slices alter column sending set not null;
drop index message_slices_due;
drop index message_slices_action;
alter table message_slices drop column action, drop column run, drop column stamp_time, drop column channel,
  add constraint message_slices_sending_fkey foreign key (sending) references sendings;
create index message_slices_due on message_slices (lane, account, sending, id) where claimed_by is null;
create index message_slices_sending on message_slices (sending);

-- The message of a stamp while it is in a slice; it may be recorded already.
create function sliced_message(of_account integer, of_stamp uuid)
  returns table (slice bigint, sending bigint, channel text, source_kind text, action integer, version integer, contact bigint,
    run uuid, stamp_time timestamptz)
  language sql stable parallel safe
begin atomic
  select s.id, g.id, g.channel, g.source_kind, g.source, s.version, c.contact, g.run, g.created_at
  from message_slices s join sendings g on g.id = s.sending
    cross join lateral unnest(s.contacts) with ordinality as c (contact, place)
  where s.account = of_account and s.stamp_prefix = overlay(of_stamp::text placing '000000000000' from 25)::uuid
    and slice_stamp(s.stamp_prefix, s.seed, c.place - 1) = of_stamp;
end;

-- Contents, sent messages and short links name the kind of what they are of; all there are, are of actions.
alter table content_versions drop constraint content_versions_account_action_fkey;
alter table content_versions rename column action to owner;
alter table content_versions add column owner_kind text not null default 'action';
alter index content_versions_action rename to content_versions_owner;
alter table sent_messages add column source_kind text not null default 'action';
alter table short_links add column source_kind text not null default 'action';

alter table actions add column sending bigint;
update actions a set sending = s.id from sendings s
where s.account = a.account and s.source_kind = 'action' and s.source = a.id and s.run = a.run;
alter table actions drop column run, drop column paused, drop column next_turn_at, drop column audience_at,
  drop column planned_through, drop column planned_at;

create or replace function link_version_forms() returns trigger language plpgsql as $$
begin
  insert into action_forms (account, action, form)
  select distinct new.account, new.owner, from_base36(link ->> 'form')::integer
  from jsonb_array_elements(new.links) as link
  where new.owner_kind = 'action' and link ->> 'form' is not null
    and exists (select from actions a where a.id = new.owner and a.deleted_at is null and a.state <> 60)
  on conflict do nothing;
  return null;
end $$;
