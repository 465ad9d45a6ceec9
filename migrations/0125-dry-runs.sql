-- A dry run counts what a run would do and writes no contact. It is not the last run of its import, and goes on beside one.
alter table import_executions add column dry_run boolean not null default false;
-- Contacts that the run has put on a red list, or flagged.
alter table import_executions add column blocked bigint not null default 0;
drop index import_executions_running;
create unique index import_executions_running on import_executions (import, dry_run) where state = 0;

-- A file that was sent for a dry run alone: never the source of its import, and gone when the run ends.
alter table import_uploads add column is_trial boolean not null default false;
