-- What runs of webtasks came to: the last ones of each outcome, for a week. They outlive their webtask unseen. What scripts wrote is
-- json: jsonb does not take every text.
create table webtask_runs (
  nth bigint generated always as identity primary key,
  account integer not null,
  webtask integer not null,
  -- The stamp, where the caller gave one.
  id uuid not null,
  at timestamptz(3) not null,
  origin text not null check (origin in ('api', 'public', 'workflow')),
  -- Of a workflow.
  origin_id integer,
  -- Receiver and related.
  contacts bigint[] not null,
  outcome text not null check (outcome in ('success', 'error')),
  duration_ms integer not null,
  error_type text check ((error_type is null) = (outcome = 'success')),
  error json,
  logs json not null
);
create index webtask_runs_listed on webtask_runs (account, webtask, outcome, at, nth);
create index webtask_runs_at on webtask_runs (at);

-- Stamps that callers gave, for a day: a second run with one is answered as the first. Who has taken a stamp has a claim on it until
-- there is a result; one that stands too long is of a process that died.
create table webtask_stamps (
  account integer not null,
  stamp uuid not null,
  claim uuid not null,
  claimed_at timestamptz(3) not null,
  contacts bigint[] not null,
  result json,
  primary key (account, stamp)
);
create index webtask_stamps_claimed on webtask_stamps (claimed_at);
