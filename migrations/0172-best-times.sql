-- When contacts open and click: hours of the week (0: Monday, from 0:00) in their zone, by month, of hits of people.
create table contact_hours (
  account integer not null references accounts (id),
  contact bigint not null,
  month date not null,
  hour smallint not null check (hour between 0 and 167),
  hits integer not null,
  primary key (account, contact, month, hour)
);
create index contact_hours_month on contact_hours (month);
-- The same of all contacts of an account together.
create table account_hours (
  account integer not null references accounts (id),
  month date not null,
  hour smallint not null check (hour between 0 and 167),
  hits bigint not null,
  primary key (account, month, hour)
);
-- Of a campaign whose messages leave when each contact reads: {start, hours}.
alter table sendings add column best_time jsonb;
