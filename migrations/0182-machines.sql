-- Data directories that processes are started on: a machine each. What its senders claim has its id in front.
create table machines (
  id text primary key check (id ~ '^[0-9a-f]{8}$'),
  host text not null,
  directory text not null,
  seen_at timestamptz(3) not null
);
