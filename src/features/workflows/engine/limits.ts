/** Nodes that a run performs before others have their turn. */
export const MAX_CONSECUTIVE_NODES = 50
/** Lease of a worker on a run without renewal. */
export const RUN_LEASE_MS = 30_000
/** Interval at which a worker renews its leases. */
export const RUN_LEASE_RENEW_MS = 10_000
/** Runs that a worker takes at once. */
export const RUN_CLAIM_BATCH = 500

/** More steps of workflows than these do not follow from each other. */
export const MAX_WORKFLOW_DEPTH = 10
/** Data, state, variables and event of a run. */
export const MAX_RUN_BYTES = 256 * 1024
/** The event of an execution. */
export const MAX_EXECUTION_EVENT_BYTES = 64 * 1024
/** Runs of an account that are open. */
export const MAX_OPEN_RUNS = 5_000_000
