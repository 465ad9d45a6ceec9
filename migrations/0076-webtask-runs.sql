-- What runs of webtasks came to: the last ones of each outcome for a week. They outlive their webtask unseen. What scripts wrote is
-- json: jsonb does not take every text.
create table webtask_runs (
  nth bigint generated always as identity primary key,
  account integer not null,
  webtask integer not null,
  -- Stamp, where the caller gave one.
  id uuid not null,
  at timestamptz(3) not null,
  origin text not null check (origin in ('api', 'public', 'workflow')),
  -- Of a workflow.
  origin_id text,
  contact bigint,
  outcome text not null check (outcome in ('success', 'error')),
  duration_ms integer not null,
  error json,
  logs json not null
);
create index webtask_runs_listed on webtask_runs (webtask, outcome, at, nth);
create index webtask_runs_at on webtask_runs (at);
create index webtask_runs_contact on webtask_runs (account, contact) where contact is not null;

-- Stamps that callers gave, for a day: a second run with one is answered as the first. Who has taken a stamp has a claim on it until
-- there is a result; one that stands too long is of a process that died.
create table webtask_stamps (
  account integer not null,
  stamp uuid not null,
  claim uuid not null,
  claimed_at timestamptz(3) not null,
  contact bigint,
  result json,
  primary key (account, stamp)
);
create index webtask_stamps_claimed on webtask_stamps (claimed_at);
create index webtask_stamps_contact on webtask_stamps (account, contact) where contact is not null;
