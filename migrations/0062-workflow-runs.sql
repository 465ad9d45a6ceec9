-- Runs of workflows. A worker takes what is due, performs nodes, and writes where each run stands, in one transaction with the
-- effects. Rows of ended runs stay 90 days; their waits and entries do not.
create table workflow_runs (
  account integer not null references accounts,
  id uuid not null,
  -- Number of the workflow, and the version the run goes by.
  workflow integer not null,
  version integer not null,
  -- Null: a run without contact, or its contact was deleted.
  contact bigint,
  -- What re-entry and concurrency count by; null: they are not checked.
  entry_key text collate "C",
  status text not null check (status in ('running', 'waiting', 'completed', 'failed', 'killed', 'expired', 'capped')),
  reason text,
  outcome text,
  -- Where it stands, and what is to be done there: enter the node; find that a request which must not be repeated was begun; look
  -- for stored events that end its wait; go on when it ends; try again.
  node text collate "C" not null,
  phase text not null check (phase in ('enter', 'begun', 'look', 'wait', 'retry')),
  visit integer not null default 1,
  attempt smallint not null default 1,
  entered_at timestamptz(3),
  -- How many of its waits have to happen.
  needed smallint not null default 1,
  -- What the pause of its node remembers.
  memo jsonb,
  -- Visits of all nodes, and of each.
  steps integer not null default 0,
  visits jsonb not null default '{}',
  data jsonb not null default '{}',
  state jsonb not null default '{}',
  variables jsonb not null default '{}',
  event jsonb,
  last jsonb,
  -- Stamps of its sends by node: a wait may be for what becomes of one.
  sends jsonb,
  start_type text not null check (start_type in ('execution', 'listener', 'task')),
  start_id text,
  depth smallint not null default 0,
  stamp uuid not null,
  stamp_time timestamptz(3) not null,
  thread uuid not null,
  set uuid not null,
  -- The place in the log of events when it left its last effect or wait, or started: events behind it have a later time, or were
  -- not committed in the snapshot.
  mark_at timestamptz(3) not null,
  mark_event uuid,
  mark_snapshot text,
  -- The end of its wait or pause; null: none but its own end.
  wake timestamptz(3),
  expires_at timestamptz(3) not null,
  -- How often this row was written: who read it before another did has lost it.
  moves integer not null default 0,
  -- What happened that it is to be told of when it is taken next: {type: move, handler, event}.
  interrupt jsonb,
  -- The goal it has reached.
  goal text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (account, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
create index workflow_runs_workflow on workflow_runs (account, workflow, id);
create index workflow_runs_contact on workflow_runs (account, contact, workflow) where contact is not null;
create index workflow_runs_ended on workflow_runs (ended_at) where ended_at is not null;
-- The stamp of a start starts one run.
create unique index workflow_runs_stamp on workflow_runs (account, stamp);

-- When open runs are to be taken by a worker: at the end of a wait, or of the lease of the worker that has one. Apart from the runs,
-- so that these are written without a change of their indexes. Due null: its workflow is inactive.
create table workflow_timers (
  account integer not null,
  run uuid not null,
  due timestamptz(3),
  claimed_by uuid,
  primary key (account, run),
  foreign key (account, run) references workflow_runs (account, id) on delete cascade
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index workflow_timers_due on workflow_timers (account, due) where due is not null;

-- What runs wait for: a row for each wait of the node they stand at, and for each goal of their workflow.
create table workflow_waits (
  account integer not null,
  run uuid not null,
  -- Id of the wait within its node; of a goal its node. Goals stay while the run is open.
  id text collate "C" not null,
  is_goal boolean not null default false,
  node text collate "C" not null,
  -- Version whose node holds the filter.
  workflow integer not null,
  version integer not null,
  -- Type of event, as listeners name it.
  type text collate "C" not null,
  correlation text not null check (correlation in ('contact', 'thread', 'send', 'none')),
  contact bigint,
  -- The thread or the send.
  key uuid,
  -- Events behind this place count.
  since_at timestamptz(3) not null,
  since_event uuid,
  since_snapshot text,
  until_at timestamptz(3),
  -- Stored events have been looked at: what is published from now on is matched as it comes.
  is_looked_at boolean not null default false,
  -- What happened.
  event jsonb,
  primary key (account, run, is_goal, id),
  foreign key (account, run) references workflow_runs (account, id) on delete cascade
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
create index workflow_waits_contact on workflow_waits (account, contact, type) where correlation = 'contact';
create index workflow_waits_key on workflow_waits (account, key, type) where correlation in ('thread', 'send');
create index workflow_waits_any on workflow_waits (account, type) where correlation = 'none';

-- What runs did, in order: entries of the nodes that one transaction performed.
create table workflow_traces (
  account integer not null,
  run uuid not null,
  seq integer not null,
  entries jsonb not null,
  primary key (account, run, seq),
  foreign key (account, run) references workflow_runs (account, id) on delete cascade
);

-- Starts by the key of entry: open runs now, the last start, and that there was one.
create table workflow_entries (
  account integer not null,
  workflow integer not null,
  key text collate "C" not null,
  open integer not null default 0,
  last_start timestamptz(3),
  primary key (account, workflow, key)
) with (fillfactor = 85);

-- Counts by hour. Workers add rows to the deltas; a job adds those up.
create table workflow_counts (
  account integer not null,
  workflow integer not null,
  version integer not null,
  hour timestamptz(0) not null,
  -- run, refused, node, output, listener, task; then which one, and what of it.
  subject text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,
  n bigint not null,
  primary key (account, workflow, version, hour, subject, id, name)
);
create table workflow_count_deltas (
  id bigint generated always as identity primary key,
  account integer not null,
  workflow integer not null,
  version integer not null,
  hour timestamptz(0) not null,
  subject text collate "C" not null,
  entry text collate "C" not null,
  name text collate "C" not null,
  n bigint not null
);

-- Increments of capping: one row a key, with the moments of its increments and whose they are.
create table workflow_cappings (
  account integer not null,
  workflow integer not null,
  capping uuid not null,
  key text collate "C" not null,
  -- [[milliseconds, increment, stamp or visit]], oldest first; those out of the period fall off when it is written.
  increments jsonb not null default '[]',
  primary key (account, workflow, capping, key)
) with (fillfactor = 85);

-- Visits that took the first way of a sample by count.
create table workflow_samples (
  account integer not null,
  workflow integer not null,
  node text collate "C" not null,
  taken integer not null default 0,
  primary key (account, workflow, node)
);

-- Tasks of active workflows with the moment they fire next; those of inactive ones keep what they did last.
create table workflow_tasks (
  account integer not null,
  workflow integer not null,
  task text collate "C" not null,
  next_run timestamptz(3),
  last_run timestamptz(3),
  -- A fire that waits for the one before to end.
  is_queued boolean not null default false,
  primary key (account, workflow, task)
);
create index workflow_tasks_next on workflow_tasks (next_run) where next_run is not null;

-- One firing of a task: its rows become runs behind a cursor.
create table workflow_firings (
  account integer not null,
  id uuid not null,
  workflow integer not null,
  version integer not null,
  task text collate "C" not null,
  -- The minute of the scheduler; null: asked for by a request.
  minute timestamptz(0),
  state text not null check (state in ('running', 'completed', 'failed')),
  reason text,
  row_limit integer,
  -- The last row read: a contact's id, or its place.
  cursor bigint not null default 0,
  rows integer not null default 0,
  started integer not null default 0,
  skipped integer not null default 0,
  refused integer not null default 0,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  claimed_by uuid,
  lease_until timestamptz(3),
  primary key (account, id)
);
create unique index workflow_firings_minute on workflow_firings (account, workflow, task, minute) where minute is not null;
create index workflow_firings_running on workflow_firings (account, workflow, task) where state = 'running';

-- Shares of experiments: visits and conversions by branch.
create table workflow_experiments (
  account integer not null,
  workflow integer not null,
  node text collate "C" not null,
  -- Metric and period: another one begins anew.
  fingerprint text not null,
  state jsonb not null default '{}',
  computed_at timestamptz(3),
  primary key (account, workflow, node)
);
create table workflow_experiment_visits (
  account integer not null,
  workflow integer not null,
  node text collate "C" not null,
  run uuid not null,
  visit integer not null,
  branch text collate "C" not null,
  contact bigint,
  at timestamptz(3) not null,
  converted_at timestamptz(3),
  primary key (account, workflow, node, run, visit)
);
create index workflow_experiment_visits_open on workflow_experiment_visits (account, workflow, contact) where converted_at is null;

-- What was published by name, beside the change notices.
alter table notices add name text collate "C";
create index notices_name on notices (account, name, id) where type = 'custom';

-- Whether an event is behind a place in the log. A place with a snapshot is a transaction: an event is behind it that was not
-- committed for it, and is not its own. Without one it is an instant, or an event that was consumed.
create function workflow_is_behind(at timestamptz, id uuid, writer xid, since_at timestamptz, since_event uuid, since_snapshot text)
returns boolean language plpgsql stable as $$
declare
  current bigint;
  whole bigint;
begin
  if since_snapshot is null then
    return at > since_at or (at = since_at and (since_event is null or id > since_event));
  end if;
  if at < since_at - interval '20 seconds' then return false; end if;
  -- Transactions that publish end within 20 s.
  if at > since_at + interval '20 seconds' then return true; end if;
  current := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
  whole := (current >> 32 << 32) | writer::text::bigint;
  if whole > current then whole := whole - (1::bigint << 32); end if;
  return not pg_visible_in_snapshot(whole::text::xid8, split_part(since_snapshot, ' ', 1)::pg_snapshot)
    and whole::text <> split_part(since_snapshot, ' ', 2);
end $$;
