-- How many runs of an account are open, as of the counts that were added up last: a bound, not a figure to the run.
create table workflow_open_runs (
  account integer primary key references accounts,
  n bigint not null default 0
) with (fillfactor = 80);
