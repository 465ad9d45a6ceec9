/** Nodes that a run performs before others have their turn. */
export const MAX_CONSECUTIVE_NODES = 50
/** More steps of workflows than these do not follow from each other. */
export const MAX_WORKFLOW_DEPTH = 10
/** Data, state, variables and event of a run. */
export const MAX_RUN_BYTES = 256 * 1024
/** The event of an execution. */
export const MAX_EXECUTION_EVENT_BYTES = 64 * 1024
/** Runs of an account that are open. */
export const MAX_OPEN_RUNS = 5_000_000
