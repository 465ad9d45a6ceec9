-- no transaction
create index concurrently if not exists workflow_runs_failed on workflow_runs (account, workflow, ended_at) where status = 'failed';
