import type { WorkflowRunState } from '../run-stepper/run-state.ts'

/** Keeps the stamps of what a node has sent in its run: waits ask for the last, and for events of all of them. `at`: ISO 8601. */
export function recordNodeSends({ run }: WorkflowRunState, node: string, stamps: readonly string[], at: string): void {
  const lastStamp = stamps.at(-1)
  if (lastStamp === undefined) return
  const earlierStamps = Object.fromEntries(stamps.slice(0, -1).map((stamp, index) => [`${node} ${index + 1}`, stamp]))
  run.sends = { ...run.sends, ...earlierStamps, [node]: lastStamp, '': lastStamp, [`at ${node}`]: at, 'at ': at }
}
