-- Events of what is sent on demand, counted by when their messages were asked for: reports of a period are read from these. A row for
-- each quarter of an hour of the events, day (UTC, by its number since 1970) of the executions, kind and what is said. `moments`: of
-- each event of a person, milliseconds of that day at which its message was asked for, four bytes each, ascending; `contacts`: theirs
-- in that order, six bytes each, of links and of counts (their facet is empty), or empty; `machines`: as `moments`, of robots.
-- Made by features/events/asked-counts.ts.
create table asked_counts (
  account integer not null,
  channel text collate "C" not null,
  subject integer not null,
  start timestamptz(3) not null,
  asked_day integer not null,
  kind text collate "C" not null,
  facet text collate "C" not null,
  detail text collate "C" not null,
  moments bytea not null,
  contacts bytea not null,
  machines bytea not null
);
create index asked_counts_subject on asked_counts (account, channel, subject, start);
create index asked_counts_start on asked_counts (start);

-- The same by day of the events (UTC).
create table asked_days (
  account integer not null,
  channel text collate "C" not null,
  subject integer not null,
  day timestamptz(3) not null,
  asked_day integer not null,
  kind text collate "C" not null,
  facet text collate "C" not null,
  detail text collate "C" not null,
  moments bytea not null,
  contacts bytea not null,
  machines bytea not null
);
create index asked_days_subject on asked_days (account, channel, subject, asked_day, facet, kind);
create index asked_days_day on asked_days (day);

-- Lists are cut, and their lengths are read without them.
alter table asked_counts alter column moments set storage external, alter column contacts set storage external, alter column machines set storage external;
alter table asked_days alter column moments set storage external, alter column contacts set storage external, alter column machines set storage external;

-- How many of ascending moments are before an instant of their day.
create function moments_before(moments bytea, instant integer) returns integer language plpgsql immutable strict parallel safe as $$
declare
  low integer := 0;
  high integer := octet_length(moments) / 4;
  middle integer;
  wanted bytea := int4send(instant);
begin
  while low < high loop
    middle := (low + high) / 2;
    if substr(moments, 4 * middle + 1, 4) < wanted then low := middle + 1; else high := middle; end if;
  end loop;
  return low;
end $$;

-- Quarters that were counted before are counted once more, but for those of campaigns alone.
insert into stale_event_counts (account, channel, start)
select distinct c.account, c.channel, quarter_of(c.start) from event_counts c
where c.channel <> 'display' and c.subject is not null and (c.channel = 'notification' or not exists (
  select from actions a where a.account = c.account and a.id = c.subject and a.type in ('mailCampaign', 'smsCampaign', 'rcsCampaign')));

-- Single instants of what ended stand with their quarter, and its batches go as they are added up: a row for each message was kept for
-- 26 months. `instants`: milliseconds of the quarter and number of messages, four bytes each; empty when they are kept no more.
alter table ended_quarters add column instants bytea not null default '', alter column instants set storage external;
update ended_quarters q set instants = b.instants
from (
  select account, source_kind, source, quarter_of(asked) as start, outcome, coalesce(why, '') as why,
    string_agg(int4send((date_part('epoch', asked - quarter_of(asked)) * 1000)::integer) || int4send(messages), '') as instants
  from ended_batches where is_counted group by 1, 2, 3, 4, 5, 6) b
where (q.account, q.source_kind, q.source, q.start, q.outcome, q.why) = (b.account, b.source_kind, b.source, b.start, b.outcome, b.why);
delete from ended_batches where is_counted;
alter table ended_batches drop column is_counted;
