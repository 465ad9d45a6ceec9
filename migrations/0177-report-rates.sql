-- What campaigns came to, in contacts, with which others are compared. `state` says of which events that holds: it is read anew when
-- there are others. Kept by features/reports/rates.ts.
create table report_rates (
  account integer not null references accounts,
  channel text not null,
  source integer not null,
  state text not null,
  delivered bigint not null,
  opened bigint not null,
  clicked bigint not null,
  unsubscribed bigint not null,
  complained bigint not null,
  primary key (account, channel, source)
);
