-- What was sent on demand, and runs of notifications, by when it was asked for and how it ended: how many messages of one instant
-- ended so, written with their outcomes. `why`: of cancellations. Only ever inserted, so that senders never wait for each other;
-- outbox/ended-counts.ts adds them up by quarter of an hour and marks those that are.
create table ended_batches (
  id bigint generated always as identity primary key,
  account integer not null,
  source_kind text not null,
  source integer not null,
  asked timestamptz(3) not null,
  outcome text not null check (outcome in ('sent', 'refused', 'held', 'cancelled')),
  why text,
  messages integer not null,
  is_counted boolean not null default false
);
create index ended_batches_source on ended_batches (account, source_kind, source, asked);
create index ended_batches_new on ended_batches (id) where not is_counted;

create table ended_quarters (
  account integer not null,
  source_kind text not null,
  source integer not null,
  start timestamptz(3) not null,
  outcome text not null,
  why text not null,
  messages bigint not null,
  primary key (account, source_kind, source, start, outcome, why)
);

-- Messages that ended before: as they were recorded, and where nothing more is kept of them as their events say.
insert into ended_batches (account, source_kind, source, asked, outcome, why, messages)
select s.account, s.source_kind, s.source, s.stamp_time,
  case s.outcome when 'accepted' then 'sent' when 'held' then 'held' when 'refused' then 'refused' else 'cancelled' end,
  case when s.outcome not in ('accepted', 'held', 'refused') then coalesce((
    select e.detail #>> '{cancellation,type}' from events e
    where e.account = s.account and e.stamp = s.stamp and e.kind = 'cancellations' order by e.at limit 1), 'unknown') end,
  count(*)
from sent_messages s
where s.kind = 'message' or (s.kind = 'campaign' and s.source_kind = 'notification')
group by 1, 2, 3, 4, 5, 6;

with ended as (
  select distinct on (e.account, e.stamp) e.account, e.channel, e.subject, e.at, e.kind, e.detail
  from events e
  where e.kind in ('activations', 'cancellations') and not e.is_test and e.subject is not null
    and coalesce(e.detail #>> '{activation,kind}', e.detail #>> '{execution,kind}') in ('message', 'application')
    and not exists (select from sent_messages s where s.account = e.account and s.stamp = e.stamp)
    and not exists (select from messages m where m.account = e.account and m.stamp = e.stamp and m.kind in ('message', 'campaign'))
  order by e.account, e.stamp, e.at
)
insert into ended_batches (account, source_kind, source, asked, outcome, why, messages)
select e.account, case e.channel when 'rcs' then 'rcs' when 'notification' then 'notification' else 'action' end, e.subject,
  to_timestamp(coalesce(e.detail #>> '{activation,stamp,time}', e.detail #>> '{execution,stamp,time}')::bigint / 1000.0),
  case when e.kind = 'cancellations' then 'cancelled' when exists (
      select from events b where b.account = e.account and b.stamp = (coalesce(e.detail #>> '{activation,stamp,id}', e.detail #>> '{execution,stamp,id}'))::uuid
        and b.kind = 'bounces' and b.detail #>> '{bounce,status,type}' = 'sync') then 'refused' else 'sent' end,
  case when e.kind = 'cancellations' then coalesce(e.detail #>> '{cancellation,type}', 'unknown') end, count(*)
from ended e group by 1, 2, 3, 4, 5, 6;
