/** The schema in which graphile-worker has its tables. */
export const QUEUE_SCHEMA = 'graphile_worker'

/** Unlocks every job of a restored queue: the locks belong to workers of the installation that was dumped. */
export const UNLOCK_JOBS_STATEMENT = `update graphile_worker._private_jobs set locked_at = null, locked_by = null;
  update graphile_worker._private_job_queues set locked_at = null, locked_by = null`
