-- What versions of a campaign are compared with those held out by, `{event, within}`; its counts once they are final:
-- {versions: {<version>: {visits, conversions}}, heldOut: {visits, conversions}}.
alter table campaign_experiments
  add column goal jsonb,
  add column goal_counts jsonb,
  add column goal_counted_at timestamptz(3);
create index campaign_experiments_goals on campaign_experiments (settled_at) where goal is not null and goal_counted_at is null;
-- Who reached a goal, from when its counts are final on. `version` is null of those held out.
create table experiment_goals (
  sending bigint not null references sendings (id) on delete cascade,
  contact bigint not null,
  version integer,
  reached_at timestamptz(3) not null,
  primary key (sending, contact)
);
create index experiment_goals_reached_at on experiment_goals using brin (reached_at);
