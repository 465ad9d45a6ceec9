-- The jobs of an account, newest first: ids are uuids of version 7, which sort by creation.
create index jobs_account on jobs (account, id);
