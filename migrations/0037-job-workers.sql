-- The workers of the queue that live: each process that works jobs has a row, and says every few seconds that it is there.
-- The locks of a worker without a row are free: whoever deletes the row ends the worker's connections first.
create table job_workers (
  id uuid primary key default uuidv7(),
  -- The name under which it locks jobs and queues; null until it is known, and it locks none before.
  pool text unique,
  seen_at timestamptz not null default now()
);
