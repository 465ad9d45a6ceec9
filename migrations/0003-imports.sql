-- How the columns of a file are read.
create table import_formats (
  id integer generated always as identity primary key,
  account integer not null references accounts,
  name text not null,
  name_folded text not null,
  -- Character code; 0: found in the file.
  separator smallint not null default 0 check (separator between 0 and 127 and separator not in (10, 13, 34)),
  -- Lines passed over before the first data line.
  start_at integer not null default 1 check (start_at >= 0),
  encoding text,
  date_order text check (date_order in ('dmy', 'mdy')),
  -- False: usable by id, not listed.
  is_saved boolean not null default true,
  unique (account, name_folded),
  unique (account, id)
);

create table import_format_binds (
  account integer not null,
  format integer not null,
  -- Where the bind stands in the order given.
  position integer not null,
  column_index integer not null check (column_index >= 0),
  -- Null: a column that is not read.
  field integer,
  primary key (format, position),
  unique (format, column_index),
  unique (format, field),
  foreign key (account, format) references import_formats (account, id) on delete cascade,
  foreign key (account, field) references fields (account, id)
);
create index import_format_binds_field on import_format_binds (account, field);

create table imports (
  id integer generated always as identity primary key,
  account integer not null references accounts,
  name text not null,
  binding integer,
  features jsonb not null default '[]',
  -- Where its files come from: {"type": "file"}, or {"type": "ftp", "folder", "templateFilename"}.
  source jsonb not null,
  scheduler jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3),
  unique (account, id),
  foreign key (account, binding) references import_formats (account, id)
);
create index imports_binding on imports (account, binding);

-- Segments an import fills; the foreign key keeps them from being deleted.
create table import_segments (
  account integer not null,
  import integer not null,
  segment integer not null,
  primary key (import, segment),
  foreign key (account, import) references imports (account, id) on delete cascade,
  foreign key (account, segment) references segments (account, id)
);
create index import_segments_segment on import_segments (account, segment);

-- Fields that the features of an import name.
create table import_fields (
  account integer not null,
  import integer not null,
  field integer not null,
  primary key (import, field),
  foreign key (account, import) references imports (account, id) on delete cascade,
  foreign key (account, field) references fields (account, id)
);
create index import_fields_field on import_fields (account, field);

-- Files that were uploaded; the last one of an import is its source. A row goes with its file.
create table import_uploads (
  id integer generated always as identity primary key,
  account integer not null,
  import integer not null,
  -- On the wire: ten hexadecimal digits, a low line, and the name it was sent under.
  filename text not null,
  -- Below imports/<account>/<import>/ in the data directory.
  path text not null,
  bytes bigint not null,
  -- Made from maps of a request: its first line names fields, whatever the binding.
  has_header boolean not null default false,
  uploaded_at timestamptz(3) not null,
  foreign key (account, import) references imports (account, id) on delete cascade
);
create index import_uploads_import on import_uploads (import, id);

create table import_executions (
  id integer generated always as identity primary key,
  account integer not null,
  import integer not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- 0 processing or waiting, 1 completed, 2 error.
  state smallint not null default 0,
  -- What the run works with, frozen when it was asked for: {"features", "bindings", "source"}.
  content jsonb not null,
  upload integer references import_uploads on delete set null,
  -- Where the run stands: of the first of two passes over the file, which some features need, this many lines are read.
  surveyed bigint not null default 0,
  is_surveyed boolean not null default false,
  -- Of the stored file; and data lines that are committed, which is where a run goes on.
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
  -- The data line's place in the run, from 1; of several faults of a line, the place of this one.
  ordinal bigint not null,
  position integer not null,
  -- Line of the file it stands on, from 1.
  line bigint not null,
  reason text not null,
  column_name text not null,
  content text not null,
  -- The folded key of the line where it has one, so that an erasure finds it.
  key text,
  primary key (execution, ordinal, position)
);
create index import_rejects_key on import_rejects (key) where key is not null;

-- Keys that a run has met: those of contacts which were there before it, or, where the last line of a key counts, all
-- of them with the place of that line. Emptied in the transaction that ends the run: a foreign key would only cost time.
create table import_keys (
  execution integer not null,
  key text collate "C" not null,
  ordinal bigint not null,
  primary key (execution, key)
);

-- Who will be in a segment that a run empties, from its end on. Emptied then.
create table import_members (
  execution integer not null,
  contact bigint not null,
  primary key (execution, contact)
);

-- The run that created a contact: a second line with its key is a duplicate, which need not be looked up elsewhere.
alter table contacts add column created_by_import integer;
