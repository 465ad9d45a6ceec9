-- What the events of a quarter of an hour say beside their kind, counted: types of cancellations, refusals by domain, verdict
-- and cause, links and devices. Made with event_counts by features/events/summary-counts.ts; reports are read from it.
create table event_details (
  account integer not null,
  channel text collate "C" not null,
  subject integer,
  start timestamptz(3) not null,
  kind text collate "C" not null,
  facet text collate "C" not null,
  detail text collate "C" not null,
  humans integer not null,
  contacts bytea not null
);
create index event_details_subject on event_details (account, channel, subject, start);
create index event_details_start on event_details (start);

-- Quarters that were counted before are counted once more, with their details.
insert into stale_event_counts (account, channel, start)
select distinct account, channel, quarter_of(start) from event_counts where channel <> 'display';
-- Quarters with nothing but cancellations have no counts.
insert into stale_event_counts (account, channel, start)
select distinct account, channel, quarter_of(at) from events where kind = 'cancellations';
