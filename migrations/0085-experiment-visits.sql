-- Visits that are counted are deleted a day after their metric's period, unless their run is open.
create index workflow_experiment_visits_old on workflow_experiment_visits (until) where counted > 0;
create index workflow_experiment_visits_pending on workflow_experiment_visits (account, workflow, node, fingerprint, branch)
  where counted = 0;
