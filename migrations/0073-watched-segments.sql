-- Dynamic segments whose entries and exits are published: who wants them, since when. A watch that begins records the members of
-- that moment, and publishes what changes afterwards.
create table segment_watchers (
  account integer not null,
  owner text collate "C" not null,
  segment integer not null,
  since timestamptz not null default clock_timestamp(),
  primary key (account, owner, segment),
  foreign key (account, segment) references segments (account, id) on delete cascade
);
create index segment_watchers_segment on segment_watchers (segment, account);

-- One row a watched segment: it is locked while the segment is compared. It stays behind a deleted segment until what is kept of it
-- is deleted.
create table watched_segments (
  segment integer primary key,
  account integer not null,
  due_at timestamptz(3) not null,
  -- After a failure.
  not_before timestamptz(3),
  -- As of when the members below are known.
  computed_at timestamptz,
  has_changes boolean not null default false
);

-- The last known members. A contact that is deleted is taken out by the next comparison.
create table watched_members (
  segment integer not null,
  contact bigint not null,
  primary key (segment, contact)
);

-- What a comparison found and is not published yet.
create table watched_changes (
  segment integer not null,
  contact bigint not null,
  is_entry boolean not null,
  primary key (segment, contact)
);
