-- Providers of applications whose credentials were refused so often in a row that all senders let them rest. A row stays until
-- a push is taken again, as each rest is longer than the one before.
create table push_refusals (
  account integer not null,
  application uuid not null,
  provider text not null,
  -- In a row.
  rests integer not null,
  rests_until timestamptz(3) not null,
  primary key (application, provider),
  foreign key (account, application) references applications (account, id) on delete cascade
);
