-- Counts and details of events by day (UTC), put together from those of its quarters: reports are read from these, so that what
-- they read grows with days and contacts, not with events. `facet` is empty in counts. Made by features/events/day-counts.ts.
create table event_days (
  account integer not null,
  channel text collate "C" not null,
  subject integer,
  day timestamptz(3) not null,
  kind text collate "C" not null,
  facet text collate "C" not null,
  detail text collate "C" not null,
  humans bigint not null,
  robots bigint not null,
  contacts bytea not null
);
create index event_days_subject on event_days (account, channel, subject, facet, kind, day);
create index event_days_day on event_days (day);

-- Until when days are put together.
alter table event_counting add column days_until timestamptz(3) not null default 'epoch';
