-- What fails alone of periodic tasks and jobs, and has not worked since: a name, and which account or row of it ('' when it is all of it).
create table task_failures (
  task text not null,
  subject text not null,
  failures integer not null,
  since timestamptz not null,
  next_at timestamptz not null,
  error text not null,
  primary key (task, subject)
);
