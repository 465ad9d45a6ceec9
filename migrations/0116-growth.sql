-- How many contacts an account has, and each segment, at the end of each day of the account's zone.
create table growth_days (
  account integer not null references accounts (id),
  segment integer,
  day date not null,
  counted_at timestamptz(3) not null,
  contacts bigint not null,
  entered bigint not null,
  gone bigint not null,
  unique nulls not distinct (account, segment, day),
  foreign key (account, segment) references segments (account, id) on delete cascade
);

-- Who was in a segment when it was counted last: ids as compressed distances, so that the next count knows who came and went.
create table growth_members (
  account integer not null,
  segment integer primary key,
  members bytea not null,
  foreign key (account, segment) references segments (account, id) on delete cascade
);
