-- How many each version was sent to and how many of them did what the metric says, once that is final: {<version>: {visits, conversions}}.
alter table campaign_experiments
  add column counts jsonb,
  add column counted_at timestamptz(3);
create index campaign_experiments_counts on campaign_experiments (settled_at) where counted_at is null;
