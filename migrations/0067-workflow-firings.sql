-- A firing reads its rows once, in batches, which become runs one after the other: who is in a segment or fits criteria is decided
-- then, and a row is read once whatever changes meanwhile. The batches go when the firing ends.
alter table workflow_firings
  drop column cursor,
  -- How many batches there are; null: its rows are still to be read.
  add column batches integer,
  -- How many of them have become runs.
  add column done integer not null default 0;

create table workflow_firing_batches (
  account integer not null,
  firing uuid not null,
  nth integer not null,
  -- Rows of contacts, ascending; or rows as the provider gave them.
  contacts bigint[],
  rows jsonb,
  primary key (account, firing, nth),
  foreign key (account, firing) references workflow_firings (account, id) on delete cascade,
  check ((contacts is null) <> (rows is null))
);

alter table workflow_tasks
  drop column is_queued,
  -- The fire that waits for the firing before to end.
  add column queued_run timestamptz(3);
create index workflow_tasks_queued on workflow_tasks (account, workflow, task) where queued_run is not null;
-- Firings are kept for a while after they end.
create index workflow_firings_ended on workflow_firings (ended_at) where ended_at is not null;

-- While statistics say that there are no runs, every index that begins with the account seems as good as the primary key: foreign keys
-- were checked by one of these, and read all runs of the account for each new one.
drop index workflow_runs_stamp;
create unique index workflow_runs_stamp on workflow_runs (stamp, account);
