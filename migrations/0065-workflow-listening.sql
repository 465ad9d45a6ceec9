-- Open runs of a workflow by version: what it has to be told of, and what a change of it concerns.
create index workflow_runs_open on workflow_runs (account, workflow, version) where ended_at is null;
