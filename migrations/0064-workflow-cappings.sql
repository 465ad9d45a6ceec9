-- Increments of capping are rows: a key may have any number of them in its period. The row of a key is what those lock who count
-- under it.
alter table workflow_cappings drop column increments;
create table workflow_increments (
  account integer not null,
  workflow integer not null,
  capping uuid not null,
  key text collate "C" not null,
  at timestamptz(3) not null,
  -- Stamp of the send, or the same of a visit of another node.
  owner uuid not null,
  increment integer not null,
  -- Out of every period that counts it.
  drop_at timestamptz(0) not null,
  primary key (account, workflow, capping, key, at, owner) include (increment)
);
create index workflow_increments_drop on workflow_increments (drop_at);
