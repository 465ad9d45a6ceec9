-- A node that leaves the service is counted by capping first, in a transaction of its own.
alter table workflow_runs drop constraint workflow_runs_phase_check;
alter table workflow_runs add constraint workflow_runs_phase_check
  check (phase in ('enter', 'cleared', 'begun', 'look', 'wait', 'retry'));
