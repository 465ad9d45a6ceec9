/** Nodes that a run performs before others have their turn. */
export const MAX_NODES_IN_A_ROW = 50
/** How long a worker has a run without saying so again. */
export const LEASE_MS = 30_000
/** How often a worker says so. */
export const RENEW_MS = 10_000
/** Runs that a worker takes at once. */
export const BATCH = 500

/** More steps of workflows than these do not follow from each other. */
export const MAX_DEPTH = 10
/** Data, state, variables and event of a run. */
export const MAX_RUN_BYTES = 256 * 1024
/** The event of an execution. */
export const MAX_EVENT_BYTES = 64 * 1024
/** Runs of an account that are open. */
export const MAX_OPEN_RUNS = 5_000_000
