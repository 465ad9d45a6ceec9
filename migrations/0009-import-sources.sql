-- When the scheduler of an import starts it next; null: never.
alter table imports add column next_at timestamptz(3);
create index imports_next_at on imports (next_at) where next_at is not null;

-- Where an account's files lie that imports pull: a directory, or an SFTP server. Configured by the operator.
create table drop_places (
  account integer primary key references accounts,
  kind text not null check (kind in ('directory', 'sftp')),
  settings jsonb not null,
  -- Credentials, sealed with the master key (AES-256-GCM).
  secrets bytea,
  created_at timestamptz(3) not null default now()
);

-- Files that were pulled and still lie in the drop place: put away when their run has ended.
create table import_pulls (
  execution integer primary key references import_executions on delete cascade,
  account integer not null,
  import integer not null,
  folder text not null,
  filename text not null
);
create index import_pulls_import on import_pulls (import);
