-- Campaigns that try several contents (A/B). Of a campaign validated: its content versions by the ids of the experiment's.
alter table actions add column versions jsonb;
-- Of a run: how its audience is shared out (`{key, holdout, versions: [{version, share}]}`), how many are held out, and
-- the content of the rest, once it is decided. Until then the rest waits with the version of the sending.
alter table sendings
  add column shares jsonb,
  add column held_out bigint not null default 0,
  add column rest_version integer references content_versions (id);
create table campaign_experiments (
  sending bigint primary key references sendings (id) on delete cascade,
  account integer not null references accounts (id),
  action integer not null,
  -- [{id, share, version}]
  versions jsonb not null,
  holdout numeric not null,
  metric jsonb not null,
  decide_after jsonb not null,
  minimum integer not null,
  decide text not null check (decide in ('auto', 'ask')),
  -- When the last message of the shares had its outcome.
  settled_at timestamptz(3),
  decided_at timestamptz(3),
  -- {version, by, clear, probability}
  decision jsonb,
  -- Nothing changes any more.
  ended_at timestamptz(3)
);
create index campaign_experiments_open on campaign_experiments (sending) where ended_at is null;
create index campaign_experiments_action on campaign_experiments (account, action);
