-- What proves at a start that the configured master keys are those of this database: a known value, sealed with each key
-- that was ever the newest.
create table master_keys (
  number smallint primary key check (number between 0 and 15),
  sealed bytea not null,
  first_used_at timestamptz(3) not null
);
