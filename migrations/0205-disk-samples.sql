-- Free bytes of the disk of each data directory, by day: from them follows when it will be full.
create table disk_samples (
  machine text not null references machines (id) on delete cascade,
  day date not null,
  taken_at timestamptz(3) not null,
  free_bytes bigint not null,
  primary key (machine, day)
);
