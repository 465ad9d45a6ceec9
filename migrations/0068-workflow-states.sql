-- How workflows stop, and what of them is forgotten.
alter table workflows
  -- How often its open runs were killed: runs that began under a lower count are not performed any more.
  add kills integer not null default 0,
  -- What became of the workflow whose runs of lower counts are still to be killed, or deleted; null: none is left.
  add killing text check (killing in ('deactivated', 'deleted'));
create index workflows_killing on workflows (id) where killing is not null;
alter table workflow_runs add kills integer not null default 0;

-- Runs of a workflow are listed in the order in which they began.
drop index workflow_runs_workflow;
create index workflow_runs_created on workflow_runs (account, workflow, created_at, id);

-- The workflow of a run that was due while that was inactive: due is null meanwhile.
alter table workflow_timers add parked integer;
update workflow_timers t set parked = r.workflow from workflow_runs r where r.account = t.account and r.id = t.run and t.due is null;
create index workflow_timers_parked on workflow_timers (account, parked, run) where parked is not null;

-- The workflow whose run published a custom event.
alter table notices add workflow integer;
create index notices_workflow on notices (account, workflow, id) where workflow is not null;
