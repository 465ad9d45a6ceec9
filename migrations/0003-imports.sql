create table imports (
  id integer generated always as identity primary key,
  account integer not null references accounts,
  name text not null,
  binding integer,
  features jsonb not null default '[]',
  -- The last uploaded file: where it lies below the data directory, and what it is called on the wire.
  source jsonb not null,
  scheduler jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3),
  unique (account, id)
);

-- Segments an import fills; the foreign key keeps them from being deleted.
create table import_segments (
  account integer not null,
  import integer not null,
  segment integer not null,
  primary key (import, segment),
  foreign key (account, import) references imports (account, id) on delete cascade,
  foreign key (account, segment) references segments (account, id)
);

create table import_executions (
  id integer generated always as identity primary key,
  account integer not null,
  import integer not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- 0 processing or waiting, 1 completed, 2 error.
  state smallint not null default 0,
  -- What the run works with, frozen when it was asked for.
  content jsonb not null,
  source jsonb not null,
  -- Where the run stands: everything before it is committed.
  position jsonb not null default '{}',
  bytes bigint not null default 0,
  lines bigint not null default 0,
  total bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  rejected bigint not null default 0,
  duplicates bigint not null default 0,
  skipped bigint not null default 0,
  warnings jsonb not null default '[]',
  error jsonb,
  cancelled boolean not null default false,
  foreign key (account, import) references imports (account, id) on delete cascade
);
create index import_executions_import on import_executions (import, id);
-- One run per import at a time.
create unique index import_executions_running on import_executions (import) where state = 0;

create table import_rejects (
  execution integer not null references import_executions on delete cascade,
  line bigint not null,
  position integer not null,
  reason text not null,
  column_name text not null,
  content text not null,
  -- The folded key of the line where it has one, so that an erasure finds it.
  key text,
  primary key (execution, line, position)
);
create index import_rejects_key on import_rejects (key) where key is not null;
