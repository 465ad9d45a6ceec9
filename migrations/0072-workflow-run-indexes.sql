-- The index of the list begins with the workflow: foreign keys by account and id are checked by the primary key, also while the
-- table has no statistics.
drop index workflow_runs_created;
create index workflow_runs_created on workflow_runs (workflow, account, created_at, id);

-- Visits of a contact that is deleted are emptied of it.
create index workflow_experiment_visits_contact on workflow_experiment_visits (contact, account) where contact is not null;
