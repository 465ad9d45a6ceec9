-- Counts of experiments go by metric and period: runs of an older version keep theirs. `state`: counts, shares and the winner.
drop table workflow_experiments;
create table workflow_experiments (
  account integer not null,
  workflow integer not null,
  node text collate "C" not null,
  fingerprint text not null,
  -- Of the latest visit: which branches there are, and how they are tried.
  settings jsonb not null,
  state jsonb not null default '{}',
  computed_at timestamptz(3),
  primary key (account, workflow, node, fingerprint)
);

drop table workflow_experiment_visits;
create table workflow_experiment_visits (
  account integer not null,
  workflow integer not null,
  node text collate "C" not null,
  fingerprint text not null,
  run uuid not null,
  visit integer not null,
  -- '': held out.
  branch text collate "C" not null,
  contact bigint,
  metric text not null,
  at timestamptz(3) not null,
  until timestamptz(3) not null,
  converted_at timestamptz(3),
  -- 0: not yet, 1: as a visit, 2: as a visit that converted.
  counted smallint not null default 0,
  primary key (account, workflow, node, fingerprint, run, visit)
);
create index workflow_experiment_visits_open on workflow_experiment_visits (account, contact, metric) where converted_at is null;
create index workflow_experiment_visits_due on workflow_experiment_visits (until) where counted = 0;
create index workflow_experiment_visits_late on workflow_experiment_visits (account) where counted = 1 and converted_at is not null;
